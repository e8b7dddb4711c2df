// What cannot be changed of launches in a command buffer (cl_khr_command_buffer_mutable_dispatch)

#include "support/choice.hpp"
#include "support/command_buffer.hpp"
#include "support/images.hpp"
#include "support/mutable_dispatch.hpp"

#include <thread>

namespace cb = test::cb;

namespace {

using namespace test::mutable_dispatch;

} // namespace

TEST_CASE("Mutable dispatch: of an update that fails nothing remains", "[command_buffer_update_errors]") {
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

TEST_CASE("clUpdateMutableCommandsKHR: errors of the call", "[command_buffer_update_errors]") {
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

TEST_CASE("clUpdateMutableCommandsKHR: errors of a configuration", "[command_buffer_update_errors]") {
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
  const cl_bool yes = !test::has_guests(); // which share no system memory
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

  // A count without its list, or a list without its count
  for (cb::Config half : {cb::Config{.argument_count = 1},
                          {.arguments = &list},
                          {.svm_argument_count = 1},
                          {.svm_arguments = &svm},
                          {.exec_info_count = 1},
                          {.exec_infos = &info}}) {
    half.command = command;
    check(half, CL_INVALID_VALUE);
  }

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
          "[command_buffer_update_errors]") {
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
          "[command_buffer_update_errors]") {
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
