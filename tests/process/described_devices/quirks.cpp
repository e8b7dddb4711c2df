// Quirks of described devices: sizes of work-groups, the order of work-groups, and late callbacks. Each case runs in a
// process of its own.

#include "process/described_devices/described.hpp"
#include "support/catch.hpp"
#include "support/poll.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

using namespace test;

#define CALL(...) [] { return __VA_ARGS__; }

TEST_CASE("HOSTCL_DEVICE: a kernel has as many work-items per group as the registers suffice for",
          "[described_devices]") {
  const DescriptionFile file("", R"(, "quirks": {"registers": {"per_group": 1024, "least": 16}})");
  CHECK(code_of(file.name(), CALL(launch_of({64}, {64}))) == CL_SUCCESS);
  CHECK(code_of(file.name(), CALL(launch_of({128}, {128}))) == -CL_INVALID_WORK_GROUP_SIZE);
  CHECK(code_of(file.name(), CALL(launch_of({128}, {}))) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: registers suffice for a multiple of the preferred number of work-items",
          "[described_devices]") {
  const auto most_of = [](const std::string& registers) {
    const DescriptionFile file(
        "'CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE': 32, 'CL_DEVICE_MAX_WORK_GROUP_SIZE': 1024",
        R"(, "quirks": {"registers": {)" + registers + "}}");
    return code_of(file.name(), [] {
      const Described d;
      size_t most = 0;
      require(clGetKernelWorkGroupInfo(d.kernel(nothing), d.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                       &most, nullptr) == CL_SUCCESS,
              "the size of work-groups");
      return -static_cast<cl_int>(most / 32 * 32 == most ? most / 32 : 0);
    });
  };
  CHECK(most_of(R"("per_group": 65536, "least": 255, "most": 255)") == 8); // 65536 / 255 is 257
  CHECK(most_of(R"("per_group": 512, "least": 32)") == 1);
  CHECK(most_of("") == 32);
}

TEST_CASE("HOSTCL_DEVICE: kernels on the device get the sizes of work-groups that are enforced",
          "[described_devices]") {
  const DescriptionFile file("'CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE': 4",
                             R"(, "quirks": {"registers": {"per_group": 256, "least": 16}})");
  const auto sizes = [] {
    const Described d;
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    require(clCreateCommandQueueWithProperties(d.context, d.device, list, nullptr), "a queue on the device");
    cl_kernel kernel = d.kernel(R"(
      kernel void k(global int* a) {
        void (^block)(void) = ^{ atomic_inc((volatile global int*)a); };
        const uint most = get_kernel_work_group_size(block);
        a[1] = most;
        a[2] = get_kernel_preferred_work_group_size_multiple(block);
        a[3] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(most, most), block);
        a[4] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(2 * most, 2 * most), block);
      })");
    cl_int values[5] = {};
    cl_mem buffer = clCreateBuffer(d.context, CL_MEM_COPY_HOST_PTR, sizeof values, values, nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    require(d.launch(kernel, {1}, {1}) == CL_SUCCESS, "a launch");
    require(clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr) ==
                CL_SUCCESS,
            "the values");
    require(values[1] == 16, "the size of work-groups");
    require(values[2] == 4, "the preferred multiple");
    require(values[0] == 16 && values[3] == 0, "a work-group of this size runs");
    require(values[4] != 0, "a larger work-group does not run");
    return CL_SUCCESS;
  };
  CHECK(code_of(file.name(), sizes) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: in a context with several devices, a launch has the quirks of its own device",
          "[described_devices]") {
  const DescriptionFile plain("'CL_DEVICE_NAME': 'plain'");
  const DescriptionFile odd(
      "'CL_DEVICE_NAME': 'odd', 'CL_DEVICE_PRINTF_BUFFER_SIZE': 16",
      R"(, "quirks": {"group_order": "reverse", "printf_buffer": true, "callback_delay_us": 1000000})");
  const auto quirks = [] {
    const auto list = devices();
    cl_context context = clCreateContext(nullptr, 2, list.data(), nullptr, nullptr, nullptr);
    cl_program program = test::make_program(
        context,
        "kernel void k(global int* a) { a[get_group_id(0)] = atomic_inc((volatile global int*)a + 8);\n"
        "  if (get_group_id(0) == 0) a[9] = printf(\"more than the buffer holds\\n\"); }");
    require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    for (cl_device_id device : list) {
      const bool is_odd = text_of(device, CL_DEVICE_NAME) == "odd";
      cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
      cl_int values[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
      cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, nullptr);
      clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
      const size_t groups = 8, one = 1;
      cl_event event = nullptr;
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &groups, &one, 0, nullptr, &event);
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr);
      require(values[8] == 8 && values[is_odd ? 7 : 0] == 0, "the order of work-groups");
      require(values[9] == (is_odd ? -1 : 0), "the buffer of printf");
      const auto is_late = [&] {
        const auto begin = std::chrono::steady_clock::now();
        std::atomic<bool> is_called = false;
        clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int, void* called) { *static_cast<std::atomic<bool>*>(called) = true; },
            &is_called);
        require(test::becomes([&] { return is_called.load(); }), "a call of the callback");
        return std::chrono::steady_clock::now() - begin >= std::chrono::seconds(1);
      };
      // A busy machine may make some callbacks late, but not all.
      bool are_late = is_late();
      for (int tries = 0; are_late && !is_odd && tries < 10; ++tries)
        are_late = is_late();
      require(are_late == is_odd, "the time of callbacks");
    }
    return CL_SUCCESS;
  };
  CHECK(code_of(plain.name() + "," + odd.name(), quirks) == CL_SUCCESS);
  CHECK(code_of(odd.name() + "," + plain.name(), quirks) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: one thread calls all late callbacks, in order, and so it does in a child of fork()",
          "[described_devices]") {
  const DescriptionFile file("", R"(, "quirks": {"callback_delay_us": 500000})");
  const auto callbacks = [] {
    constexpr std::uintptr_t count = 400;
    // Without a lock, which a child of fork() could find held.
    static std::array<std::uintptr_t, count> called;
    static std::atomic<std::size_t> calls = 0;
    const auto await = [&](std::size_t number) {
      require(test::becomes([&] { return calls >= number; }), "calls of the callbacks");
    };
    const auto threads = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    };
    setenv("HOSTCL_THREADS", "2", 1);
    const Described d;
    const auto add = [&](std::uintptr_t number) {
      cl_event event = nullptr;
      clEnqueueMarkerWithWaitList(d.queue, 0, nullptr, &event);
      clSetEventCallback(
          event, CL_COMPLETE,
          [](cl_event, cl_int, void* argument) {
            called[calls] = reinterpret_cast<std::uintptr_t>(argument);
            ++calls;
          },
          reinterpret_cast<void*>(number));
      require(clFinish(d.queue) == CL_SUCCESS, "the end of a marker");
      clReleaseEvent(event);
    };
    for (std::uintptr_t i = 0; i < count; ++i)
      add(i);
    require(threads() < 100, "few threads");
    const auto in_fork = [&] {
      calls = 0;
      add(count);
      await(1);
      add(count + 1);
      await(2);
      return calls == 2 && called[0] == count && called[1] == count + 1 ? 0 : 1;
    };
    require(in_child(in_fork) == 0, "the callbacks of a child, and no others");
    await(count);
    for (std::uintptr_t i = 0; i < count; ++i)
      require(called[i] == i, "the order of callbacks");
    return CL_SUCCESS;
  };
  CHECK(code_of(file.name(), callbacks) == CL_SUCCESS);
}
