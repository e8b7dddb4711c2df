#include "runtime/command_buffer/recording.hpp"

#include "runtime/capture/capture.hpp"
#include "runtime/launch/family_run.hpp"
#include "runtime/launch/launch_geometry.hpp"
#include "runtime/launch/launch_run.hpp"
#include "runtime/queue/kernel_work.hpp"
#include "runtime/support/clock.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

/// Measuring takes a good part of this many nanoseconds, and so most of the time of a shorter launch.
constexpr std::uint64_t short_ns = 1'000;
/// Of the runs of a short launch, one in this many is measured.
constexpr std::uint8_t measured_run = 8;

} // namespace

// ---- Launches

RecordedLaunch::RecordedLaunch(Kernel& kernel, Kernel& arguments, const Kernel::Code& code,
                               const abi::NDRange& range, bool chooses_local)
    : kernel_(Ref<Kernel>(kernel)),
      chooses_local_(chooses_local),
      record_(arguments, code, range, Replay::later) {
  LoadedKernel& loaded = record_.kernel();
  if (!loaded.claim_first_launch()) return;
  loaded.forget_ahead();
  // The application can record further commands meanwhile; clFinalizeCommandBufferKHR() waits for the code.
  if (group_total(range) > 0) loaded.compile_in_background(Background::Reason::launched, record_.range());
}

RecordedLaunch::RecordedLaunch(const RecordedLaunch& other, const Kernel::Code& code,
                               const abi::NDRange& range, bool chooses_local)
    : kernel_(other.kernel_), chooses_local_(chooses_local), record_(other.record_, code, range) {}

bool RecordedLaunch::has_code() const {
  return group_total(record_.range()) == 0 || record_.kernel().made_code(record_.range()).code;
}

cl_int RecordedLaunch::prepare(Queue& queue) {
  if (group_total(record_.range()) == 0 || tier1_code_.load(std::memory_order_relaxed)) return CL_SUCCESS;
  compiler::KernelChoice choice;
  return find_code(record_, queue.context(), choice);
}

cl_int RecordedLaunch::run(Queue& queue, const Ref<DeviceQueue>& default_queue) {
  if (group_total(record_.range()) == 0) return CL_COMPLETE;
  return capture::captured(record_, queue.device(), [&] { return run_groups(queue, default_queue); });
}

cl_int RecordedLaunch::run_groups(Queue& queue, const Ref<DeviceQueue>& default_queue) {
  compiler::KernelChoice choice{tier1_code_.load(std::memory_order_acquire),
                                tier1_groups_.load(std::memory_order_relaxed), true};
  if (!choice.code) [[unlikely]] {
    if (cl_int status = find_code(record_, queue.context(), choice)) return status;
    if (choice.is_tier1) {
      tier1_groups_.store(choice.groups, std::memory_order_relaxed);
      tier1_code_.store(choice.code, std::memory_order_release);
    }
  }
  if (record_.signature().enqueues) {
    std::uint64_t kernel_end; // not used: the event of the command buffer tells when the whole tree has ended
    return run_family(record_, choice, queue.context(), queue.device(), queue.workers(), default_queue,
                      kernel_end);
  }
  const std::uint8_t runs = runs_.load(std::memory_order_relaxed);
  runs_.store(runs + 1, std::memory_order_relaxed);
  const bool is_short = choice.is_tier1 && runs % measured_run != 0 &&
                        KernelWork::estimate(record_.kernel(), record_.range()) < short_ns;
  const Context& context = queue.context();
  return status_of(
      is_short ? run_launch_serially(record_, choice, context.host_callbacks(), queue.device())
               : run_launch(record_, choice, context.host_callbacks(), queue.device(), queue.workers()),
      context);
}

// ---- Recordings

Recording::Recording(const Recording& other)
    : segments_(other.segments_),
      points_(other.points_),
      last_of_queue_(other.last_of_queue_),
      awaited_(other.awaited_),
      barrier_(other.barrier_),
      incomplete_(other.incomplete_) {}

Recording::Recording(const Recording& other, std::span<const cl_uint> new_queues, std::size_t queue_count)
    : Recording(other) {
  last_of_queue_.assign(queue_count, none);
  awaited_.assign(queue_count, {});
  for (std::uint32_t i = 0; i < segments_.size(); ++i) {
    Segment& segment = segments_[i];
    segment.queue = new_queues[segment.queue];
    // Segments of two queues that have become one queue also wait for each other.
    std::uint32_t& last = last_of_queue_[segment.queue];
    if (last != none) {
      segments_[last].is_open = false;
      if (std::ranges::find(segment.after, last) == segment.after.end()) segment.after.push_back(last);
    }
    last = i;
  }
}

std::vector<std::uint32_t> Recording::segments_of(std::span<const cl_sync_point_khr> points) const {
  std::vector<std::uint32_t> segments;
  if (last_of_queue_.size() == 1) return segments; // commands of one queue are in order anyway
  for (cl_sync_point_khr point : points)
    segments.push_back(points_[point - 1]);
  return segments;
}

/// Whether the newest segment of the queue waits for the other segment, possibly by way of others.
bool Recording::awaits(cl_uint queue, std::uint32_t segment) const {
  if (awaited_[queue].empty()) return false;
  const std::uint32_t newest = awaited_[queue][segments_[segment].queue];
  return newest != none && newest >= segment;
}

/// The segment for the next command of a queue, which waits for the segments `before`.
std::uint32_t Recording::segment_for(cl_uint queue, std::span<const std::uint32_t> before) {
  std::vector<std::uint32_t> after;
  // Segments of a queue wait for each other as in an in-order queue, since each command is parallel in
  // itself. So waiting for a segment means waiting for all segments before it in its queue.
  const auto wait_for = [&](std::uint32_t segment) {
    if (segments_[segment].queue != queue && !awaits(queue, segment)) after.push_back(segment);
  };
  std::ranges::for_each(before, wait_for);
  if (barrier_ != none) wait_for(barrier_);

  std::uint32_t& last = last_of_queue_[queue];
  if (last != none && segments_[last].is_open && after.empty()) return last;
  if (last != none) after.push_back(last);
  std::ranges::sort(after);
  after.erase(std::ranges::unique(after).begin(), after.end());
  if (!after.empty()) awaited_[queue].resize(last_of_queue_.size(), none);
  segments_.push_back({queue, std::move(after)});
  for (std::uint32_t segment : segments_.back().after) {
    segments_[segment].is_open = false;
    awaited_[queue][segments_[segment].queue] = segment; // the newest segment of a queue comes last
  }
  return last = static_cast<std::uint32_t>(segments_.size() - 1);
}

namespace {

void note_enqueuing(Recording::Segment& segment, const Recording::Step& step) {
  segment.enqueues |= step.launch && step.launch->record().signature().enqueues;
}

} // namespace

Recording::Place Recording::add(cl_uint queue, std::span<const cl_sync_point_khr> waits, Step step) {
  const bool lacks_arguments = !step.work;
  const std::uint32_t number = segment_for(queue, segments_of(waits));
  std::vector<Step>& steps = segments_[number].steps;
  points_.push_back(number);
  try {
    steps.push_back(std::move(step));
  } catch (...) {
    points_.pop_back();
    throw;
  }
  incomplete_ += lacks_arguments;
  note_enqueuing(segments_[number], steps.back());
  return {number, static_cast<std::uint32_t>(steps.size() - 1)};
}

void Recording::add_barrier(cl_uint queue, std::span<const cl_sync_point_khr> waits) {
  std::vector<std::uint32_t> awaited = segments_of(waits);
  if (waits.empty())
    std::ranges::copy_if(last_of_queue_, std::back_inserter(awaited),
                         [](std::uint32_t segment) { return segment != none; });
  const std::uint32_t number = segment_for(queue, awaited);
  points_.push_back(number);
  barrier_ = number;
}

Recording::Step Recording::replace(Place place, Step step) {
  Segment& segment = segments_[place.segment];
  Step& old = segment.steps[place.step];
  incomplete_ -= !old.work;
  incomplete_ += !step.work;
  if (step.launch && !step.launch->has_code()) segment.is_prepared.set(false);
  note_enqueuing(segment, step);
  return std::exchange(old, std::move(step));
}

cl_int Recording::prepare(std::size_t number, Queue& queue) const {
  const Segment& segment = segments_[number];
  if (segment.is_prepared.get()) return CL_SUCCESS;
  for (const Step& step : segment.steps)
    if (step.launch)
      if (cl_int status = step.launch->prepare(queue)) return status;
  segment.is_prepared.set(true);
  return CL_SUCCESS;
}

cl_int Recording::run(std::size_t number, Queue& queue, const Ref<DeviceQueue>& default_queue) const {
  const Segment& segment = segments_[number];
  const std::uint64_t begin = now_ns();
  for (const Step& step : segment.steps) {
    if (queue.context().is_terminated()) return CL_CONTEXT_TERMINATED_KHR;
    if (cl_int status = step.launch ? step.launch->run(queue, default_queue) : step.work->run(queue);
        status < 0)
      return status;
  }
  segment.ns.set(std::max<std::uint64_t>(1, now_ns() - begin));
  return CL_COMPLETE;
}

std::uint64_t Recording::estimate(std::size_t number) const {
  const std::uint64_t ns = segments_[number].ns.get();
  return ns ? ns : Queue::unknown;
}

} // namespace hostcl::runtime
