#pragma once

// Launches of a command buffer that an application can query and change
// (cl_khr_command_buffer_mutable_dispatch).

#include "runtime/command_buffer/recording.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/kernel.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::runtime {

class CommandBuffer;

/// CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, and cl_mutable_dispatch_config_khr with its parts, as in
/// revision 0.9.5 of the extension. Older headers use these names with another value and other members.
inline constexpr cl_command_buffer_update_type_khr mutable_dispatch_config = 0;
struct MutableDispatchArgument {
  cl_uint index;
  std::size_t size;
  const void* value;
};
struct MutableDispatchExecInfo {
  cl_uint name;
  std::size_t size;
  const void* value;
};
struct MutableDispatchConfig {
  cl_mutable_command_khr command;
  cl_uint argument_count;
  cl_uint svm_argument_count;
  cl_uint exec_info_count;
  cl_uint work_dim;
  const MutableDispatchArgument* arguments;
  const MutableDispatchArgument* svm_arguments;
  const MutableDispatchExecInfo* exec_infos;
  const std::size_t* global_offset;
  const std::size_t* global_size;
  const std::size_t* local_size;
};

inline constexpr cl_mutable_dispatch_fields_khr all_mutable_fields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
    CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// The properties that were passed to clCommandNDRangeKernelKHR().
struct DispatchProperties {
  cl_mutable_dispatch_fields_khr fields = all_mutable_fields;
  bool may_lack_arguments = false; ///< whether CL_MUTABLE_DISPATCH_ARGUMENTS_KHR was requested
  bool asserts_groups = false;
  std::vector<cl_command_properties_khr> list; ///< the list as given, with the 0 at the end

  /// CL_INVALID_VALUE for a property that launches do not have.
  static Result<DispatchProperties> parsed(const cl_command_properties_khr* properties);
};

/// The part of a launch that an update may change.
struct DispatchState {
  std::array<std::size_t, 3> global_offset{}, global_size{}, local_size{};
  bool has_local_size = false;
  /// A clone of the recorded kernel with the command's arguments; null if the arguments can never change.
  Ref<Kernel> arguments;
};

/// A launch with a handle. The command buffer owns it.
class MutableCommand
    : public HandleObject<_cl_mutable_command_khr, Kind::mutable_command, CL_INVALID_MUTABLE_COMMAND_KHR> {
public:
  /// @param queue index of its queue in the command buffer
  /// @param most_groups most work-groups that the launch may have
  MutableCommand(CommandBuffer& buffer, cl_uint queue, Kernel& kernel, cl_uint work_dim,
                 DispatchProperties properties, DispatchState state, std::uint64_t most_groups);
  /// The same command in another command buffer.
  /// @param new_queues for each queue of this command buffer, its index in the other one
  MutableCommand(const MutableCommand& other, CommandBuffer& buffer, std::span<const cl_uint> new_queues);
  ~MutableCommand() = default;

  CommandBuffer& buffer() const { return buffer_; }
  Context& context() const { return kernel_->context(); }
  Queue& queue() const;
  Kernel& kernel() const { return *kernel_; }
  cl_uint work_dim() const { return work_dim_; }
  const DispatchProperties& properties() const { return properties_; }

  // Guarded by the command buffer's lock:
  const DispatchState& state() const { return state_; }
  void set_state(DispatchState& state) { std::swap(state_, state); }
  Recording::Place place() const { return place_; }
  void set_place(Recording::Place place) { place_ = place; }

  /// The state after a change. Fails with the errors of clUpdateMutableCommandsKHR(), in the order of the
  /// specification.
  Result<DispatchState> changed(const DispatchState& before, const MutableDispatchConfig& config) const;
  /// The launch for a state; without work if arguments are missing.
  /// @param before the launch with the same arguments; null if there is none
  Result<Recording::Step> step(const DispatchState& state, const RecordedLaunch* before) const;

  Status info(cl_mutable_command_info_khr name, Answer answer) const;

private:
  Status check_fields(const MutableDispatchConfig& config) const;
  static Status check_lists(const MutableDispatchConfig& config);
  static Status set_arguments(Kernel& kernel, const MutableDispatchConfig& config);

  CommandBuffer& buffer_; ///< owns this object
  cl_uint queue_;
  Ref<Kernel> kernel_;
  cl_uint work_dim_;
  DispatchProperties properties_;
  std::uint64_t most_groups_;
  DispatchState state_;
  Recording::Place place_{};
};

} // namespace hostcl::runtime
