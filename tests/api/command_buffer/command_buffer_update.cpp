// Launches in a command buffer that are changed after they have been recorded
// (cl_khr_command_buffer_mutable_dispatch).

#include "support/command_buffer.hpp"
#include "support/images.hpp"
#include "support/mutable_dispatch.hpp"

#include <thread>

namespace cb = test::cb;

namespace {

using namespace test::mutable_dispatch;

} // namespace

TEST_CASE("Mutable dispatch: values and buffers change, and stay so", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  w.buffer.launch(w.add, items); // not changed
  w.buffer.finalize();
  CHECK(w.run(w.first) == all(2));
  const cl_uint ten = 10;
  w.buffer.update({with_arguments(command, {argument(1, ten)})});
  CHECK(w.run(w.first) == all(13));
  CHECK(w.run(w.first) == all(24));
  const cl_mem other = w.second;
  w.buffer.update({with_arguments(command, {argument(0, other)})});
  CHECK(w.run(w.second) == all(10));
  CHECK(w.run(w.first) == all(26));
  // The kernel is as it was.
  const size_t global = items;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(w.session.queue, w.add, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  CHECK(w.session.read<cl_uint>(w.first, 1)[0] == 27);
}

TEST_CASE("Mutable dispatch: what is set for the kernel later does not reach the command",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  test::set_arguments(w.add, w.second, cl_uint{1000});
  w.buffer.finalize();
  const cl_uint five = 5;
  w.buffer.update({with_arguments(command, {argument(1, five)})});
  CHECK(w.run(w.first) == all(5));
  CHECK(w.session.read<cl_uint>(w.second, items) == all(0));
}

TEST_CASE("Mutable dispatch: a replaced buffer may go, and one in use is kept", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  auto old = w.zeros();
  test::set_arguments(w.add, old, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  w.buffer.finalize();
  old.reset();
  w.buffer.enqueue();
  const cl_uint two = 2;
  w.buffer.update({with_arguments(command, {argument(1, two)})}); // the buffer is still that of the command
  w.buffer.enqueue();
  const cl_mem other = w.second;
  w.buffer.update({with_arguments(command, {argument(0, other)})});
  CHECK(w.run(w.second) == all(2));
}

TEST_CASE("Mutable dispatch: pointers to shared virtual memory and exec infos", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  auto* memory =
      static_cast<cl_uint*>(clSVMAlloc(w.session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, items * 4, 0));
  REQUIRE(memory);
  std::fill_n(memory, items, 0u);
  test::set_arguments(w.add, w.first, cl_uint{3});
  const auto command = w.buffer.mutable_launch(w.add, items);
  w.buffer.finalize();
  const cb::Argument svm{0, 0, memory};
  const cb::ExecInfo infos[] = {{CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof memory, &memory}};
  cb::Config config;
  config.command = command;
  config.svm_argument_count = config.exec_info_count = 1;
  config.svm_arguments = &svm;
  config.exec_infos = infos;
  w.buffer.update({config});
  CHECK(w.run(w.first) == all(0));
  CHECK(std::vector(memory, memory + items) == all(3));
  clSVMFree(w.session.context, memory);
}

TEST_CASE("Mutable dispatch: sizes of local memory", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto kernel = w.session.kernel(w.program, "local_bytes");
  test::set_arguments(kernel, test::Local{128}, test::Local{128}, w.first);
  const size_t local = 16;
  const auto command = w.buffer.mutable_launch(kernel, items, &local);
  w.buffer.finalize();
  CHECK(w.run(w.first)[0] == 128);
  w.buffer.update({with_arguments(command, {{0, 4096, nullptr}})});
  CHECK(w.run(w.first)[0] == 4096);
  const cl_ulong most = test::device_value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  CHECK_STATUS(w.buffer.try_update({with_arguments(command, {{0, most, nullptr}, {1, most, nullptr}})}),
               CL_OUT_OF_RESOURCES);
  CHECK(w.run(w.first)[0] == 4096);
}

TEST_CASE("Mutable dispatch: images and samplers", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto kernel = w.session.kernel(w.program, "image");
  std::vector<test::Buffer> images;
  std::vector<test::Sampler> samplers;
  cl_int error = CL_SUCCESS;
  for (const cl_channel_type type : {CL_UNSIGNED_INT32, CL_UNSIGNED_INT8}) {
    const cl_image_format format{CL_R, type};
    const auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 2, 2);
    cl_uint texels[4] = {type == CL_UNSIGNED_INT8 ? 9u : 70000u, 1, 1, 1};
    images.emplace_back(clCreateImage(w.session.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                      &description, texels, &error));
    REQUIRE_CL(error);
  }
  for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP}) {
    samplers.emplace_back(clCreateSampler(w.session.context, CL_FALSE, mode, CL_FILTER_NEAREST, &error));
    REQUIRE_CL(error);
  }
  test::set_arguments(kernel, images[0], samplers[0].get(), w.first);
  const auto command = w.buffer.mutable_launch(kernel, 1);
  w.buffer.finalize();
  CHECK(w.run(w.first, 1)[0] == 70000);
  const cl_mem image = images[1];
  w.buffer.update({with_arguments(command, {argument(0, image)})});
  CHECK(w.run(w.first, 1)[0] == 9);
  const cl_sampler sampler = samplers[1];
  w.buffer.update({with_arguments(command, {{1, sizeof sampler, &sampler}})});
  CHECK(w.run(w.first, 1)[0] == 0); // the border
}

TEST_CASE("Mutable dispatch: offset, global and local size, and what the command tells of them",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.sizes, w.first);
  const size_t sixteen = 16;
  const auto command = w.buffer.mutable_launch(w.sizes, 64, &sixteen, {cb::fields, 7, cb::asserts, 0});
  w.buffer.finalize();
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{0, 64, 16, 4});
  CHECK(command_info<cl_kernel>(command, cb::command_kernel)[0] == w.sizes.get());
  CHECK(command_info<cl_command_queue>(command, cb::command_queue)[0] == w.session.queue.get());
  CHECK(command_info<cb::Handle>(command, cb::command_buffer)[0] == w.buffer);
  CHECK(command_info<cl_command_type>(command, cb::command_type)[0] == CL_COMMAND_NDRANGE_KERNEL);
  CHECK(command_info<cb::Property>(command, cb::command_properties) ==
        std::vector<cb::Property>{cb::fields, 7, cb::asserts, 0, 0});
  CHECK(command_info<cl_uint>(command, cb::dimensions)[0] == 1);
  CHECK(command_info<size_t>(command, cb::command_global_offset) == std::vector<size_t>{0});
  CHECK(command_info<size_t>(command, cb::command_global_size) == std::vector<size_t>{64});
  CHECK(command_info<size_t>(command, cb::command_local_size) == std::vector<size_t>{16});

  const size_t offset = 5, global = 96, local = 32;
  cb::Config config;
  config.command = command;
  config.global_offset = &offset;
  w.buffer.update({config});
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{5, 64, 16, 4});
  config.global_size = &global;
  config.work_dim = 1;
  w.buffer.update({config});
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{5, 96, 16, 6});
  config.global_size = nullptr;
  config.local_size = &local;
  w.buffer.update({config});
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{5, 96, 32, 3});
  CHECK(command_info<size_t>(command, cb::command_global_offset) == std::vector<size_t>{5});
  CHECK(command_info<size_t>(command, cb::command_global_size) == std::vector<size_t>{96});
  CHECK(command_info<size_t>(command, cb::command_local_size) == std::vector<size_t>{32});
}

TEST_CASE("Mutable dispatch: a command without a local size tells zeros, and gets a new one for its size",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.sizes, w.first);
  const auto command = w.buffer.mutable_launch(w.sizes, 64);
  w.buffer.finalize();
  CHECK(command_info<size_t>(command, cb::command_local_size) == std::vector<size_t>{0});
  CHECK(command_info<cb::Property>(command, cb::command_properties).empty());
  const size_t global = 20;
  cb::Config config;
  config.command = command;
  config.global_size = &global;
  w.buffer.update({config});
  const auto values = w.run(w.first, 4);
  CHECK(values[1] == 20);
  CHECK((20 + values[2] - 1) / values[2] == values[3]);
  const size_t local = 5; // the application's first one
  config.global_size = nullptr;
  config.local_size = &local;
  w.buffer.update({config});
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{0, 20, 5, 4});
}

TEST_CASE("Mutable dispatch: arguments may come after the command was recorded", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  const std::vector<cb::Property> later = {cb::fields, cb::arguments};
  REQUIRE_CL(test::set_argument(w.add, 0, w.first));
  const auto one = w.buffer.mutable_launch(w.add, items, nullptr, later);
  const auto kernel = w.session.kernel(w.program, "add");
  const auto two = w.buffer.mutable_launch(kernel, items, nullptr, later);
  w.buffer.finalize();
  CHECK(w.buffer.current_state() == cb::state_finalized);
  CHECK_STATUS(cb::functions().enqueue(0, nullptr, w.buffer, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  const cl_uint value = 4;
  const cl_mem memory = w.first;
  w.buffer.update({with_arguments(one, {argument(1, value)})});
  CHECK(w.buffer.current_state() == cb::state_finalized);
  w.buffer.update({with_arguments(two, {argument(1, value)})});
  CHECK(w.buffer.current_state() == cb::state_finalized);
  w.buffer.update({with_arguments(two, {argument(0, memory)})});
  CHECK(w.buffer.current_state() == cb::state_executable);
  CHECK(w.run(w.first) == all(8));
}

TEST_CASE("Mutable dispatch: an update while commands run is for those enqueued later",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const auto properties = GENERATE(cl_command_queue_properties{0}, out_of_order);
  const World w({cb::flags, cb::mutable_commands | cb::simultaneous_use}, properties);
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  w.buffer.finalize();
  const auto gate = test::user_event(w.session.context);
  std::vector<test::Event> events;
  std::vector<test::Buffer> targets;
  for (cl_uint i = 0; i < 20; ++i) {
    targets.push_back(w.zeros());
    const cl_mem target = targets.back();
    const cl_uint value = 100 + i;
    w.buffer.update({with_arguments(command, {argument(0, target), argument(1, value)})});
    events.push_back(w.buffer.enqueue_event({gate}));
    if (i % 2) events.push_back(w.buffer.enqueue_event({gate}));
  }
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(w.first_number(w.first) == 0);
  for (cl_uint i = 0; i < 20; i += 2)
    CHECK(w.session.read<cl_uint>(targets[i], items) == all(100 + i));
  if (!properties) // otherwise the two run at the same time
    CHECK(w.session.read<cl_uint>(targets[1], items) == all(2 * 101));
}

TEST_CASE("Mutable dispatch: several changes in one call, also of one command", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto one = w.buffer.mutable_launch(w.add, items), two = w.buffer.mutable_launch(w.add, items);
  w.buffer.finalize();
  const cl_uint ten = 10, hundred = 100, thousand = 1000;
  const cl_mem other = w.second;
  w.buffer.update({with_arguments(one, {argument(1, ten)}), with_arguments(two, {argument(1, hundred)}),
                   with_arguments(one, {argument(0, other)}), with_arguments(two, {argument(1, thousand)})});
  CHECK(w.run(w.first) == all(1000));
  CHECK(w.session.read<cl_uint>(w.second, items) == all(10));
}
