#include "runtime/checks/live_objects.hpp"
#include "runtime/support/enabled_checks.hpp"

#include <bit>
#include <mutex>

namespace hostcl::runtime::checks {

LiveObjects& LiveObjects::instance() {
  static auto* instance = new LiveObjects;
  return *instance;
}

const bool LiveObjects::is_held_over_fork_ = held_over_fork<process_lock>();

void LiveObjects::add(const void* address, std::uint64_t bytes, const char* call) {
  const auto first = std::bit_cast<std::uint64_t>(address);
  std::scoped_lock guard(lock_);
  objects_.insert_or_assign(first, LiveObject{first, bytes, call, ++last_number_});
}

UnusedMemory LiveObjects::release(std::byte* address) {
  constexpr std::size_t most_objects = 4096;
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;
  std::scoped_lock guard(lock_);
  auto found = objects_.find(std::bit_cast<std::uint64_t>(address));
  if (found == objects_.end() || found->second.bytes > most_bytes) {
    const std::uint64_t bytes = found == objects_.end() ? 0 : found->second.bytes;
    if (bytes) objects_.erase(found);
    return {address, bytes};
  }
  released_.push_back(found->first);
  found->second.is_released = true;
  released_bytes_ += found->second.bytes;
  if (released_.size() <= most_objects && released_bytes_ <= most_bytes) return {};
  auto oldest = objects_.find(released_.front());
  released_.pop_front();
  released_bytes_ -= oldest->second.bytes;
  const UnusedMemory unused{std::bit_cast<std::byte*>(oldest->first), oldest->second.bytes};
  objects_.erase(oldest);
  return unused;
}

void LiveObjects::remove(const void* address) {
  std::scoped_lock guard(lock_);
  objects_.erase(std::bit_cast<std::uint64_t>(address));
}

LiveObject LiveObjects::find_nearest(std::uint64_t address) {
  std::scoped_lock guard(lock_);
  auto after = objects_.upper_bound(address);
  return after == objects_.begin() ? LiveObject{} : std::prev(after)->second;
}

LiveObject LiveObjects::find(std::uint64_t address) {
  const LiveObject object = find_nearest(address);
  return address - object.first < object.bytes ? object : LiveObject{};
}

void note_object(const void* address, std::uint64_t bytes, const char* call) {
  if (checks::has_checks()) LiveObjects::instance().add(address, bytes, call);
}

UnusedMemory release_object(std::byte* memory) {
  return checks::has_checks() ? LiveObjects::instance().release(memory) : UnusedMemory{memory};
}

void forget_object(const void* memory) {
  if (checks::has_checks()) LiveObjects::instance().remove(memory);
}

} // namespace hostcl::runtime::checks
