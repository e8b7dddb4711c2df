#include "runtime/command_buffer/mutable_command.hpp"

#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/launch/launch_geometry.hpp"
#include "runtime/queue/kernel_work.hpp"

#include <algorithm>

namespace hostcl::runtime {

Result<DispatchProperties> DispatchProperties::parsed(const cl_command_properties_khr* properties) {
  DispatchProperties parsed;
  if (!properties) return parsed;
  for (; *properties; properties += 2) {
    const cl_command_properties_khr name = properties[0];
    for (std::size_t i = 0; i < parsed.list.size(); i += 2)
      if (parsed.list[i] == name)
        return fail(CL_INVALID_VALUE, "property 0x", std::hex, name, " is given more than once");
    if (name != CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR && name != CL_MUTABLE_DISPATCH_ASSERTS_KHR)
      return fail(CL_INVALID_VALUE, "property 0x", std::hex, name,
                  " is not a property of clCommandNDRangeKernelKHR");
    const cl_command_properties_khr value = properties[1];
    if (name == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
      // All fields that are defined can be updated, so only undefined bits are invalid.
      if (value & ~all_mutable_fields)
        return fail(CL_INVALID_VALUE, "CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is 0x", std::hex, value,
                    ", which has unknown bits");
      parsed.fields = value;
      parsed.may_lack_arguments = value & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
    } else {
      if (value & ~cl_command_properties_khr{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR})
        return fail(CL_INVALID_VALUE, "CL_MUTABLE_DISPATCH_ASSERTS_KHR is 0x", std::hex, value,
                    ", which has unknown bits");
      parsed.asserts_groups = value & CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
    }
    parsed.list.insert(parsed.list.end(), {name, value});
  }
  parsed.list.push_back(0);
  return parsed;
}

MutableCommand::MutableCommand(CommandBuffer& buffer, cl_uint queue, Kernel& kernel, cl_uint work_dim,
                               DispatchProperties properties, DispatchState state, std::uint64_t most_groups)
    : HandleObject(destroy_object<MutableCommand>),
      buffer_(buffer),
      queue_(queue),
      kernel_(Ref<Kernel>(kernel)),
      work_dim_(work_dim),
      properties_(std::move(properties)),
      most_groups_(most_groups),
      state_(std::move(state)) {}

MutableCommand::MutableCommand(const MutableCommand& other, CommandBuffer& buffer,
                               std::span<const cl_uint> new_queues)
    : HandleObject(destroy_object<MutableCommand>),
      buffer_(buffer),
      queue_(new_queues[other.queue_]),
      kernel_(other.kernel_),
      work_dim_(other.work_dim_),
      properties_(other.properties_),
      most_groups_(other.most_groups_),
      state_(other.state_),
      place_(other.place_) {}

Queue& MutableCommand::queue() const {
  return *buffer_.queues()[queue_];
}

// ---- Updates

namespace {

Status check_list(const void* list, cl_uint count, const char* list_name, const char* count_name) {
  if (!list == !count) return {};
  return fail(CL_INVALID_VALUE, list_name, " is ", list, " and ", count_name, " is ", count,
              "; either both or none must be given");
}

/// Whether the local size divides the global size.
bool is_uniform(const DispatchState& state, cl_uint work_dim) {
  for (cl_uint i = 0; i < work_dim; ++i)
    if (state.local_size[i] && state.global_size[i] % state.local_size[i]) return false;
  return true;
}

} // namespace

Status MutableCommand::check_fields(const MutableDispatchConfig& config) const {
  if (config.work_dim != 0 && config.work_dim != work_dim_)
    return fail(CL_INVALID_OPERATION, "work_dim is ", config.work_dim, "; the command was recorded with ",
                work_dim_, ", which an update cannot change");
  const auto check_field = [&](bool changes, cl_mutable_dispatch_fields_khr field, const char* name) {
    if (!changes || (properties_.fields & field)) return Status();
    return Status(fail(CL_INVALID_OPERATION, "the command was recorded without ", name,
                       " in CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR"));
  };
  TRY(check_field(config.global_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR,
                  "CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR"));
  TRY(check_field(config.global_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
                  "CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR"));
  TRY(check_field(config.local_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR,
                  "CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR"));
  TRY(check_field(config.argument_count || config.svm_argument_count, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
                  "CL_MUTABLE_DISPATCH_ARGUMENTS_KHR"));
  return check_field(config.exec_info_count, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR,
                     "CL_MUTABLE_DISPATCH_EXEC_INFO_KHR");
}

Status MutableCommand::check_lists(const MutableDispatchConfig& config) {
  TRY(check_list(config.arguments, config.argument_count, "arg_list", "num_args"));
  TRY(check_list(config.svm_arguments, config.svm_argument_count, "arg_svm_list", "num_svm_args"));
  return check_list(config.exec_infos, config.exec_info_count, "exec_info_list", "num_exec_infos");
}

Status MutableCommand::set_arguments(Kernel& kernel, const MutableDispatchConfig& config) {
  for (const MutableDispatchArgument& a : std::span(config.arguments, config.argument_count))
    TRY(kernel.set_argument(a.index, a.size, a.value));
  for (const MutableDispatchArgument& a : std::span(config.svm_arguments, config.svm_argument_count))
    TRY(kernel.set_svm_argument(a.index, a.value));
  for (const MutableDispatchExecInfo& e : std::span(config.exec_infos, config.exec_info_count))
    TRY(kernel.set_exec_info(e.name, e.size, e.value));
  return {};
}

Result<DispatchState> MutableCommand::changed(const DispatchState& before,
                                              const MutableDispatchConfig& config) const {
  TRY(check_fields(config)); // before the sizes are read: it checks work_dim, their number
  DispatchState after = before;
  const auto change = [&](std::array<std::size_t, 3>& sizes, const std::size_t* given) {
    if (given) std::copy_n(given, work_dim_, sizes.begin());
  };
  change(after.global_offset, config.global_offset);
  change(after.global_size, config.global_size);
  change(after.local_size, config.local_size);
  after.has_local_size |= config.local_size != nullptr;
  if (before.has_local_size && is_uniform(before, work_dim_) != is_uniform(after, work_dim_))
    return fail(CL_INVALID_OPERATION, "the new global_work_size and local_work_size change whether the "
                                      "work-groups all have the same size; an update cannot change that");
  TRY(check_lists(config));
  if (config.argument_count || config.svm_argument_count || config.exec_info_count) {
    after.arguments = make_object<Kernel>(*after.arguments);
    TRY(set_arguments(*after.arguments, config));
  }
  return after;
}

Result<Recording::Step> MutableCommand::step(const DispatchState& state, const RecordedLaunch* before) const {
  TRY(const Kernel::Code& code, code_for(queue(), *kernel_));
  const std::uint64_t local_bytes = before ? before->record().local_bytes() : state.arguments->local_bytes();
  TRY(abi::NDRange range, checked_nd_range(queue().device(), *kernel_, local_bytes, code.uniform_groups,
                                           work_dim_, state.global_offset.data(), state.global_size.data(),
                                           state.has_local_size ? state.local_size.data() : nullptr));
  if (group_total(range) > most_groups_)
    return fail(CL_INVALID_OPERATION, "the launch would have ", group_total(range),
                " work-groups; with CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR it may have at "
                "most the recorded ",
                most_groups_);
  std::shared_ptr<RecordedLaunch> launch;
  if (before) {
    launch = std::make_shared<RecordedLaunch>(*before, code, range, !state.has_local_size);
  } else {
    if (!state.arguments->has_all_arguments()) return Recording::Step{};
    TRY(state.arguments->check_arguments(queue().device()));
    launch = std::make_shared<RecordedLaunch>(*kernel_, *state.arguments, code, range, !state.has_local_size);
    if (!launch->record().is_valid()) return launch->record().error();
  }
  return Recording::Step{launch, launch.get()};
}

// ---- Queries

namespace {

using M = Rows<MutableCommand>;
cl_command_queue queue_of(const MutableCommand& command) {
  return command.queue().handle();
}
cl_command_buffer_khr buffer_of(const MutableCommand& command) {
  return command.buffer().handle();
}
const std::vector<cl_command_properties_khr>& property_list(const MutableCommand& command) {
  return command.properties().list;
}
cl_kernel kernel_of(const MutableCommand& command) {
  return command.kernel().handle();
}
template <auto member>
std::vector<std::size_t> sizes(const MutableCommand& command) {
  const DispatchState state = command.buffer().state_of(command);
  const auto& all = state.*member;
  return {all.begin(), all.begin() + command.work_dim()};
}

constexpr Row<MutableCommand> rows[] = {
    M::value<cl_command_queue, queue_of>(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR),
    M::value<cl_command_buffer_khr, buffer_of>(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR),
    M::constant<cl_command_type, CL_COMMAND_NDRANGE_KERNEL>(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR),
    M::array<property_list>(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR),
    M::value<cl_kernel, kernel_of>(CL_MUTABLE_DISPATCH_KERNEL_KHR),
    M::value<cl_uint, &MutableCommand::work_dim>(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR),
    M::array<sizes<&DispatchState::global_offset>>(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR),
    M::array<sizes<&DispatchState::global_size>>(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR),
    M::array<sizes<&DispatchState::local_size>>(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR),
};

} // namespace

Status MutableCommand::info(cl_mutable_command_info_khr name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
