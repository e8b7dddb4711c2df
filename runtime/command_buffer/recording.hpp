#pragma once

// What a command buffer replays: work that may run any number of times. A command can wait only for commands that were
// recorded before it. So the commands of a queue can always run in the order in which they were recorded, and a
// recording keeps them as a list instead of a graph.

#include "runtime/launch/launch_record.hpp"
#include "runtime/object/object.hpp"
#include "runtime/object/reference_count.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// A recorded launch. Several threads may run it at the same time.
class RecordedLaunch final : public Work {
public:
  /// @param kernel the kernel that the application recorded; held as long as this object exists
  /// @param arguments the same kernel, or a clone with other arguments
  /// @param chooses_local whether the driver has chosen the local size
  RecordedLaunch(Kernel& kernel, Kernel& arguments, const Kernel::Code& code, const abi::NDRange& range,
                 bool chooses_local);
  /// A launch with the same kernel and arguments, but with other sizes, or for another device.
  RecordedLaunch(const RecordedLaunch& other, const Kernel::Code& code, const abi::NDRange& range,
                 bool chooses_local);

  const LaunchRecord& record() const { return record_; }
  Kernel& kernel() const { return *kernel_; }
  bool chooses_local() const { return chooses_local_; }
  /// Whether it can run without the compiler.
  bool has_code() const;

  cl_int prepare(Queue& queue) override;
  cl_int run(Queue& queue) override { return run(queue, {}); }
  /// @param default_queue see run_family()
  cl_int run(Queue& queue, const Ref<DeviceQueue>& default_queue);

private:
  cl_int run_groups(Queue& queue, const Ref<DeviceQueue>& default_queue);

  Ref<Kernel> kernel_;
  bool chooses_local_;
  std::atomic<std::uint8_t> runs_ = 0; ///< number of runs; not exact, and it wraps
  /// The tier 1 code for the launch, once it exists: then no code has to be looked up any more.
  std::atomic<const compiler::KernelCode*> tier1_code_ = nullptr;
  std::atomic<abi::GroupSize> tier1_groups_{}; ///< set before tier1_code_
  LaunchRecord record_;
};

/// The commands of a command buffer, divided into segments. The commands of a segment belong to one queue and
/// run one after the other, as one command of that queue. A new segment begins where a command waits for a
/// command of another queue, so a command buffer with one queue has one segment. While commands are recorded,
/// only the command buffer uses the recording, with its lock held. Later, runs share it, so an update
/// replaces it by a copy if a run uses it.
class Recording {
public:
  /// An atomic value that several runs may set at the same time. A copy of the recording has a copy of the value.
  template <class T>
  class Noted {
  public:
    Noted() = default;
    Noted(const Noted& other) noexcept : value_(other.get()) {}
    Noted& operator=(const Noted&) = delete;
    T get() const { return value_.load(std::memory_order_relaxed); }
    void set(T value) const { value_.store(value, std::memory_order_relaxed); }

  private:
    mutable std::atomic<T> value_{};
  };
  struct Step {
    std::shared_ptr<Work> work;       ///< null for a launch whose arguments are missing
    RecordedLaunch* launch = nullptr; ///< the work, if it is a launch
  };
  struct Segment {
    cl_uint queue;                    ///< index in the command buffer's queues
    std::vector<std::uint32_t> after; ///< segments that this segment waits for
    std::vector<Step> steps = {};
    bool is_open = true;          ///< whether commands can be appended: no segment waits for this one yet
    bool enqueues = false;        ///< whether it has kernels that enqueue kernels
    Noted<bool> is_prepared = {}; ///< whether all launches have machine code
    Noted<std::uint64_t> ns = {}; ///< nanoseconds that the last run took; 0 if there was none
  };
  struct Place {
    std::uint32_t segment, step;
  };

  explicit Recording(std::size_t queue_count) : last_of_queue_(queue_count, none), awaited_(queue_count) {}
  /// A recording of the same commands for other queues. @param new_queues new index of each queue
  Recording(const Recording& other, std::span<const cl_uint> new_queues, std::size_t queue_count);
  /// A copy with a reference count of its own.
  Recording(const Recording& other);

  void retain() { references_.add(); }
  void release() {
    if (references_.drop()) delete this;
  }
  /// Whether a run holds the recording besides the caller. If the result is false, it stays so only as long
  /// as the caller allows no new run.
  bool is_shared() const { return references_.is_shared(); }

  /// Appends a command to a queue. @param waits sync points, all of which exist
  Place add(cl_uint queue, std::span<const cl_sync_point_khr> waits, Step step);
  /// Makes all later commands wait for these sync points, or, if there are none, for all commands so far.
  void add_barrier(cl_uint queue, std::span<const cl_sync_point_khr> waits);
  /// The sync point of the last command. Sync points are numbered from 1.
  cl_sync_point_khr last_point() const { return static_cast<cl_sync_point_khr>(points_.size()); }

  const std::vector<Segment>& segments() const { return segments_; }
  const Step& at(Place place) const { return segments_[place.segment].steps[place.step]; }
  /// @returns the step that was replaced
  Step replace(Place place, Step step);
  /// Whether all launches have their arguments.
  bool is_complete() const { return incomplete_ == 0; }

  /// Compiles the launches of a segment, if they have no machine code. @returns CL_SUCCESS, or the first error
  cl_int prepare(std::size_t segment, Queue& queue) const;
  /// Runs the commands of a segment. @returns CL_COMPLETE, or the first error, after which no more commands
  /// run
  cl_int run(std::size_t segment, Queue& queue, const Ref<DeviceQueue>& default_queue) const;
  /// Expected nanoseconds of a segment; Queue::unknown before its first run.
  std::uint64_t estimate(std::size_t segment) const;

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  ~Recording() = default;
  std::uint32_t segment_for(cl_uint queue, std::span<const std::uint32_t> before);
  bool awaits(cl_uint queue, std::uint32_t segment) const;
  std::vector<std::uint32_t> segments_of(std::span<const cl_sync_point_khr> points) const;

  ReferenceCount references_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> points_;        ///< segment of each sync point
  std::vector<std::uint32_t> last_of_queue_; ///< newest segment of each queue, or none
  /// For each queue, the newest segment of each other queue that it waits for; empty if there is none.
  std::vector<std::vector<std::uint32_t>> awaited_;
  std::uint32_t barrier_ = none; ///< segment of the newest barrier
  std::size_t incomplete_ = 0;   ///< number of launches whose arguments are missing
};

/// Replays a segment.
class ReplayWork final : public Work {
public:
  /// @param whole the event of the command buffer, if that is not the event of this command
  /// @param default_queue see run_family(); for segments that enqueue kernels
  ReplayWork(Ref<Recording> recording, std::size_t segment, Ref<Event> whole, Ref<DeviceQueue> default_queue)
      : recording_(std::move(recording)),
        segment_(segment),
        whole_(std::move(whole)),
        default_queue_(std::move(default_queue)) {}
  cl_int prepare(Queue& queue) override { return recording_->prepare(segment_, queue); }
  cl_int run(Queue& queue) override {
    if (whole_ && whole_->status() < 0) return whole_->status(); // cancelled
    return recording_->run(segment_, queue, default_queue_);
  }
  void describe(timeline::Span& span) const override {
    span.argument("commands", recording_->segments()[segment_].steps.size());
  }

private:
  Ref<Recording> recording_;
  std::size_t segment_;
  Ref<Event> whole_;
  Ref<DeviceQueue> default_queue_;
};

} // namespace hostcl::runtime
