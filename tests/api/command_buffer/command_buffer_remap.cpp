// Command buffers that take other queues, and their copies for them (cl_khr_command_buffer_multi_device)

#include "support/command_buffer.hpp"
#include "support/several_queues.hpp"

#include <memory>
#include <random>
#include <thread>

namespace cb = test::cb;

namespace {

using namespace test::several_queues;

} // namespace

TEST_CASE("Several queues: other queues take their places, each of the same device",
          "[command_buffer_remap]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1), other_first = w.queue(0, out_of_order),
             other_second = w.queue(1, out_of_order);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  buffer.launch(w.step, 1, {buffer.launch(w.step, 1, {}, first)}, second);
  buffer.finalize();
  cl_command_queue queues[] = {other_first, other_second}, swapped[] = {other_second, other_first};
  REQUIRE_CL(cb::functions().enqueue(2, queues, buffer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(other_first));
  CHECK_CL(clFinish(other_second));
  CHECK(number(first, value) == 4);
  if (w.devices.size() > 1)
    CHECK_STATUS(cb::functions().enqueue(2, swapped, buffer, 0, nullptr, nullptr), CL_INVALID_DEVICE);
}

TEST_CASE("Several queues: threads that enqueue them in opposite orders do not wait for each other",
          "[command_buffer_remap]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  std::vector<test::Buffer> values;
  std::vector<cb::Buffer> buffers;
  for (int i = 0; i < 2; ++i) {
    values.push_back(w.zero());
    test::set_arguments(w.step, values.back(), cl_uint{1});
    std::vector<cl_command_queue> queues = {first, second};
    if (i) std::swap(queues[0], queues[1]);
    buffers.emplace_back(queues);
    std::vector<cb::Point> last;
    for (int j = 0; j < 6; ++j)
      last = {buffers.back().launch(w.step, 1, last, queues[size_t(j) % 2])};
    buffers.back().finalize();
  }
  const auto run = [&](size_t i) {
    for (int j = 0; j < 300; ++j) {
      if (cb::functions().enqueue(0, nullptr, buffers[i], 0, nullptr, nullptr) != CL_SUCCESS) return;
      if (j % 16 == 0) clFinish(i ? first : second);
    }
  };
  std::thread other(run, size_t{1});
  run(0);
  other.join();
  CHECK_CL(clFinish(first));
  CHECK_CL(clFinish(second));
  cl_uint expected = 0;
  for (int i = 0; i < 6 * 300; ++i)
    expected = expected * 3 + 1;
  for (const test::Buffer& value : values)
    CHECK(number(first, value) == expected);
}

TEST_CASE("clRemapCommandBufferKHR: the copy runs in other queues and is changed alone",
          "[command_buffer_remap]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first}, {cb::flags, cb::mutable_commands});
  test::set_arguments(w.step, value, cl_uint{1});
  const auto command = buffer.mutable_launch(w.step, 1);
  buffer.launch(w.step, 1);
  const bool finalized = GENERATE(true, false);
  if (finalized) buffer.finalize();
  const cl_command_queue target = second;
  cb::Command copied = nullptr;
  cl_int error = 1;
  const cb::Buffer copy(cb::functions().remap(buffer, CL_FALSE, 1, &target, 1, &command, &copied, &error));
  REQUIRE_CL(error);
  CHECK(copy.current_state() == buffer.current_state());
  CHECK(copied != command);
  cl_command_queue queue = nullptr;
  cb::Handle owner = nullptr;
  CHECK_CL(cb::functions().command_info(copied, cb::command_queue, sizeof queue, &queue, nullptr));
  CHECK(queue == target);
  CHECK_CL(cb::functions().command_info(copied, cb::command_buffer, sizeof owner, &owner, nullptr));
  CHECK(owner == copy);
  if (!finalized) {
    test::set_arguments(w.step, value, cl_uint{100});
    copy.launch(w.step, 1);
    copy.finalize();
    buffer.finalize();
  }
  CHECK_CL(test::wait(copy.enqueue_event()));
  CHECK(number(second, value) == (finalized ? 4 : 112));
  const cl_uint ten = 10;
  const cb::Argument argument{1, sizeof ten, &ten};
  cb::Config config;
  config.argument_count = 1;
  config.arguments = &argument;
  config.command = command;
  CHECK_STATUS(copy.try_update({config}), cb::invalid_mutable_command);
  config.command = copied;
  copy.update({config});
  CHECK_CL(test::wait(buffer.enqueue_event()));
  CHECK(number(second, value) == ((finalized ? 4 : 112) * 3 + 1) * 3 + 1);
}

TEST_CASE("clRemapCommandBufferKHR: automatic, for any number of queues", "[command_buffer_remap]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  std::vector<cb::Point> last;
  for (int i = 0; i < 7; ++i)
    last = {buffer.launch(w.step, 1, last, i % 3 ? second : first)};
  buffer.finalize();
  cl_uint expected = 0;
  for (const cl_uint count : {1u, 2u, 3u}) {
    std::vector<test::Queue> queues;
    std::vector<cl_command_queue> handles;
    for (cl_uint i = 0; i < count; ++i) {
      queues.push_back(w.queue(i + 1, i ? out_of_order : 0));
      handles.push_back(queues.back());
    }
    cl_int error = 1;
    const cb::Buffer copy(
        cb::functions().remap(buffer, CL_TRUE, count, handles.data(), 0, nullptr, nullptr, &error));
    REQUIRE_CL(error);
    CHECK_CL(test::wait(copy.enqueue_event()));
    for (int i = 0; i < 7; ++i)
      expected = expected * 3 + 1;
    CHECK(number(first, value) == expected);
  }
}

TEST_CASE("clRemapCommandBufferKHR: its errors", "[command_buffer_remap]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto first = w.queue(0);
  const auto value = w.zero();
  const cb::Buffer buffer({first}, {cb::flags, cb::mutable_commands}), empty({first});
  test::set_arguments(w.step, value, cl_uint{1});
  const auto command = buffer.mutable_launch(w.step, 1);
  cb::Command result = nullptr;
  const auto status = [&](cb::Handle of, cl_bool automatic, const std::vector<cl_command_queue>& queues,
                          cl_uint count = 0, const cb::Command* handles = nullptr,
                          cb::Command* made = nullptr) {
    cl_int error = 1;
    const cb::Buffer copy(cb::functions().remap(of, automatic, cl_uint(queues.size()),
                                                queues.empty() ? nullptr : queues.data(), count, handles,
                                                made, &error));
    CHECK((copy != nullptr) == (error == CL_SUCCESS));
    return error;
  };
  const cl_command_queue q = first;
  CHECK_STATUS(status(buffer, CL_FALSE, {}), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q, q}), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, nullptr, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, &command, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 0, &command, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(empty, CL_FALSE, {q}, 1, &command, &result), CL_INVALID_VALUE);
  const cb::Command none = nullptr;
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, &none, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {nullptr}), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {other.queue}), CL_INVALID_CONTEXT);
  CHECK(result == nullptr);
  CHECK_CL(status(buffer, CL_TRUE, {q, q}));
  if (w.devices.size() < 2) return;
  // Built for one part only, the kernel cannot move to the whole device.
  cl_int error = CL_SUCCESS;
  const char* text = source;
  const test::Program program(clCreateProgramWithSource(w.context, 1, &text, nullptr, &error));
  REQUIRE_CL(clBuildProgram(program, 1, &w.devices[1], "", nullptr, nullptr));
  const test::Kernel kernel(clCreateKernel(program, "step", &error));
  test::set_arguments(kernel, value, cl_uint{1});
  const auto part = w.queue(1);
  const cb::Buffer bound({part});
  bound.launch(kernel, 1);
  CHECK_STATUS(status(bound, CL_FALSE, {q}), CL_INVALID_PROGRAM_EXECUTABLE);
}
