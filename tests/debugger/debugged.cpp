// A program for debuggers: launches a kernel of a file, source or SPIR-V, and says whether its results are those of the
// same kernel without a debugger's form.
// usage: test_debugged FILE KERNEL GLOBAL LOCAL OPTIONS [WAY]
//   KERNEL   its parameters are (global const int*, global int*, int), or an image as the first one; the first has 3i+1
//   GLOBAL, LOCAL   X or X,Y or X,Y,Z
//   WAY      twice: from two programs; released: from a second program after the first is gone; pair: the kernel
//            "second" after it; threads: launches from four threads; fork: from a child as well

#include "support/choice.hpp"

#include <CL/cl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr cl_int elements = 64;
constexpr cl_int factor = 10; ///< the last argument

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

struct Shape {
  std::array<size_t, 3> sizes{1, 1, 1};
  cl_uint dimensions = 0;
};

Shape parsed(const char* text) {
  Shape shape;
  std::stringstream stream(text);
  for (std::string number; std::getline(stream, number, ',') && shape.dimensions < 3;)
    shape.sizes[shape.dimensions++] = std::stoul(number);
  return shape;
}

struct Launch {
  std::string source, kernel, options;
  Shape global, local;
  bool is_il;
};

/// A context with what a launch needs.
class Session {
public:
  explicit Session(const Launch& launch) : launch_(launch) {
    const cl_device_id device = test::chosen_device();
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, nullptr);
    expect(queue_ != nullptr, "queue");
    build(launch.options);
  }
  Session(const Session&) = delete;
  ~Session() {
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  void build(const std::string& options) {
    if (program_) clReleaseProgram(program_);
    const char* text = launch_.source.c_str();
    program_ = launch_.is_il ? clCreateProgramWithIL(context_, text, launch_.source.size(), nullptr)
                             : clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    expect(clBuildProgram(program_, 0, nullptr, options.c_str(), nullptr, nullptr) == CL_SUCCESS, "build");
  }

  std::vector<cl_int> run(const std::string& name) {
    std::vector<cl_int> input(elements), output(elements, -1);
    for (cl_int i = 0; i < elements; ++i)
      input[static_cast<size_t>(i)] = 3 * i + 1;
    const cl_kernel kernel = clCreateKernel(program_, name.c_str(), nullptr);
    expect(kernel != nullptr, "kernel");
    const cl_mem from = launch_.source.find("image2d_t") == std::string::npos ? buffer(input) : image(input);
    const cl_mem to = buffer(output);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    expect(clSetKernelArg(kernel, 2, sizeof factor, &factor) == CL_SUCCESS, "arguments");
    expect(clEnqueueNDRangeKernel(queue_, kernel, launch_.global.dimensions, nullptr,
                                  launch_.global.sizes.data(), launch_.local.sizes.data(), 0, nullptr,
                                  nullptr) == CL_SUCCESS,
           "launch");
    expect(clEnqueueReadBuffer(queue_, to, CL_TRUE, 0, elements * sizeof(cl_int), output.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS,
           "results");
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    return output;
  }

private:
  cl_mem buffer(std::vector<cl_int>& values) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.size() * sizeof(cl_int),
                          values.data(), nullptr);
  }
  cl_mem image(std::vector<cl_int>& values) {
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    cl_image_desc description = {};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 8;
    return clCreateImage(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description,
                         values.data(), nullptr);
  }

  const Launch& launch_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

std::string contents(const char* path) {
  std::ifstream file(path);
  expect(file.good(), path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void run_in_threads(const Launch& launch) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { Session(launch).run(launch.kernel); });
  for (std::thread& thread : threads)
    thread.join();
}

void run_in_child(const Launch& launch) {
  const pid_t child = fork();
  if (child == 0) {
    Session(launch).run(launch.kernel);
    _exit(0);
  }
  int status = 0;
  expect(waitpid(child, &status, 0) == child && status == 0, "the child");
}

} // namespace

int main(int count, char** arguments) {
  expect(count == 6 || count == 7, "usage: test_debugged FILE KERNEL GLOBAL LOCAL OPTIONS [WAY]");
  const Launch launch{contents(arguments[1]), arguments[2],
                      arguments[5],           parsed(arguments[3]),
                      parsed(arguments[4]),   std::string_view(arguments[1]).ends_with(".spv")};
  const std::string way = count == 7 ? arguments[6] : "";
  if (way == "threads") run_in_threads(launch);
  if (way == "fork") run_in_child(launch);
  Session session(launch);
  std::vector<cl_int> results = session.run(launch.kernel);
  if (way == "released") session.build(launch.options);
  std::optional<Session> second;
  if (way == "twice") second.emplace(launch);
  if (way == "released" || way == "twice")
    expect((second ? *second : session).run(launch.kernel) == results, "again");
  if (way == "pair") session.run("second");
  session.build("");
  expect(session.run(launch.kernel) == results, "results differ from those without debugging");
  std::puts("All results are right.");
  return 0;
}
