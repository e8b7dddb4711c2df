#include "runtime/memory/device_addresses.hpp"

#include <mutex>

namespace hostcl::runtime {

DeviceAddresses& DeviceAddresses::instance() {
  static auto* instance = new DeviceAddresses;
  return *instance;
}

const bool DeviceAddresses::is_held_over_fork_ = held_over_fork<process_lock>();

void DeviceAddresses::add(Memory& memory) {
  std::scoped_lock guard(lock_);
  buffers_.emplace(memory.data(), &memory);
}

void DeviceAddresses::remove(const Memory& memory) {
  std::scoped_lock guard(lock_);
  buffers_.erase(memory.data());
}

WeakMemory DeviceAddresses::find(std::uint64_t address) {
  std::scoped_lock guard(lock_);
  auto behind = buffers_.upper_bound(reinterpret_cast<const std::byte*>(address));
  if (behind == buffers_.begin()) return {};
  Memory& memory = *std::prev(behind)->second;
  const bool is_inside = address - reinterpret_cast<std::uintptr_t>(memory.data()) < memory.size();
  return is_inside ? WeakMemory(memory) : WeakMemory();
}

} // namespace hostcl::runtime
