// Ways in which a process with an OpenCL driver ends, or goes on as two. It must neither hang nor crash.
// usage: test_exit return | exit | quick_exit | abort | in_flight | thread | fork | fork_child | fork_busy

#include "support/choice.hpp"

#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// A context with a queue, and a kernel whose work takes about a second.
struct World {
  cl_device_id device = test::chosen_device();
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem buffer = nullptr;

  World() : World("") {}
  /// @param prologue makes the program another one than those that are known
  explicit World(const std::string& prologue) {
    const std::string text = prologue + "kernel void k(global uint* v, uint n) {"
                                        "  uint x = get_global_id(0) + 1;"
                                        "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;"
                                        "  v[get_global_id(0)] = x; }";
    const char* source = text.c_str();
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    kernel = clCreateKernel(program, "k", nullptr);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096 * 4, nullptr, nullptr);
    clReleaseProgram(program);
  }
  bool enqueue(cl_uint rounds) {
    const size_t size = 4096;
    return clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
           clSetKernelArg(kernel, 1, sizeof rounds, &rounds) == CL_SUCCESS &&
           clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) ==
               CL_SUCCESS;
  }
  void release() {
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
  bool run() { return enqueue(10) && clFinish(queue) == CL_SUCCESS; }
};

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The child of a process that uses OpenCL does other things and ends; the parent goes on.
int fork_and_go_on() {
  World world;
  if (!world.run()) return 1;
  const pid_t child = fork();
  if (child == 0) std::exit(0); // runs the exit handlers of a process whose threads are gone
  const int status = wait_for(child);
  return status == 0 && world.run() ? 0 : 1;
}

/// The parent uses OpenCL only after the fork, and so does the child.
int fork_first() {
  const pid_t child = fork();
  World world;
  const bool good = world.run();
  if (child == 0) return good ? 0 : 1;
  return wait_for(child) == 0 && good ? 0 : 1;
}

/// Builds, runs and forgets programs until it goes.
class Busy {
public:
  Busy() : thread_([this] { work(); }) {}
  ~Busy() {
    is_over_ = true;
    thread_.join();
  }
  Busy(const Busy&) = delete;

private:
  void work() {
    static std::atomic<unsigned> number = 0;
    while (!is_over_) {
      World world("constant uint number = " + std::to_string(number++) + ";\n");
      world.run();
      world.release();
    }
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// Children use OpenCL that were made while other threads of the parent did. Loaders cannot be cut in half
/// while they load drivers, and so that is done before.
int fork_busy() {
  test::chosen_device();
  Busy first, second;
  for (int i = 0; i < 150; ++i) {
    usleep(static_cast<useconds_t>(500 + 397 * (i % 20)));
    const pid_t child = fork();
    if (child == 0) {
      alarm(30); // a child that hangs
      std::_Exit(World("// child " + std::to_string(i) + "\n").run() ? 0 : 1);
    }
    if (wait_for(child) != 0) {
      std::fprintf(stderr, "child %d\n", i);
      return 1;
    }
  }
  return 0;
}

} // namespace

int main(int count, char** arguments) {
  const std::string_view way = count == 2 ? arguments[1] : "";
  if (way == "fork") return fork_and_go_on();
  if (way == "fork_child") return fork_first();
  if (way == "fork_busy") return fork_busy();

  static World* world = new World; // never released, as many applications do it
  if (way == "thread") {
    std::thread([] { world->run(); }).join();
    return 0;
  }
  if (!world->run()) return 1;
  if (way == "return") return 0;
  if (way == "exit") std::exit(0);
  if (way == "quick_exit") std::_Exit(0);
  if (way == "abort") std::abort();
  if (way == "in_flight") {
    for (int i = 0; i < 10; ++i)
      world->enqueue(20000);
    clFlush(world->queue);
    return 0;
  }
  std::fprintf(stderr, "unknown way: %s\n", arguments[1]);
  return 1;
}
