// Many kernels from kernels: numbers, trees, several launches at once, and what ends meanwhile

#include "support/choice.hpp"
#include "support/device_queue.hpp"

#include <atomic>
#include <thread>

namespace {

using Ints = std::vector<cl_int>;

constexpr const char* fan = R"(
  kernel void k(global int* o) {
    const int i = get_global_id(0);
    for (int t = 0; t < 20; ++t) {
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{
        atomic_inc((volatile global int*)o + 1 + i);
      }) != CLK_SUCCESS) return;
      atomic_inc((volatile global int*)o);
    }
  })";

} // namespace

TEST_CASE("Children: 20,000 of one launch, each once", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto results = session.results(fan, 1001, 1000);
  CHECK(results[0] == 20'000);
  size_t wrong = 0;
  for (size_t i = 1; i < results.size(); ++i)
    wrong += results[i] != 80;
  CHECK(wrong == 0);
}

TEST_CASE("Children: a tree with 3^9 leaves, whose root is complete when they are", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  for (const char* flags : {"NO_WAIT", "WAIT_KERNEL", "WAIT_WORK_GROUP"}) {
    const std::string source = std::string(R"(
      void grow(global int* o, int level) {
        if (level == 0) atomic_inc((volatile global int*)o);
        else
          for (int i = 0; i < 3; ++i)
            if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_)") +
                               flags + R"(, ndrange_1D(1), ^{ grow(o, level - 1); }) != CLK_SUCCESS)
              o[1] = level;
      }
      kernel void k(global int* o) { grow(o, 9); })";
    CAPTURE(flags);
    CHECK(session.results(source.c_str(), 2) == Ints{19683, 0});
  }
}

TEST_CASE("Children: a tree with far more nodes than the queue has space for", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session(0, 32 << 10);
  const auto results = session.results(R"(
    void grow(global int* o, int level) {
      if (level == 0) atomic_inc((volatile global int*)o);
      else
        for (int i = 0; i < 3; ++i)
          if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                             ^{ grow(o, level - 1); }) != CLK_SUCCESS) {
            int leaves = 1;
            for (int l = 1; l < level; ++l) leaves *= 3;
            atomic_add((volatile global int*)o + 1, leaves);
          }
    }
    kernel void k(global int* o) { grow(o, 10); })",
                                       2);
  // Leaves that ran, and those that were refused space: there are no others.
  CHECK(results[0] + results[1] == 59049);
  // One thread goes on with the newest child, so that about thirty exist at a time, and all have space. Of several threads
  // each may be in another part of the tree.
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) == 1) CHECK(results[1] == 0);
}

TEST_CASE("Children: a chain of 100,000, each enqueued by the one before", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    void step(global int* o) {
      if (++o[0] < 100000)
        o[1] |= enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ step(o); });
    }
    kernel void k(global int* o) { step(o); })",
                        2) == Ints{100'000, 0});
}

TEST_CASE("Children: a chain of 20,000 events that are all ready to follow each other", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t before = create_user_event(), first = before;
      for (int i = 0; i < 20000; ++i) {
        clk_event_t after;
        o[1] |= i % 2 ? enqueue_marker(q, 1, &before, &after)
                      : enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &before, &after, ^{ ++o[0]; });
        if (i) release_event(before);
        before = after;
      }
      release_event(before);
      set_user_event_status(first, CL_COMPLETE);
      release_event(first);
    })",
                        2) == Ints{10'000, 0});
}

TEST_CASE("Children: long ones use all threads, and short ones run beside them", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto results = session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      for (int t = 0; t < 8; ++t) {
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100000), ^{
          int x = get_global_id(0);
          for (int i = 0; i < 200; ++i) x = x * 1664525 + 1013904223;
          if (x != 12345) atomic_inc((volatile global int*)o);
        });
        for (int s = 0; s < 50; ++s)
          enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3), ^{ atomic_inc((volatile global int*)o + 1); });
      }
    })",
                                       2);
  CHECK(results[0] >= 800'000 - 8);
  CHECK(results[1] == 1200);
}

TEST_CASE("Children: launches from several threads, in several queues", "[many_children]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto program = session.build(fan, "-cl-std=CL3.0");
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      cl_int error = 1;
      const test::Queue queue(
          clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
      const test::Kernel kernel(clCreateKernel(program, "k", &error));
      for (int iteration = 0; iteration < 10; ++iteration) {
        Ints zeros(101);
        const test::Buffer out(
            clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, zeros.size() * 4, zeros.data(), &error));
        const cl_mem handle = out;
        const size_t items = 100;
        clSetKernelArg(kernel, 0, sizeof handle, &handle);
        wrong += clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) != 0;
        wrong += clEnqueueReadBuffer(queue, out, CL_TRUE, 0, zeros.size() * 4, zeros.data(), 0, nullptr,
                                     nullptr) != 0;
        wrong += zeros[0] != 2000;
        for (size_t i = 1; i < zeros.size(); ++i)
          wrong += zeros[i] != 80;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("Children: they keep program, buffers and queues that the application has released",
          "[many_children]") {
  if (test::has_guests()) return; // without a map, the host_ptr keeps its contents there
  if (!test::has_device_queues()) return;
  std::vector<cl_int> memory(1024);
  {
    test::EnqueueSession session;
    const auto out = session.buffer(memory.size() * 4, CL_MEM_USE_HOST_PTR, memory.data());
    auto kernel = session.kernel(R"(
      void step(global int* o, int i) {
        o[i] = i + 1;
        if (i < 1023)
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ step(o, i + 1); });
      }
      kernel void k(global int* o) { step(o, 0); })",
                                 "k", "-cl-std=CL3.0");
    test::set_arguments(kernel, out);
    const auto start = test::user_event(session.context);
    const cl_event wait = start;
    const size_t one = 1;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &wait, nullptr));
    kernel.reset();
    session.device_queue.reset();
    REQUIRE_CL(clSetUserEventStatus(start, CL_COMPLETE));
    REQUIRE_CL(clFinish(session.queue));
  }
  size_t wrong = 0;
  for (size_t i = 0; i < memory.size(); ++i)
    wrong += memory[i] != cl_int(i + 1);
  CHECK(wrong == 0);
}

TEST_CASE("Children: in sub-devices", "[many_children]") {
  if (!test::has_device_queues()) return;
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) < 2) return;
  const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id parts[2];
  REQUIRE_CL(clCreateSubDevices(test::device(), by_counts, 2, parts, nullptr));
  const test::Device first(parts[0]), second(parts[1]);
  cl_int error = 1;
  const test::Context context(clCreateContext(nullptr, 2, parts, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  const auto queue_on = [&](cl_device_id device, cl_command_queue_properties given) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, given, 0};
    test::Queue queue(clCreateCommandQueueWithProperties(context, device, properties, &error));
    REQUIRE_CL(error);
    return queue;
  };
  const auto host = queue_on(first, 0);
  const auto own = queue_on(first, test::on_device | CL_QUEUE_ON_DEVICE_DEFAULT);
  const auto other = queue_on(second, test::on_device | CL_QUEUE_ON_DEVICE_DEFAULT);
  const char* source = R"(
    kernel void k(queue_t other, global int* o) {
      o[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000), ^{
        atomic_inc((volatile global int*)o + 1);
      });
      o[2] = enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[3] = 1; });
    })";
  const test::Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0 -g", nullptr, nullptr));
  const test::Kernel kernel(clCreateKernel(program, "k", &error));
  Ints results(4);
  const test::Buffer out(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 16, results.data(), &error));
  test::set_arguments(kernel, other.get(), out);
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(host, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueReadBuffer(host, out, CL_TRUE, 0, 16, results.data(), 0, nullptr, nullptr));
  CHECK(results == Ints{0, 1000, -102, 0});
}
