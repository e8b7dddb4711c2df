// Objects may be released in any order, also with work in flight

#include "support/choice.hpp"
#include "support/session.hpp"

namespace {

constexpr const char* source = "kernel void k(global int* v, int x) { v[get_global_id(0)] += x; }";
constexpr size_t items = 1 << 16;

} // namespace

TEST_CASE("Lifetime: everything is released before the work ends", "[lifetime]") {
  std::vector<cl_int> memory(items, 1);
  test::Event event;
  {
    test::Session session;
    const auto gate = test::user_event(session.context);
    {
      auto buffer = session.buffer(items * 4, CL_MEM_USE_HOST_PTR, memory.data());
      const auto program = session.build(source);
      const auto kernel = session.kernel(program, "k");
      test::set_arguments(kernel, buffer, cl_int(2));
      const cl_event wait = gate;
      REQUIRE_CL(
          clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 1, &wait, nullptr));
      void* mapped = clEnqueueMapBuffer(session.queue, buffer, CL_FALSE, CL_MAP_READ, 0, items * 4, 0,
                                        nullptr, event.address(), nullptr);
      REQUIRE(mapped == memory.data());
    }
    REQUIRE_CL(clFlush(session.queue));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  }
  const cl_event handle = event;
  REQUIRE_CL(clWaitForEvents(1, &handle));
  CHECK(memory == std::vector<cl_int>(items, 3));
}

TEST_CASE("Lifetime: every order of releases is fine", "[lifetime]") {
  int order[] = {0, 1, 2, 3, 4};
  do {
    test::Session session;
    auto program = session.build(source);
    auto kernel = session.kernel(program, "k");
    auto buffer = session.buffer(std::vector<cl_int>(64, 0));
    test::set_arguments(kernel, buffer, cl_int(1));
    const size_t size = 64;
    REQUIRE_CL(
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
    for (int which : order) {
      if (which == 0) session.context.reset();
      if (which == 1) session.queue.reset();
      if (which == 2) program.reset();
      if (which == 3) kernel.reset();
      if (which == 4) buffer.reset();
    }
  } while (std::next_permutation(order, order + 5));
}

TEST_CASE("Lifetime: a kernel outlives the handle of its program", "[lifetime]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k"); // the program's handle is gone already
  auto buffer = session.buffer(std::vector<cl_int>(64, 1));
  test::set_arguments(kernel, buffer, cl_int(4));
  session.run(kernel, 64);
  CHECK(session.read<cl_int>(buffer, 64) == std::vector<cl_int>(64, 5));
}

TEST_CASE("Lifetime: an argument's buffer may be released once the kernel is enqueued", "[lifetime]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  for (int i = 0; i < 100; ++i) {
    auto buffer = session.buffer(items * 4);
    test::set_arguments(kernel, buffer, cl_int(i));
    REQUIRE_CL(
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Lifetime: what an event names can be used when the application has no other handle of it",
          "[lifetime]") {
  test::Event event;
  {
    const test::Session session;
    REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
    REQUIRE_CL(clFinish(session.queue));
  }
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  size_t bytes = 0;
  CHECK_CL(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr));
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
  CHECK_CL(clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes));
  CHECK(bytes == sizeof(cl_device_id));
  REQUIRE_CL(clRetainContext(context)); // as language bindings do with what a query returns
  REQUIRE_CL(clRetainCommandQueue(queue));
  CHECK_CL(clFinish(queue));
  CHECK_CL(clReleaseCommandQueue(queue));
  CHECK_CL(clReleaseContext(context));
}

TEST_CASE("Lifetime: what a kernel, a queue and a buffer name can be used and retained", "[lifetime]") {
  test::Queue queue;
  test::Kernel kernel;
  test::Buffer buffer;
  {
    const test::Session session;
    kernel = session.kernel(source, "k");
    buffer = session.buffer(64);
    queue = test::make_queue(session.context);
  }
  cl_context contexts[3] = {};
  cl_program program = nullptr;
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr));
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(cl_context), &contexts[0], nullptr));
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(cl_context), &contexts[1], nullptr));
  CHECK_CL(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &contexts[2], nullptr));
  for (cl_context context : contexts) {
    REQUIRE_CL(clRetainContext(context));
    cl_int error = 1;
    const test::Buffer more(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error));
    CHECK_CL(error);
    CHECK_CL(clReleaseContext(context));
  }
  REQUIRE_CL(clRetainProgram(program));
  cl_int error = 1;
  const test::Kernel second(clCreateKernel(program, "k", &error));
  CHECK_CL(error);
  CHECK_CL(clReleaseProgram(program));
}

TEST_CASE("Lifetime: a queue that waits for an event of the user is released", "[lifetime]") {
  if (test::has_guests()) return; // without a map, the host_ptr keeps its contents there
  test::Event gate;
  std::vector<cl_int> memory(1024, 0);
  test::Event event;
  {
    const test::Session session;
    gate = test::user_event(session.context);
    auto buffer = session.buffer(4096, CL_MEM_USE_HOST_PTR, memory.data());
    const cl_event wait = gate;
    const cl_int pattern = 9;
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 4096, 1, &wait, event.address()));
  }
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  const cl_event handle = event;
  CHECK_CL(clWaitForEvents(1, &handle));
  CHECK(memory == std::vector<cl_int>(1024, 9));
}
