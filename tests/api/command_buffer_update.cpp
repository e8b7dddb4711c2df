// Launches in a command buffer that are changed after they have been recorded
// (cl_khr_command_buffer_mutable_dispatch).

#include "support/command_buffer.hpp"
#include "support/images.hpp"

#include <thread>

namespace cb = test::cb;

namespace {

constexpr size_t items = 64;
constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

const char* const source = R"(
  kernel void add(global uint* p, uint x) { p[get_global_id(0)] += x; }
  kernel void sizes(global uint* p) {
    if (get_global_id(0) == get_global_offset(0)) {
      p[0] = get_global_offset(0); p[1] = get_global_size(0); p[2] = get_local_size(0); p[3] = get_num_groups(0);
    }
  }
  kernel void local_bytes(local uchar* a, local uchar* b, global uint* p) {
    a[get_local_id(0)] = 1; b[get_local_id(0)] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = (uint)(b - a);
  }
  kernel void image(read_only image2d_t i, sampler_t s, global uint* p) {
    *p = read_imageui(i, s, (int2)(-1, 0)).x;
  })";

struct World {
  explicit World(std::vector<cb::Property> properties = {cb::flags, cb::mutable_commands},
                 cl_command_queue_properties queue = 0)
      : session(queue), buffer({session.queue}, std::move(properties)) {}
  test::Session session;
  test::Program program = session.build(source);
  test::Kernel add = session.kernel(program, "add"), sizes = session.kernel(program, "sizes");
  test::Buffer first = zeros(), second = zeros();
  cb::Buffer buffer;

  test::Buffer zeros() const { return session.buffer(std::vector<cl_uint>(items)); }
  std::vector<cl_uint> run(cl_mem memory, size_t count = items) const {
    buffer.enqueue();
    REQUIRE_CL(clFinish(session.queue));
    return session.read<cl_uint>(memory, count);
  }
  cl_uint first_number(cl_mem memory) const { return session.read<cl_uint>(memory, 1)[0]; }
};

std::vector<cl_uint> all(cl_uint value) {
  return std::vector<cl_uint>(items, value);
}

cb::Argument argument(cl_uint index, const cl_uint& value) {
  return {index, sizeof value, &value};
}
cb::Argument argument(cl_uint index, const cl_mem& memory) {
  return {index, sizeof memory, &memory};
}
/// The list has to live as long as the result.
cb::Config with_arguments(cb::Command command, const std::vector<cb::Argument>& list) {
  cb::Config config;
  config.command = command;
  config.argument_count = cl_uint(list.size());
  config.arguments = list.data();
  return config;
}

template <class T>
std::vector<T> command_info(cb::Command command, cl_uint name) {
  size_t size = 0;
  REQUIRE_CL(cb::functions().command_info(command, name, 0, nullptr, &size));
  std::vector<T> values(size / sizeof(T));
  REQUIRE_CL(cb::functions().command_info(command, name, size, values.data(), nullptr));
  return values;
}

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

TEST_CASE("Mutable dispatch: of an update that fails nothing remains", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w;
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto one = w.buffer.mutable_launch(w.add, items), two = w.buffer.mutable_launch(w.add, items);
  w.buffer.finalize();
  const cl_uint ten = 10;
  const cl_mem other = w.second;
  CHECK_STATUS(w.buffer.try_update({with_arguments(one, {argument(1, ten)}),
                                    with_arguments(two, {argument(0, other), argument(2, ten)})}),
               CL_INVALID_ARG_INDEX);
  const size_t global = 8;
  const std::vector arguments = {argument(1, ten)};
  cb::Config sized = with_arguments(one, arguments);
  sized.global_size = &global;
  cb::Config wrong;
  wrong.command = two;
  wrong.work_dim = 2;
  CHECK_STATUS(w.buffer.try_update({sized, wrong}), CL_INVALID_OPERATION);
  CHECK(command_info<size_t>(one, cb::command_global_size)[0] == items);
  CHECK(w.run(w.first) == all(2));
  CHECK(w.first_number(w.second) == 0);
}

TEST_CASE("clUpdateMutableCommandsKHR: errors of the call", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w, plain({cb::flags, 0});
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  const cl_uint one = 1;
  const std::vector arguments = {argument(1, one)};
  const cb::Config config = with_arguments(command, arguments);
  const void* configs[] = {&config, nullptr};
  const cl_uint types[] = {0, 0}, wrong_types[] = {1};
  const auto& update = cb::functions().update;
  CHECK_STATUS(update(w.buffer, 1, types, configs), CL_INVALID_OPERATION); // it records
  w.buffer.finalize();
  plain.buffer.finalize();
  CHECK_STATUS(update(plain.buffer, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  CHECK_STATUS(update(w.buffer, 1, nullptr, configs), CL_INVALID_VALUE);
  CHECK_STATUS(update(w.buffer, 0, types, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(update(w.buffer, 1, types, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(update(w.buffer, 0, nullptr, configs), CL_INVALID_VALUE);
  CHECK_STATUS(update(w.buffer, 1, wrong_types, configs), CL_INVALID_VALUE);
  CHECK_STATUS(update(w.buffer, 2, types, configs), CL_INVALID_VALUE);
  CHECK_CL(update(w.buffer, 0, nullptr, nullptr));
  CHECK_CL(update(w.buffer, 1, types, configs));
}

TEST_CASE("clUpdateMutableCommandsKHR: errors of a configuration", "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const World w, other;
  test::set_arguments(w.add, w.first, cl_uint{1});
  const size_t local = 16;
  const auto command = w.buffer.mutable_launch(w.add, 64, &local);
  // With one field each, or none
  std::vector<cb::Command> limited;
  for (const cb::Property field :
       {cb::Property{0}, cb::global_offset, cb::global_size, cb::local_size, cb::arguments, cb::exec_info})
    limited.push_back(w.buffer.mutable_launch(w.add, 64, &local, {cb::fields, field}));
  test::set_arguments(other.add, other.first, cl_uint{1});
  const auto foreign = other.buffer.mutable_launch(other.add, 64);
  w.buffer.finalize();

  const auto check = [&](const cb::Config& config, cl_int expected) {
    CHECK_STATUS(w.buffer.try_update({config}), expected);
  };
  cb::Config config;
  check(config, cb::invalid_mutable_command);
  config.command = foreign;
  check(config, cb::invalid_mutable_command);
  config.command = reinterpret_cast<cb::Command>(w.add.get());
  check(config, cb::invalid_mutable_command);

  const cb::Config none{.command = command};
  const size_t odd = 65, zero = 0, large = 1 << 20, overflow = ~size_t{0};
  config = none;
  config.global_size = &odd; // 16 does not divide it
  check(config, CL_INVALID_OPERATION);
  config = none;
  config.work_dim = 2;
  check(config, CL_INVALID_OPERATION);

  const cl_uint value = 5;
  const cb::Argument list = argument(1, value), svm{0, 0, nullptr};
  const cl_bool yes = CL_TRUE;
  const cb::ExecInfo info{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes};
  const size_t good = 64;
  for (size_t i = 0; i < limited.size(); ++i)
    for (size_t field = 1; field <= 5; ++field) {
      CAPTURE(i, field);
      config = {.command = limited[i]};
      if (field == 1) config.global_offset = &good;
      if (field == 2) config.global_size = &good;
      if (field == 3) config.local_size = &local;
      if (field == 4) config.argument_count = 1, config.arguments = &list;
      if (field == 5) config.exec_info_count = 1, config.exec_infos = &info;
      check(config, i == field ? CL_SUCCESS : CL_INVALID_OPERATION);
    }
  config = {.command = limited[1], .svm_argument_count = 1, .svm_arguments = &svm};
  check(config, CL_INVALID_OPERATION);

  config = none;
  config.argument_count = 1;
  check(config, CL_INVALID_VALUE);
  config.argument_count = 0, config.arguments = &list;
  check(config, CL_INVALID_VALUE);
  config = none;
  config.svm_argument_count = 1;
  check(config, CL_INVALID_VALUE);
  config.svm_argument_count = 0, config.svm_arguments = &svm;
  check(config, CL_INVALID_VALUE);
  config = none;
  config.exec_info_count = 1;
  check(config, CL_INVALID_VALUE);
  config.exec_info_count = 0, config.exec_infos = &info;
  check(config, CL_INVALID_VALUE);

  // What clSetKernelArg and its relatives say
  const cl_mem null = nullptr, gone = static_cast<cl_mem>(test::released(w.zeros()));
  const cb::Argument beyond = argument(2, value), small{1, 2, &value}, unknown = argument(0, gone);
  CHECK_STATUS(w.buffer.try_update({with_arguments(command, {beyond})}), CL_INVALID_ARG_INDEX);
  CHECK_STATUS(w.buffer.try_update({with_arguments(command, {small})}), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(w.buffer.try_update({with_arguments(command, {unknown})}), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(w.buffer.try_update({with_arguments(command, {argument(0, null)})}), CL_SUCCESS);
  const cb::Argument no_pointer{1, 0, nullptr};
  config = {.command = command, .svm_argument_count = 1, .svm_arguments = &no_pointer};
  check(config, CL_INVALID_ARG_VALUE);
  const cb::ExecInfo wrong_info{0x7777, 0, nullptr};
  config = {.command = command, .exec_info_count = 1, .exec_infos = &wrong_info};
  check(config, CL_INVALID_VALUE);

  // What clEnqueueNDRangeKernel says
  config = none;
  config.local_size = &zero;
  check(config, CL_INVALID_WORK_GROUP_SIZE);
  config.local_size = &large;
  config.global_size = &large;
  check(config, CL_INVALID_WORK_ITEM_SIZE);
  config = none;
  config.global_offset = &overflow;
  check(config, CL_INVALID_GLOBAL_OFFSET);
}

TEST_CASE("Mutable dispatch: work-groups do not become more where the application says so",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const bool of_buffer = GENERATE(true, false);
  std::vector<cb::Property> properties = {cb::flags, cb::mutable_commands};
  if (of_buffer) properties.insert(properties.end(), {cb::buffer_asserts, cb::no_additional_work_groups});
  const World w(properties);
  test::set_arguments(w.sizes, w.first);
  const size_t eight = 8;
  std::vector<cb::Property> of_command;
  if (!of_buffer) of_command = {cb::asserts, cb::no_additional_work_groups};
  const auto command = w.buffer.mutable_launch(w.sizes, 64, &eight, of_command);
  w.buffer.finalize();
  const size_t fewer = 16, same = 64, more = 72;
  cb::Config config;
  config.command = command;
  for (const size_t* size : {&fewer, &same}) {
    config.global_size = size;
    w.buffer.update({config});
    CHECK(w.run(w.first, 2)[1] == *size);
  }
  config.global_size = &more;
  CHECK_STATUS(w.buffer.try_update({config}), CL_INVALID_OPERATION);
  const size_t sixteen = 16;
  config.local_size = &sixteen;
  const size_t larger = 96;
  config.global_size = &larger;
  w.buffer.update({config});
  CHECK(w.run(w.first, 4) == std::vector<cl_uint>{0, 96, 16, 6});
}

TEST_CASE("clGetMutableCommandInfoKHR: its errors, and handles end with their command buffer",
          "[command_buffer_update]") {
  if (!cb::is_supported()) return;
  const auto& ask = cb::functions().command_info;
  CHECK_STATUS(ask(nullptr, cb::dimensions, 0, nullptr, nullptr), cb::invalid_mutable_command);
  World w;
  CHECK_STATUS(ask(reinterpret_cast<cb::Command>(w.add.get()), cb::dimensions, 0, nullptr, nullptr),
               cb::invalid_mutable_command);
  test::set_arguments(w.add, w.first, cl_uint{1});
  const auto command = w.buffer.mutable_launch(w.add, items);
  cl_uint value = 0;
  CHECK_STATUS(ask(command, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(ask(command, cb::dimensions, sizeof value - 1, &value, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(ask(command, cb::command_global_size, sizeof(size_t) - 1, &value, nullptr), CL_INVALID_VALUE);
  CHECK_CL(ask(command, cb::dimensions, sizeof value, &value, nullptr));
  CHECK_CL(cb::functions().release(w.buffer.release()));
  CHECK_STATUS(ask(command, cb::dimensions, sizeof value, &value, nullptr), cb::invalid_mutable_command);
}
