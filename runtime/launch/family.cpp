#include "runtime/launch/family.hpp"

#include "runtime/context/context.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/background.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace hostcl::runtime {

compiler::CodeLimit limit_of_launch(compiler::CodeHost* host) {
  constexpr std::uint64_t second_ns = 1'000'000'000, patience = 10; // in wall time, if the machine is busy
  constexpr std::uint64_t longest = ~std::uint64_t{0} / 4 / patience / second_ns;
  const std::uint64_t seconds = host ? options().kernel_seconds : 0;
  if (seconds == 0 || seconds > longest) return {};
  const std::uint64_t now = host->wall_ns(), ns = seconds * second_ns;
  return {now + ns, host->cpu_ns() + ns, now + patience * ns};
}

Family::Family(const LaunchRecord& launch, const Context& context, const Device& device,
               Ref<DeviceQueue> default_queue)
    : root_(*this),
      launch_(launch),
      context_(context),
      device_(device),
      default_queue_(std::move(default_queue)),
      limit_(limit_of_launch(context.code_host().get())) {}

// ---- Ready children

void Family::make_ready(const ChildList& children, std::size_t count) {
  retain();
  {
    std::scoped_lock guard(lock_);
    ready_.prepend(children);
    ready_count_ += count;
    if (std::exchange(is_asleep_, false)) wake_ups_.wake_one();
  }
  release();
}

Child* Family::next() {
  bool has_published = false;
  for (;;) {
    std::uint32_t wake_ups;
    {
      std::scoped_lock guard(lock_);
      if (Child* child = ready_.take()) {
        --ready_count_;
        return child;
      }
      if (is_done_) return nullptr;
      is_asleep_ = has_published;
      wake_ups = wake_ups_.number();
    }
    // All remaining children may wait for device events that kernels of other commands set. The application may not
    // have flushed these commands, so this thread publishes them before it sleeps.
    if (!std::exchange(has_published, true))
      Background::instance().publish_all();
    else
      wake_ups_.sleep(wake_ups);
  }
}

ChildList Family::take_some(std::size_t part, bool (*suits)(const Child&)) {
  constexpr std::size_t most = 16;
  ChildList taken;
  std::scoped_lock guard(lock_);
  for (std::size_t left = std::clamp<std::size_t>(ready_count_ / part, 1, most);
       left > 0 && ready_.first && suits(*ready_.first); --left) {
    taken.add(*ready_.take());
    --ready_count_;
  }
  return taken;
}

std::size_t Family::ready_count() {
  std::scoped_lock guard(lock_);
  return ready_count_;
}

void Family::note_trap(Parent& parent, TrapReason trap) {
  if (!trap) return;
  parent.note_failure(trap_status);
  std::scoped_lock guard(lock_);
  if (!trap_) trap_ = std::move(trap);
}

// ---- The end of children

void Family::end(Child& child) {
  child.note_end();
  child.release_children();
  drop(child);
}

void Family::end_root() {
  root_.release_children();
  drop(root_);
}

/// Removes one of the reasons why `parent` is incomplete. If it was the last reason, the parent is complete, and one
/// reason of the parent's own parent is removed as well.
void Family::drop(Parent& parent) {
  for (Parent* done = &parent; done->drop();) {
    if (done == &root_) {
      std::scoped_lock guard(lock_);
      is_done_ = true;
      // Only the launch's thread calls next(), which reads is_done_, and it cannot sleep there now: it is either this
      // thread, or waits in for_ranges() until this thread has returned. So nobody has to be woken.
      return;
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
