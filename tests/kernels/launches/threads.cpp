// Many threads at once. OpenCL calls are thread-safe but for clSetKernelArg and friends on one kernel object
// (OpenCL 3.0 API, appendix A.2). These cases are the ones to run under ThreadSanitizer.

#include "support/session.hpp"

#include <atomic>
#include <functional>
#include <thread>

namespace {

constexpr const char* source =
    "kernel void k(global int* v, int x) { atomic_add(v + get_global_id(0) % 16, x); }";

/// Runs the function on so many threads at once and returns how many of them returned false.
/// Catch's own checks are not for other threads.
int failures(int threads, const std::function<bool(int)>& function) {
  std::atomic<int> failed = 0;
  std::vector<std::thread> pool;
  for (int i = 0; i < threads; ++i)
    pool.emplace_back([&, i] { failed += !function(i); });
  for (std::thread& thread : pool)
    thread.join();
  return failed;
}

struct Objects {
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  ~Objects() {
    if (kernel) clReleaseKernel(kernel);
    if (program) clReleaseProgram(program);
  }
  bool make(cl_context context, const char* text, const char* options = "") {
    cl_int error = 0;
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    if (error != CL_SUCCESS || clBuildProgram(program, 0, nullptr, options, nullptr, nullptr) != CL_SUCCESS)
      return false;
    kernel = clCreateKernel(program, "k", &error);
    return error == CL_SUCCESS;
  }
};

bool launch(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_int x, size_t size = 64) {
  return clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
         clSetKernelArg(kernel, 1, sizeof x, &x) == CL_SUCCESS &&
         clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) == CL_SUCCESS;
}

} // namespace

TEST_CASE("Threads: many on one queue, a kernel each", "[threads]") {
  for (cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const test::Session session(properties);
    const auto program = session.build(source);
    auto buffer = session.buffer(std::vector<cl_int>(16, 0));
    CHECK(failures(8, [&](int) {
            cl_int error = 0;
            test::Kernel kernel(clCreateKernel(program, "k", &error));
            for (int i = 0; i < 200; ++i)
              if (!launch(session.queue, kernel, buffer, 1)) return false;
            return clFinish(session.queue) == CL_SUCCESS;
          }) == 0);
    CHECK(session.read<cl_int>(buffer, 16) == std::vector<cl_int>(16, 8 * 200 * 4));
  }
}

TEST_CASE("Threads: a queue each, in one context", "[threads]") {
  const test::Session session;
  const auto program = session.build(source);
  CHECK(failures(8, [&](int thread) {
          cl_int error = 0;
          const test::Queue queue(
              clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
          const test::Kernel kernel(clCreateKernel(program, "k", &error));
          std::vector<cl_int> zeros(16, 0);
          const test::Buffer buffer(
              clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, 64, zeros.data(), &error));
          for (int i = 0; i < 100; ++i)
            if (!launch(queue, kernel, buffer, thread)) return false;
          clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, zeros.data(), 0, nullptr, nullptr);
          return zeros == std::vector<cl_int>(16, thread * 400);
        }) == 0);
}

TEST_CASE("Threads: programs build at once, each its own", "[threads]") {
  const test::Session session;
  CHECK(failures(6, [&](int thread) {
          for (int i = 0; i < 5; ++i) {
            Objects objects;
            const std::string options = "-DX=" + std::to_string(thread * 100 + i);
            if (!objects.make(session.context,
                              "kernel void k(global int* v, int x) { v[get_global_id(0)] = X + x; }",
                              options.c_str()))
              return false;
            cl_int error = 0, value = 0;
            const test::Buffer buffer(clCreateBuffer(session.context, 0, 256, nullptr, &error));
            const test::Queue queue(
                clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
            if (!launch(queue, objects.kernel, buffer, 7)) return false;
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
            if (value != thread * 100 + i + 7) return false;
          }
          return true;
        }) == 0);
}

TEST_CASE("Threads: builds, launches and releases at once", "[threads]") {
  const test::Session session;
  CHECK(failures(6, [&](int thread) {
          for (int i = 0; i < 20; ++i) {
            if (thread % 2) {
              Objects objects;
              if (!objects.make(session.context, source)) return false;
              cl_int error = 0;
              const test::Buffer buffer(clCreateBuffer(session.context, 0, 64, nullptr, &error));
              if (!launch(session.queue, objects.kernel, buffer, 1, 1 << 12)) return false;
            } else {
              const test::Buffer buffer(clCreateBuffer(session.context, 0, 4096, nullptr, nullptr));
              const cl_int pattern = i;
              cl_event event = nullptr;
              if (clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, &event) !=
                  CL_SUCCESS)
                return false;
              clReleaseEvent(event);
            }
          }
          return clFlush(session.queue) == CL_SUCCESS;
        }) == 0);
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Threads: the first use of a kernel comes from many at once", "[threads]") {
  for (int iteration = 0; iteration < 10; ++iteration) {
    const test::Session session;
    const auto program = session.build(source);
    auto buffer = session.buffer(std::vector<cl_int>(16, 0));
    CHECK(failures(6, [&](int) {
            cl_int error = 0;
            const test::Kernel kernel(clCreateKernel(program, "k", &error));
            const test::Queue queue(
                clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
            return launch(queue, kernel, buffer, 1) && clFinish(queue) == CL_SUCCESS;
          }) == 0);
    CHECK(session.read<cl_int>(buffer, 16) == std::vector<cl_int>(16, 24));
  }
}

TEST_CASE("Threads: many wait for one event", "[threads]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    clSetUserEventStatus(gate, CL_COMPLETE);
  });
  CHECK(failures(8, [&](int) {
          const cl_event handle = gate;
          return clWaitForEvents(1, &handle) == CL_SUCCESS;
        }) == 0);
  setter.join();
}

TEST_CASE("Threads: references are counted by many at once", "[threads]") {
  const test::Session session;
  const auto program = session.build(source);
  const auto kernel = session.kernel(program, "k");
  auto buffer = session.buffer(64);
  CHECK(failures(8, [&](int) {
          for (int i = 0; i < 2000; ++i) {
            clRetainContext(session.context);
            clRetainMemObject(buffer);
            clRetainKernel(kernel);
            clRetainProgram(program);
            clReleaseKernel(kernel);
            clReleaseProgram(program);
            clReleaseMemObject(buffer);
            clReleaseContext(session.context);
          }
          return true;
        }) == 0);
  cl_uint count = 0;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr));
  CHECK(count == 1);
}

TEST_CASE("Threads: contexts come and go at once", "[threads]") {
  test::device();
  CHECK(failures(6, [&](int) {
          for (int i = 0; i < 30; ++i) {
            const cl_device_id id = test::device();
            cl_int error = 0;
            const test::Context context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, &error));
            const test::Queue queue(clCreateCommandQueueWithProperties(context, id, nullptr, &error));
            const test::Buffer buffer(clCreateBuffer(context, 0, 4096, nullptr, &error));
            const cl_int pattern = i;
            if (clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, nullptr) != CL_SUCCESS ||
                clFinish(queue) != CL_SUCCESS)
              return false;
          }
          return true;
        }) == 0);
}

TEST_CASE("Threads: events chain over the queues of many threads", "[threads]") {
  const test::Session session;
  std::vector<test::Event> gates(8);
  for (test::Event& gate : gates)
    gate = test::user_event(session.context);
  CHECK(failures(8, [&](int thread) {
          cl_int error = 0;
          const test::Queue queue(
              clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
          const cl_event wait = gates[thread];
          test::Event event;
          if (clEnqueueMarkerWithWaitList(queue, 1, &wait, event.address()) != CL_SUCCESS) return false;
          if (thread > 0) {
            const cl_event handle = gates[thread];
            clSetUserEventStatus(gates[thread - 1], CL_COMPLETE);
            if (thread == 7) clSetUserEventStatus(gates[7], CL_COMPLETE);
            clWaitForEvents(1, &handle);
          }
          return clFinish(queue) == CL_SUCCESS;
        }) == 0);
}
