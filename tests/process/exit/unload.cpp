// An application that opens the loader, uses it, closes it, and opens it again, as plug-ins and language
// bindings do; also with work in flight. It must neither crash nor hang, then or when the process ends, and
// must not grow. usage: test_unload [once], which leaves a kernel in the compiler when it closes the loader
// and ends

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <string_view>
#include <thread>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define HOSTCL_LEAK_SANITIZER 1
#endif
#endif

namespace {

/// While one exists, what is allocated may leak. ocl-icd does not free its list of platforms when it is
/// unloaded.
class LeakOfTheLoader {
#if defined(HOSTCL_LEAK_SANITIZER)
  __lsan::ScopedDisabler disabler_;
#endif
public:
  LeakOfTheLoader() {}
};

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

/// The loader while it is open, and its functions by name.
class Loader {
public:
  Loader() : library_(dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) std::fprintf(stderr, "%s\n", dlerror());
    require(library_, "dlopen");
  }
  Loader(const Loader&) = delete;
  ~Loader() { require(dlclose(library_) == 0, "dlclose"); }

  template <class Function>
  Function* get(const char* name) const {
    void* address = dlsym(library_, name);
    require(address, name);
    return reinterpret_cast<Function*>(address);
  }

private:
  void* library_;
};
#define CALL(loader, function) (loader).get<decltype(function)>(#function)

cl_device_id find_device(const Loader& loader) {
  cl_platform_id platforms[16] = {};
  cl_uint count = 0;
  {
    LeakOfTheLoader first_call_makes_the_list;
    CALL(loader, clGetPlatformIDs)(16, platforms, &count);
  }
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[256] = {};
    cl_device_id device = nullptr;
    CALL(loader, clGetPlatformInfo)(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    CALL(loader, clGetDeviceIDs)(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    if (std::string_view(name) == "hostcl") return device;
  }
  require(false, "there is a platform hostcl");
  return nullptr;
}

/// What is not complete when everything is released and the loader is closed.
enum class Left { nothing, running, compiling };

/// Builds, and runs unless a kernel is to be left in the compiler.
void use(const Loader& loader, Left left) {
  const char* source = "kernel void k(global uint* v, uint n) {"
                       "  uint x = get_global_id(0);"
                       "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;"
                       "  v[get_global_id(0)] = n ? x : 42; }";
  cl_device_id device = find_device(loader);
  cl_int error = 0;
  cl_context context = CALL(loader, clCreateContext)(nullptr, 1, &device, nullptr, nullptr, &error);
  require(context, "clCreateContext");
  cl_command_queue queue = CALL(loader, clCreateCommandQueue)(context, device, 0, &error);
  cl_program program = CALL(loader, clCreateProgramWithSource)(context, 1, &source, nullptr, &error);
  require(CALL(loader, clBuildProgram)(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS,
          "clBuildProgram");
  cl_kernel kernel = CALL(loader, clCreateKernel)(program, "k", &error);
  const size_t items = 4096;
  cl_mem buffer = CALL(loader, clCreateBuffer)(context, CL_MEM_READ_WRITE, items * 4, nullptr, &error);
  const auto enqueue = [&](cl_uint iterations) {
    CALL(loader, clSetKernelArg)(kernel, 0, sizeof buffer, &buffer);
    CALL(loader, clSetKernelArg)(kernel, 1, sizeof iterations, &iterations);
    require(CALL(loader, clEnqueueNDRangeKernel)(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                                 nullptr) == CL_SUCCESS,
            "clEnqueueNDRangeKernel");
  };
  enqueue(0);
  if (left != Left::compiling) {
    cl_uint value = 0;
    CALL(loader, clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
    require(value == 42, "the kernel's result");
  }
  if (left == Left::running) enqueue(100'000);
  if (left != Left::nothing) CALL(loader, clFlush)(queue);
  CALL(loader, clReleaseMemObject)(buffer);
  CALL(loader, clReleaseKernel)(kernel);
  CALL(loader, clReleaseProgram)(program);
  CALL(loader, clReleaseCommandQueue)(queue);
  CALL(loader, clReleaseContext)(context);
}

int threads() {
  int count = 0;
  DIR* list = opendir("/proc/self/task");
  while (list && readdir(list))
    ++count;
  if (list) closedir(list);
  return count - 2; // "." and ".."
}

/// Those that are left when nothing is in flight: this one, the one that flushes, and for each core one that
/// runs commands (but two at least) and one of oneTBB's; and one of a sanitiser.
bool only_usual_threads() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int usual = 2 + std::max(2, cores) + cores;
  for (int waited = 0; waited < 20'000 && threads() > usual; ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threads() <= usual;
}

} // namespace

int main(int count, char**) {
  if (count > 1) {
    use(Loader(), Left::compiling);
    return 0;
  }
  for (int iteration = 0; iteration < 10; ++iteration) {
    const Loader loader;
    use(loader, iteration % 2 == 1 ? Left::running : Left::nothing);
  }
  require(only_usual_threads(), "threads do not become more with each round");
  std::printf("opened and closed 10 times, %d threads\n", threads());
  return 0;
}
