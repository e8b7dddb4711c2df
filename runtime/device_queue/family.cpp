#include "runtime/device_queue/family.hpp"

#include "runtime/queue/background.hpp"
#include "runtime/queue/group_ranges.hpp"
#include "runtime/queue/launch_run.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace hostcl::runtime {

namespace {

/// A child that is expected to take less than this is short.
constexpr double short_ns = 20'000;
/// Children that suit one thread are worth the device's threads if they take more than this together.
constexpr double together_ns = 60'000;

/// Nanoseconds that a child is expected to take; 0 if its kernel never ran.
double expected_ns(const Child& child) {
  if (child.is_marker()) return 1;
  return child.kernel().group_ns(items_per_group(child.range())) *
         static_cast<double>(group_total(child.range()));
}

/// Whether a child is better run by one thread beside others: it is short, or cannot be split. A kernel that never
/// ran may have to be compiled.
bool suits_one_thread(const Child& child) {
  const double ns = expected_ns(child);
  const std::uint64_t groups = group_total(child.range());
  return child.has_failed_dependency() || groups == 0 || (ns > 0 && (ns < short_ns || groups == 1));
}

/// What run_launch() takes for children of the child.
Parent* parent_of(Child& child) {
  return child.signature().enqueues ? &child : nullptr;
}

} // namespace

Family::Family(const LaunchRecord& launch, const Context& context, const Device& device, Workers& workers,
               Ref<DeviceQueue> default_queue)
    : root_(*this),
      launch_(launch),
      context_(context),
      device_(device),
      workers_(workers),
      default_queue_(std::move(default_queue)) {}

cl_int run_family(const LaunchRecord& launch, compiler::KernelChoice choice, const Context& context,
                  const Device& device, Workers& workers, const Ref<DeviceQueue>& default_queue,
                  std::uint64_t& kernel_end) {
  struct Release {
    void operator()(Family* family) const { family->release(); }
  };
  const std::unique_ptr<Family, Release> family(new Family(launch, context, device, workers, default_queue));
  try {
    run_launch(launch, choice, context.services(), workers, &family->root());
  } catch (const std::bad_alloc&) {
    family->root().note_failure(CL_OUT_OF_HOST_MEMORY); // what has been enqueued runs nonetheless
  }
  kernel_end = now_ns();
  return family->run_descendants();
}

// ---- Ready children

void Family::make_ready(const ChildList& children, std::size_t count) {
  retain();
  {
    std::scoped_lock guard(lock_);
    ready_.prepend(children);
    ready_count_ += count;
    if (std::exchange(is_asleep_, false)) {
      wakes_.fetch_add(1, std::memory_order_release);
      wakes_.notify_one();
    }
  }
  release();
}

/// The next child to run, for the thread of the command; null if all is done.
Child* Family::next() {
  bool has_published = false;
  for (;;) {
    std::uint32_t wakes;
    {
      std::scoped_lock guard(lock_);
      if (Child* child = ready_.take()) {
        --ready_count_;
        return child;
      }
      if (is_done_) return nullptr;
      is_asleep_ = has_published;
      wakes = wakes_.load(std::memory_order_relaxed);
    }
    // Commands that no call has flushed may set the events that all are waiting for.
    if (!std::exchange(has_published, true))
      Background::instance().publish_all();
    else
      wakes_.wait(wakes, std::memory_order_acquire);
  }
}

/// The next children that suit one thread, for threads that help: a small part of those that are ready.
ChildList Family::take_some() {
  constexpr std::size_t most = 16;
  ChildList taken;
  std::scoped_lock guard(lock_);
  std::size_t left = std::clamp<std::size_t>(ready_count_ / (std::size_t{4} * workers_.threads()), 1, most);
  for (; left > 0 && ready_.first && suits_one_thread(*ready_.first); --left) {
    taken.add(*ready_.take());
    --ready_count_;
  }
  return taken;
}

// ---- Running

cl_int Family::run_descendants() {
  root_.release_children();
  drop(root_);
  LastCode last;
  while (Child* child = next())
    if (pays_together(*child))
      work_together(*child);
    else
      run(*child, last, /*on_this_thread=*/false);
  return root_.status();
}

/// Whether this child and those behind it are worth a thread each.
bool Family::pays_together(const Child& child) {
  if (workers_.threads() == 1 || child.is_marker() || !suits_one_thread(child)) return false;
  std::size_t others;
  {
    std::scoped_lock guard(lock_);
    others = ready_count_;
  }
  return others > 0 && expected_ns(child) * static_cast<double>(others + 1) > together_ns;
}

void Family::work_together(Child& first) {
  LastCode last;
  run(first, last, /*on_this_thread=*/true);
  auto body = [this](std::uint64_t, std::uint64_t) { help(); };
  workers_.for_ranges(0, workers_.threads(), 1, body);
}

/// Runs children that suit one thread until none is ready.
void Family::help() {
  LastCode last;
  for (ChildList children = take_some(); children.first; children = take_some())
    while (Child* child = children.take())
      run(*child, last, /*on_this_thread=*/true);
}

void Family::run(Child& child, LastCode& last, bool on_this_thread) try {
  if (child.has_failed_dependency()) {
    child.note_failure(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  } else if (!child.is_marker() && group_total(child.range()) > 0) {
    const compiler::KernelChoice choice = code_for(child, last);
    if (child.has_event()) child.times().started = now_ns();
    if (!choice.code)
      child.note_failure(CL_OUT_OF_RESOURCES);
    else if (on_this_thread || suits_one_thread(child))
      run_alone(child, choice);
    else
      run_launch(child, choice, context_.services(), workers_, parent_of(child));
  } else if (child.has_event()) {
    child.times().started = now_ns();
  }
  end(child);
} catch (const std::exception& error) {
  log(LogLevel::error, "a kernel that '", launch_.signature().name, "' enqueued failed: ", error.what());
  child.note_failure(CL_OUT_OF_HOST_MEMORY);
  end(child);
}

/// Machine code, which is made unless there is some; none if that fails.
compiler::KernelChoice Family::code_for(Child& child, LastCode& last) {
  LoadedKernel& kernel = child.kernel();
  if (last.kernel == &kernel && last.choice.is_best &&
      std::memcmp(&last.range, &child.range(), sizeof(last.range)) == 0)
    return last.choice;
  std::string log_text;
  const compiler::KernelChoice choice = kernel.code(child.range(), &log_text);
  if (!choice.code)
    log(LogLevel::error, "a block of '", launch_.signature().name, "' has no machine code: ", log_text);
  last = {&kernel, child.range(), choice};
  return choice;
}

void Family::run_alone(Child& child, compiler::KernelChoice choice) {
  const std::uint64_t begin = now_ns();
  run_launch_serially(child, choice, context_.services(), parent_of(child));
  const auto ns = static_cast<double>(now_ns() - begin);
  child.kernel().note_group_ns(ns / static_cast<double>(group_total(child.range())),
                               items_per_group(child.range()));
}

// ---- The end of children

/// The child's work-items have ended, or it has none.
void Family::end(Child& child) {
  child.note_end();
  child.release_children();
  drop(child);
}

/// Counts one thing less that `parent` is incomplete for, and so on upwards.
void Family::drop(Parent& parent) {
  for (Parent* done = &parent; done->drop();) {
    if (done == &root_) {
      std::scoped_lock guard(lock_);
      is_done_ = true;
      return; // the thread that looks for is_done_ is this one, or waits for it
    }
    auto& child = static_cast<Child&>(*done);
    Parent& parents = *child.parent();
    if (child.status() < 0) parents.note_failure(child.status());
    child.complete();
    child.destroy();
    done = &parents;
  }
}

} // namespace hostcl::runtime
