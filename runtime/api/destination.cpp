#include "runtime/api/destination.hpp"

#include "runtime/launch/launch_geometry.hpp"

#include <algorithm>

namespace hostcl::runtime {

Status ToCommandBuffer::resolve_launch() {
  TRY(CommandBuffer & buffer, object_cast<CommandBuffer>(handle_));
  TRY(number_, buffer.queue_number(queue_handle_));
  TRY(buffer.check_recording());
  TRY(buffer.context().check_not_terminated());
  buffer_ = &buffer;
  return {};
}

Status ToCommandBuffer::resolve() {
  TRY(resolve_launch());
  if (properties_ && *properties_)
    return fail(CL_INVALID_VALUE, "property 0x", std::hex, *properties_, ": the command has no properties");
  if (command_) return fail(CL_INVALID_VALUE, "mutable_handle is not NULL: only launches can be updated");
  return {};
}

Status ToCommandBuffer::take_launch(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
                                    const std::size_t* local_size, DispatchProperties properties) const {
  Recording::Step step;
  if (kernel.has_all_arguments()) {
    auto launch = std::make_shared<RecordedLaunch>(kernel, kernel, code, range, !local_size);
    if (!launch->record().is_valid()) return launch->record().error();
    step = {launch, launch.get()};
  }
  if (!command_) return buffer_->record(number_, waits(), std::move(step), sync_point_);

  DispatchState state;
  std::ranges::copy_n(range.global_offset, range.work_dim, state.global_offset.begin());
  std::ranges::copy_n(range.global_size, range.work_dim, state.global_size.begin());
  if (local_size) std::copy_n(local_size, range.work_dim, state.local_size.begin());
  state.has_local_size = local_size;
  constexpr cl_mutable_dispatch_fields_khr of_kernel =
      CL_MUTABLE_DISPATCH_ARGUMENTS_KHR | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;
  if (buffer_->is_mutable() && (properties.fields & of_kernel)) state.arguments = make_object<Kernel>(kernel);
  const bool asserts_groups = properties.asserts_groups || buffer_->asserts_groups();
  const std::uint64_t most_groups = asserts_groups ? group_total(range) : ~std::uint64_t{0};
  return buffer_->record(number_, waits(), std::move(step), sync_point_,
                         make_object<MutableCommand>(*buffer_, number_, kernel, range.work_dim,
                                                     std::move(properties), std::move(state), most_groups),
                         command_);
}

} // namespace hostcl::runtime
