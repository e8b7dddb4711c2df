// What the driver computes on the application's threads and on its own does not depend on how the application rounds, and
// the application's threads round as before afterwards.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

const char* const source = R"(
kernel void compute(global float* o) {
  size_t i = get_global_id(0);
  float x = i * 1.1f;
  o[i] = x / 3 + sin(0.7f) + exp(x * 0.01f);
}
kernel void say() {
  for (int i = 0; i < 8; i++)
    printf("%.1f %.3e %a %g %.0f|", 0.25f + i, (i + 1) / 3.0f, (i + 1) / 7.0f, i * 1e-40f, i + 0.5);
}
)";

constexpr size_t side = 8, pixels = side * side;

struct Queue {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

Queue made_queue() {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  return {context, clCreateCommandQueueWithProperties(context, device, nullptr, nullptr), nullptr};
}

void build(Queue& host) {
  host.program =
      clCreateProgramWithSource(host.context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  if (clBuildProgram(host.program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) _exit(3);
}

/// Waits for all commands: on this thread, or for a thread of the driver, which is told to begin.
void finish(const Queue& host, bool in_background, cl_event last) {
  cl_int status = CL_QUEUED;
  if (in_background) clFlush(host.queue);
  while (in_background && status > CL_COMPLETE)
    clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (clFinish(host.queue) != CL_SUCCESS) _exit(3);
  clReleaseEvent(last);
}

void append_image(const Queue& host, cl_channel_type type, cl_channel_order order, std::string& results) {
  const cl_image_format format{order, type};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = side;
  cl_mem image = clCreateImage(host.context, CL_MEM_READ_WRITE, &format, &description, nullptr, nullptr);
  const float colour[4] = {0.1234f, 0.5f, 1e-39f, 0.999f};
  const size_t origin[3] = {}, region[3] = {side, side, 1};
  if (clEnqueueFillImage(host.queue, image, colour, origin, region, 0, nullptr, nullptr) != CL_SUCCESS)
    _exit(3);
  std::string texels(pixels * 16, '\0');
  clEnqueueReadImage(host.queue, image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr, nullptr);
  results += texels;
  clReleaseMemObject(image);
}

/// All that is computed, and what the kernel prints.
std::string computed(const Queue& host, bool in_background) {
  std::string results;
  append_image(host, CL_UNORM_INT8, CL_RGBA, results);
  append_image(host, CL_HALF_FLOAT, CL_RGBA, results);
  append_image(host, CL_SNORM_INT16, CL_RGBA, results);
  append_image(host, CL_UNORM_INT8, CL_sRGBA, results);

  std::vector<float> numbers(pixels);
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, pixels * sizeof(float), nullptr, nullptr);
  cl_kernel compute = clCreateKernel(host.program, "compute", nullptr);
  cl_kernel say = clCreateKernel(host.program, "say", nullptr);
  clSetKernelArg(compute, 0, sizeof buffer, &buffer);
  std::FILE* file = std::tmpfile();
  const int standard_output = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  const size_t one = 1;
  cl_event last;
  clEnqueueNDRangeKernel(host.queue, compute, 1, nullptr, &pixels, nullptr, 0, nullptr, nullptr);
  clEnqueueNDRangeKernel(host.queue, say, 1, nullptr, &one, nullptr, 0, nullptr, &last);
  finish(host, in_background, last);
  dup2(standard_output, STDOUT_FILENO);
  std::string text(1000, '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(pread(fileno(file), text.data(), text.size(), 0), 0)));
  clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, pixels * sizeof(float), numbers.data(), 0, nullptr,
                      nullptr);
  results.append(reinterpret_cast<const char*>(numbers.data()), pixels * sizeof(float));
  return results + text;
}

struct Rounding {
  const char* name;
  void (*set)();
};

void set_x87_upward() {
#if defined(__x86_64__)
  unsigned short control = 0x0b7f; // without MXCSR
  asm volatile("fldcw %0" : : "m"(control));
#endif
}

constexpr Rounding roundings[] = {{"upward", [] { std::fesetround(FE_UPWARD); }},
                                  {"downward", [] { std::fesetround(FE_DOWNWARD); }},
                                  {"toward zero", [] { std::fesetround(FE_TOWARDZERO); }},
                                  {"upward on the x87 alone", set_x87_upward}};

enum class When { never, at_first, before_build, after_build };

/// The results of a process of its own, whose threads the driver starts anew. @returns nothing if it rounds another way
/// afterwards than it has set
std::string results_of(const Rounding& rounding, When when, bool in_background) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    int set_mode = std::fegetround();
    const auto set_at = [&](When here) {
      if (when != here) return;
      rounding.set();
      set_mode = std::fegetround();
    };
    set_at(When::at_first);
    Queue host = made_queue();
    set_at(When::before_build);
    build(host);
    set_at(When::after_build);
    const std::string results = computed(host, in_background);
    if (std::fegetround() != set_mode) _exit(4);
    std::fesetround(FE_TONEAREST);
    const ssize_t written = write(ends[1], results.data(), results.size());
    _exit(written == static_cast<ssize_t>(results.size()) ? 0 : 5);
  }
  close(ends[1]);
  std::string results;
  char part[4096];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
    results.append(part, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? results : std::string();
}

} // namespace

int main() {
  int failures = 0;
  for (const bool in_background : {false, true}) {
    const std::string expected = results_of(roundings[0], When::never, in_background);
    if (expected.empty()) return 1;
    for (const Rounding& rounding : roundings)
      for (const When when : {When::at_first, When::before_build, When::after_build})
        if (results_of(rounding, when, in_background) != expected) {
          std::cerr << "failed: " << rounding.name << ", set at time " << static_cast<int>(when)
                    << (in_background ? ", in the background\n" : "\n");
          ++failures;
        }
  }
  return failures;
}
