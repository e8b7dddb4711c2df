#pragma once

// All that comes of one launch from the host: the kernel and its descendants. The thread that runs the launch's
// command runs those as well, after the kernel's own work-items, with the device's threads: what is enqueued never
// runs inside of what enqueues it. It ends when nothing is left, so the command holds program, arguments and memory
// for as long as any descendant runs.
//
// Children that become ready come before those that are: the fewest wait at a time, and what a child has just written
// is near. The thread takes one after the other, and splits it over all threads, as any launch; but
// while children follow each other that are short or one group, all threads take them (work_together). Where all that is left
// waits for events, which kernels of other commands may set, it sleeps.

#include "compiler/compiler.hpp"
#include "runtime/device_queue/child.hpp"
#include "runtime/queue/parallel.hpp"
#include "runtime/queue/traps.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstdint>

namespace hostcl::runtime {

/// Runs a launch of a kernel that may enqueue others, and all that comes of it.
/// @param choice code for the launch
/// @param default_queue the device's, which get_default_queue() returns to kernels; null if there is none
/// @param kernel_end gets the time at which the kernel's own work-items ended
/// @returns CL_COMPLETE, or the first error
cl_int run_family(const LaunchRecord& launch, compiler::KernelChoice choice, const Context& context,
                  const Device& device, Workers& workers, const Ref<DeviceQueue>& default_queue,
                  std::uint64_t& kernel_end);

class Family {
public:
  /// @param launch by the host; outlives run_descendants()
  Family(const LaunchRecord& launch, const Context& context, const Device& device, Workers& workers,
         Ref<DeviceQueue> default_queue);
  Family(const Family&) = delete;

  Parent& root() { return root_; }
  const LaunchRecord& launch() const { return launch_; }
  const Context& context() const { return context_; }
  const Device& device() const { return device_; }
  /// What get_default_queue() returns to kernels.
  std::uint64_t default_queue() const { return reinterpret_cast<std::uintptr_t>(default_queue_.get()); }

  /// Runs all descendants, when the work-items of the kernel that the host launched have ended.
  /// @returns CL_COMPLETE, or the first error of one of them
  cl_int run_descendants();

  /// Children have nothing to wait for any more. Any thread may call it, also one of another family.
  void make_ready(const ChildList& children, std::size_t count);

  /// A work-item of the kernel has trapped, if there is a reason. What the kernel has enqueued runs nonetheless.
  void note_trap(Parent& parent, TrapReason trap);

  // Threads that hand over a child hold the family, which the last child ends.
  void retain() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

private:
  /// The code for one kind of launch, for many children after one another.
  struct LastCode {
    LoadedKernel* kernel = nullptr;
    abi::NDRange range{};
    compiler::KernelChoice choice;
  };
  struct RootParent final : Parent {
    explicit RootParent(Family& family) : Parent(family, nullptr) {}
  };

  ~Family() = default;
  Child* next();
  ChildList take_some();
  void run(Child& child, LastCode& last, bool on_this_thread);
  compiler::KernelChoice code_for(Child& child, LastCode& last);
  void run_alone(Child& child, compiler::KernelChoice choice);
  bool pays_together(const Child& child);
  void work_together(Child& first);
  void help();
  void end(Child& child);
  void drop(Parent& parent);

  RootParent root_;
  const LaunchRecord& launch_;
  const Context& context_;
  const Device& device_;
  Workers& workers_;
  Ref<DeviceQueue> default_queue_;
  std::atomic<std::uint32_t> holders_ = 1;

  Lock lock_; ///< guards the members below
  ChildList ready_;
  std::size_t ready_count_ = 0;
  bool is_done_ = false;
  bool is_asleep_ = false;
  TrapReason trap_;                      ///< the first one
  std::atomic<std::uint32_t> wakes_ = 0; ///< changes when the sleeping thread should look again
};

} // namespace hostcl::runtime
