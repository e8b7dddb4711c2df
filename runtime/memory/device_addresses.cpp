#include "runtime/memory/device_addresses.hpp"

#include <mutex>

namespace hostcl::runtime {

DeviceAddresses& DeviceAddresses::instance() {
  static auto* instance = new DeviceAddresses;
  return *instance;
}

const bool DeviceAddresses::is_held_over_fork_ = held_over_fork<process_lock>();

void DeviceAddresses::add(Memory& buffer, const std::byte* data) {
  std::scoped_lock guard(lock_);
  buffers_.emplace(data, &buffer);
}

void DeviceAddresses::remove(const Memory& buffer) {
  std::scoped_lock guard(lock_);
  buffers_.erase(buffer.data());
}

WeakMemory DeviceAddresses::find(std::uint64_t address) {
  std::scoped_lock guard(lock_);
  auto after = buffers_.upper_bound(reinterpret_cast<const std::byte*>(address));
  if (after == buffers_.begin()) return {};
  Memory& buffer = *std::prev(after)->second;
  const bool is_inside = address - reinterpret_cast<std::uintptr_t>(buffer.data()) < buffer.size();
  return is_inside ? WeakMemory(buffer) : WeakMemory();
}

} // namespace hostcl::runtime
