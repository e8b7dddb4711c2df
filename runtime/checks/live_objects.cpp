#include "runtime/checks/live_objects.hpp"

#include "compiler/settings/checks.hpp"

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

void LiveObjects::remove(const void* address) {
  std::scoped_lock guard(lock_);
  objects_.erase(std::bit_cast<std::uint64_t>(address));
}

LiveObject LiveObjects::find(std::uint64_t address) {
  std::scoped_lock guard(lock_);
  auto after = objects_.upper_bound(address);
  if (after == objects_.begin()) return {};
  const LiveObject& object = std::prev(after)->second;
  return address - object.first < object.bytes ? object : LiveObject{};
}

void note_object(const void* address, std::uint64_t bytes, const char* call) {
  if (compiler::has_checks()) LiveObjects::instance().add(address, bytes, call);
}

void forget_object(const void* address) {
  if (compiler::has_checks()) LiveObjects::instance().remove(address);
}

} // namespace hostcl::runtime::checks
