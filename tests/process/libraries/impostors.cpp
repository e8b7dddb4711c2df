// An application that brings libraries which the driver is made with, in other versions: the driver must not
// call them, and they must be loaded and found as if it were not there. usage: test_impostors WAY [LIBRARY]
//   before_local, before_global   the application's library is loaded before the driver, with that scope
//   after_local, after_global     after it, and before the first kernel
//   loaded                        with the program, to which it is linked, or by LD_PRELOAD
//   proxy                         none; LD_PRELOAD replaces malloc() by oneTBB's

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

void use(void* symbol) {
  require(symbol, "the application's library is loaded");
  require(reinterpret_cast<int (*)()>(symbol)() == 6, "it finds what it needs");
}

void load_and_use(const char* path, int scope) {
  void* library = dlopen(path, RTLD_NOW | scope);
  if (!library) std::fprintf(stderr, "%s\n", dlerror());
  use(library ? dlsym(library, "use_impostors") : nullptr);
}

// Each work-group waits for a while until another one is inside as well.
constexpr const char* source = R"(
kernel void meet(global atomic_int* inside, global atomic_int* met) {
  int now = atomic_fetch_add(inside, 1) + 1;
  for (int i = 0; i < 20000000 && now < 2 && !atomic_load(met); ++i)
    now = atomic_load(inside);
  if (now >= 2) atomic_store(met, 1);
  atomic_fetch_sub(inside, 1);
})";

bool groups_meet(cl_context context, cl_command_queue queue, cl_kernel kernel) {
  cl_int values[2] = {0, 0};
  cl_mem inside = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &values[0], nullptr);
  cl_mem met = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &values[1], nullptr);
  clSetKernelArg(kernel, 0, sizeof inside, &inside);
  clSetKernelArg(kernel, 1, sizeof met, &met);
  const size_t items = 16, local = 1;
  require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr) ==
              CL_SUCCESS,
          "clEnqueueNDRangeKernel");
  clEnqueueReadBuffer(queue, inside, CL_TRUE, 0, 4, &values[0], 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, met, CL_TRUE, 0, 4, &values[1], 0, nullptr, nullptr);
  clReleaseMemObject(inside);
  clReleaseMemObject(met);
  require(values[0] == 0, "all work-groups have left");
  return values[1] == 1;
}

void run_on_several_threads(cl_device_id device) {
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  require(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS,
          "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "meet", nullptr);
  bool met = false;
  for (int launch = 0; launch < 20 && !met; ++launch)
    met = groups_meet(context, queue, kernel);
  require(met, "work-groups run at the same time");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

/// What the driver asks of hwloc, and of the libraries with which it reads and writes binaries.
void look_at_the_machine_and_at_binaries(cl_device_id device) {
  cl_ulong bytes = 0;
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes, &bytes, nullptr);
  require(bytes > 0, "there is a cache");
  cl_device_affinity_domain domains = 0;
  require(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, nullptr) ==
              CL_SUCCESS,
          "affinity domains");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
  size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  std::vector<unsigned char> binary(size);
  unsigned char* data = binary.data();
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr);
  clReleaseProgram(program);
  program = clCreateProgramWithBinary(context, 1, &device, &size, const_cast<const unsigned char**>(&data),
                                      nullptr, nullptr);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "build of a binary");
  clReleaseProgram(program);
  clReleaseContext(context);
}

} // namespace

int main(int count, char** arguments) {
  require(count >= 2, "usage: test_impostors WAY [LIBRARY]");
  const std::string_view way = arguments[1];
  const char* library = count > 2 ? arguments[2] : nullptr;
  if (way == "loaded") use(dlsym(RTLD_DEFAULT, "use_impostors"));
  if (way == "proxy") require(dlsym(RTLD_DEFAULT, "__TBB_malloc_proxy"), "malloc() is replaced");
  if (way == "before_local") load_and_use(library, RTLD_LOCAL);
  if (way == "before_global") load_and_use(library, RTLD_GLOBAL);
  cl_device_id device = test::chosen_device();
  if (way == "after_local") load_and_use(library, RTLD_LOCAL);
  if (way == "after_global") load_and_use(library, RTLD_GLOBAL);
  run_on_several_threads(device);
  look_at_the_machine_and_at_binaries(device);
  std::printf("the driver uses libraries of its own\n");
  return 0;
}
