#pragma once

// Runs the work-groups of a launch, range by range, on the threads that call it.

#include "compiler/abi/launch.hpp"
#include "runtime/description/group_order.hpp"
#include "runtime/launch/fibers.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/program/current_code.hpp"
#include "runtime/program/nd_range.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace hostcl::runtime {

class Context;
class Device;
class Parent;

class GroupRanges {
public:
  /// @param device the device of the launch's queue
  /// @param threads the largest number of threads that run groups
  /// @param arguments the argument block, as abi::Entry takes it
  /// @param local_bytes bytes of local memory of a group: the kernel's variables and its local arguments
  /// @param parent counts the children that the kernel enqueues; null if the kernel enqueues none
  GroupRanges(const RunnableLaunch& record, compiler::KernelChoice choice,
              const abi::HostCallbacks& host_callbacks, const Device& device, unsigned threads,
              const std::byte* arguments, std::uint64_t local_bytes, Parent* parent);

  /// The number of groups that run. They may be fewer and larger than the groups of the application, if no work-item
  /// can tell the difference (group_layout.hpp).
  std::uint64_t total() const { return total_; }
  std::uint64_t items_per_group() const { return runtime::items_per_group(launch_.range); }
  /// Whether the current code is tier 1 code. If not, tier 1 code may replace it between two ranges.
  bool has_tier1_code() const { return code_.is_tier1(); }

  /// Whether the groups run in a guest process.
  bool is_hosted() const;
  /// Whether each range has a high cost of its own, because its thread context is large. An example are tables that
  /// collect atomic updates: they are cleared before the range and written back after it.
  bool sets_up_memory() const {
    constexpr std::uint64_t much = 4096;
    return code_.get().context_bytes_fixed >= much;
  }

  /// Runs the groups at the places [first, last) of the order of work-groups, and records the time that they take.
  void operator()(std::uint64_t first, std::uint64_t last);
  /// The two parts of operator(), for callers that measure the time themselves.
  void run(std::uint64_t first, std::uint64_t last);
  void note_ns(std::uint64_t ns);

  /// Whether a work-item has trapped, or the context has been terminated. Ranges that have not begun are skipped from
  /// then on.
  bool has_stopped() const { return traps_.has_any() || context_.is_terminated(); }
  /// Whether ranges should be short, because the context may be terminated.
  bool may_be_stopped() const { return context_.is_terminable(); }
  /// Must be called only when no thread runs groups any more.
  TrapReason trap_reason() { return traps_.reason(); }

private:
  const compiler::KernelCode& current_code();
  void run(const compiler::KernelCode& code, std::uint64_t first, std::uint64_t last) const;
  void run_for_parent(const compiler::KernelCode& code, std::uint64_t first, std::uint64_t last) const;
  void run(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
           std::uint64_t last) const;
  void run_on_new_stack(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
                        std::uint64_t last) const;
  void run_hosted(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
                  std::uint64_t last) const;
  void run_here(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
                std::uint64_t last) const;
  void run_fibers(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
                  std::uint64_t last) const;

  const RunnableLaunch& record_;
  const Context& context_;
  const Device& device_;
  Parent* parent_;
  std::shared_ptr<abi::RaceLaunch> races_;
  abi::Launch launch_; ///< with the sizes of the groups that run
  const std::byte* arguments_;
  std::uint64_t local_bytes_;
  std::uint64_t total_;
  GroupNumbers numbers_; ///< the order in which the groups run
  compiler::CodeLimit limit_;
  CurrentCode code_;
  mutable PrintedBytes printed_;
  mutable LaunchTraps traps_;
  std::unique_ptr<GroupClaims> claims_; ///< null if groups do not wait for each other
};

} // namespace hostcl::runtime
