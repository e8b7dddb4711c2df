// Static objects of the driver are never destroyed, and neither are those of LLVM, clang and other libraries
// that are linked into it: threads that compile or run kernels go on using them while exit() runs, until the
// process ends. C++ registers the destructor of a static object with __cxa_atexit(), atexit() is a call of
// it, and within the driver this definition replaces it. Background does the work that is needed at exit.
// Declared in <stdlib.h>.

extern "C" [[gnu::visibility("hidden")]] int
__cxa_atexit(void (*)(void*), void*, void*) noexcept { // NOLINT(bugprone-reserved-identifier)
  return 0;
}
