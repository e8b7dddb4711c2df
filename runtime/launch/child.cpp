#include "runtime/launch/child.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/launch/family.hpp"
#include "runtime/support/clock.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace hostcl::runtime {

// ---- Lists

void ChildList::add(Child& child) {
  child.next_ = nullptr;
  (last ? last->next_ : first) = &child;
  last = &child;
}

Child* ChildList::take() {
  Child* child = first;
  if (!child) return nullptr;
  first = child->next_;
  if (!first) last = nullptr;
  return child;
}

void ChildList::prepend(const ChildList& others) {
  others.last->next_ = first;
  first = others.first;
  if (!last) last = others.last;
}

void ChildList::unblock_all() {
  ChildList ready;
  std::size_t count = 0;
  while (Child* child = take())
    if (child->unblock()) {
      ready.add(*child);
      ++count;
    }
  if (count > 0) ready.first->family().make_ready(ready, count);
}

// ---- Parents

void Parent::wait_for_kernel(Child& child) {
  std::scoped_lock guard(lock_);
  after_kernel_.add(child);
}

void Parent::release_children() {
  after_kernel_.unblock_all(); // all work-items have ended, so that no child is added any more
}

// ---- Children

/// The offsets of the parts of a child's memory: the object, its ChildWaits, its arguments and the block
/// literal.
struct Child::Layout {
  std::size_t waits, arguments, literal, bytes;
  std::uint32_t alignment;

  Layout(const Description& description, std::size_t wait_count) {
    const abi::BlockLaunch& launch = description.launch;
    const std::size_t literal_alignment = launch.literal ? std::max(launch.literal_alignment, 1u) : 1;
    alignment = static_cast<std::uint32_t>(std::max(alignof(Child), literal_alignment));
    waits = abi::aligned(sizeof(Child), alignof(ChildWait));
    arguments = waits + wait_count * sizeof(ChildWait);
    const std::size_t count = 1 + std::size_t{launch.local_count};
    literal = abi::aligned(arguments + checks::block_bytes(count * sizeof(std::uint64_t), count),
                           literal_alignment);
    bytes = literal + (launch.literal ? launch.literal_bytes : 0);
  }
};

Child::Child(Parent& parent, const Description& description, const Layout& layout, Ref<DeviceEvent> event)
    : Parent(parent.family(), &parent),
      RunnableLaunch(description.kernel, description.range),
      queue_(description.queue),
      event_(std::move(event)),
      alignment_(layout.alignment),
      bytes_(layout.bytes) {
  if (!is_marker()) place(description, layout);
}

/// Copies the block literal, whose address is the kernel's first argument, and the sizes of the `local`
/// arguments.
void Child::place(const Description& description, const Layout& layout) {
  auto* memory = reinterpret_cast<std::byte*>(this);
  const abi::BlockLaunch& launch = description.launch;
  auto* slots = memory + layout.arguments;
  std::byte* literal = launch.literal ? memory + layout.literal : nullptr;
  if (const auto& host = queue_->context().code_host(); literal && host) {
    hosted_literal_ = host->allocate_data(launch.literal_bytes, std::max(launch.literal_alignment, 1u));
    if (!hosted_literal_) throw std::bad_alloc();
    literal = hosted_literal_;
  }
  if (literal) std::memcpy(literal, launch.literal, launch.literal_bytes);
  std::memcpy(slots, &literal, sizeof(literal));
  if (launch.local_count)
    std::memcpy(slots + sizeof(literal), launch.local_sizes, launch.local_count * sizeof(std::uint64_t));
  arguments_ = slots;
  has_placed_arguments_ = launch.local_count != 0;
  checks::find_objects(signature(), slots);
}

Child* Child::make(Parent& parent, const Description& description, std::span<const Ref<DeviceEvent>> waits,
                   Ref<DeviceEvent> event) {
  const Layout layout(description, waits.size());
  if (!description.queue.reserve(layout.bytes)) return nullptr;
  void* memory = ::operator new(layout.bytes, std::align_val_t{layout.alignment}, std::nothrow);
  if (!memory) {
    description.queue.unreserve(layout.bytes);
    throw std::bad_alloc();
  }
  Child* child;
  try {
    child = new (memory) Child(parent, description, layout, std::move(event));
  } catch (...) {
    ::operator delete(memory, std::align_val_t{layout.alignment});
    description.queue.unreserve(layout.bytes);
    throw;
  }
  parent.add_child();
  auto* wait = reinterpret_cast<ChildWait*>(static_cast<std::byte*>(memory) + layout.waits);
  for (const Ref<DeviceEvent>& awaited : waits) {
    new (wait) ChildWait{.child = child};
    child->blockers_.add();
    if (!awaited->add(*wait++)) child->dependency_done(awaited->status());
  }
  return child;
}

Child::~Child() {
  if (hosted_literal_) queue_->context().code_host()->free_data(hosted_literal_);
}

void Child::destroy() {
  const std::size_t bytes = bytes_;
  const std::align_val_t alignment{alignment_};
  this->~Child();
  ::operator delete(this, bytes, alignment);
}

void Child::dependency_done(cl_int status) {
  if (status < 0) failed_dependency_.store(true, std::memory_order_relaxed);
  if (unblock()) family().make_ready({this, this}, 1);
}

void Child::note_end() {
  if (event_) times_.ended = now_ns();
  queue_->unreserve(bytes_);
}

void Child::complete() {
  if (!event_) return;
  times_.completed = now_ns();
  complete_event(*event_, status(), times_);
}

void complete_event(DeviceEvent& event, cl_int status, const ChildTimes& times) {
  for (ChildWait* wait = event.complete(status, times); wait;) {
    // The child, and with it the element, may be destroyed as soon as dependency_done() has been called.
    const ChildWait now = *wait;
    now.child->dependency_done(status);
    wait = now.next;
    event.release(); // never the last reference: the caller has one
  }
}

} // namespace hostcl::runtime
