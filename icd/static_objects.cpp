// Static objects of the driver, and of LLVM, clang and other libraries that are linked into it, are never destroyed:
// threads that compile or run kernels use them during exit(), until the process ends. C++ registers the destructor of a
// static object with __cxa_atexit(), which atexit() calls as well. Within the driver, this definition replaces
// __cxa_atexit(). Class Background does the work that is needed at exit. Declared in <stdlib.h>.

extern "C" [[gnu::visibility("hidden")]] int
__cxa_atexit(void (*)(void*), void*, void*) noexcept { // NOLINT(bugprone-reserved-identifier)
  return 0;
}
