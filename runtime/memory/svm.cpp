#include "runtime/memory/svm.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/memory/pages.hpp"

#include <mutex>

namespace hostcl::runtime {

namespace {

/// The name of the API function that made the allocation, for findings. "clSVMAlloc" stands for
/// clSVMAllocWithPropertiesKHR as well.
const char* name_of(const Allocations::Traits& traits) {
  if (traits.api == AllocationApi::svm) return "clSVMAlloc";
  switch (traits.kind) {
  case AllocationKind::host:
    return "clHostMemAllocINTEL";
  case AllocationKind::device:
    return "clDeviceMemAllocINTEL";
  default:
    return "clSharedMemAllocINTEL";
  }
}

void note_free(std::byte* memory, std::size_t bytes, AllocationApi api) {
  checks::note_freed(memory, bytes, api == AllocationApi::svm ? "clSVMFree" : "clMemFreeINTEL");
}

constexpr cl_svm_capabilities_khr kernels =
    CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR |
    CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR |
    CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
constexpr cl_svm_capabilities_khr host_at_any_time =
    CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR |
    CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;
constexpr cl_svm_capabilities_khr unassociated = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
constexpr cl_svm_capabilities_khr mapped = CL_SVM_CAPABILITY_HOST_MAP_KHR;

constexpr std::array<cl_svm_capabilities_khr, 6> all_capabilities = {
    kernels | unassociated | mapped,                                                             // coarse
    kernels | unassociated | mapped | host_at_any_time,                                          // fine
    kernels | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,                                                // device
    kernels | unassociated | host_at_any_time | CL_SVM_CAPABILITY_HOST_OWNED_KHR,                // host
    kernels | host_at_any_time,                                                                  // shared
    kernels | unassociated | mapped | host_at_any_time | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR, // system
};

} // namespace

std::span<const cl_svm_capabilities_khr> svm_capabilities() {
  return std::span(all_capabilities).first(all_capabilities.size() - !Device::shares_all_memory());
}

namespace validate {

Status has_svm(const Device& device) {
  if (device.limits().svm) [[likely]]
    return {};
  return fail(CL_INVALID_OPERATION, "the device has no SVM (CL_DEVICE_SVM_CAPABILITIES is 0)");
}

Status has_kernel_pointers(const Device& device) {
  return device.has_extension("cl_intel_unified_shared_memory") ? Status() : has_svm(device);
}

} // namespace validate

Allocations& Allocations::instance() {
  static auto* instance = new Allocations;
  return *instance;
}

const bool Allocations::is_held_over_fork_ = held_over_fork<process_lock>();

void* Allocations::allocate(std::size_t bytes, std::size_t alignment, Traits traits) {
  Context& context = *traits.context;
  if (!context.reserve_memory(bytes)) return nullptr;
  std::byte* memory = allocate_for(context, bytes, alignment);
  if (!memory) {
    context.unreserve_memory(bytes);
    return nullptr;
  }
  try {
    std::scoped_lock guard(lock_);
    allocations_.emplace(memory, Entry{bytes, traits});
    checks::note_object(memory, bytes, name_of(traits));
    if (traits.kind == AllocationKind::device) checks::note_unwritten(memory, bytes);
  } catch (...) {
    free_for(context, memory);
    context.unreserve_memory(bytes);
    throw;
  }
  return memory;
}

Status Allocations::import(std::byte* first, int descriptor, std::size_t bytes, bool is_writable,
                           Traits traits) {
  // Locked before the mapping: else another import at the address could take this mapping for the application's.
  std::scoped_lock guard(lock_);
  TRY(ExternalMemory memory, ExternalMemory::map_at(first, descriptor, bytes, is_writable));
  const auto after = allocations_.lower_bound(first + bytes);
  if (after != allocations_.begin())
    if (const auto& [address, before] = *std::prev(after); address + before.bytes > first)
      return fail(CL_INVALID_PROPERTY, "some of the ", bytes, " bytes at ", static_cast<void*>(first),
                  " belong to another SVM allocation");
  const char* const call = name_of(traits);
  allocations_.emplace_hint(after, first, Entry{bytes, std::move(traits), std::move(memory)});
  checks::note_object(first, bytes, call);
  return {};
}

bool Allocations::free(Context& context, void* pointer, AllocationApi api) {
  // Destroyed after the lock has been released: the node has a reference to the context, perhaps the last one.
  decltype(allocations_)::node_type node;
  {
    std::scoped_lock guard(lock_);
    auto found = allocations_.find(static_cast<std::byte*>(pointer));
    if (found == allocations_.end()) return false;
    const Traits& traits = found->second.traits;
    if (traits.context.get() != &context || traits.api != api) return false;
    node = allocations_.extract(found);
    if (node.mapped().external) {
      // Done under the lock, before the memory is unmapped: afterwards another import may use the addresses.
      note_free(node.key(), node.mapped().bytes, api);
      checks::forget_object(node.key());
      checks::forget_accesses(node.key(), node.mapped().bytes);
      node.mapped().external = {};
      return true;
    }
  }
  note_free(node.key(), node.mapped().bytes, api);
  checks::forget_unwritten(node.key());
  const auto [unused, bytes] = checks::release_object(node.key());
  checks::forget_accesses(unused, bytes);
  if (unused) free_for(context, unused);
  context.unreserve_memory(node.mapped().bytes);
  return true;
}

/// The entry of the allocation that contains an address, or the end. The caller holds lock_.
std::map<std::byte*, Allocations::Entry>::iterator Allocations::around(const void* address) {
  auto* wanted = static_cast<std::byte*>(const_cast<void*>(address));
  const auto after = allocations_.upper_bound(wanted);
  if (after == allocations_.begin()) return allocations_.end();
  const auto before = std::prev(after);
  const bool is_inside = static_cast<std::size_t>(wanted - before->first) < before->second.bytes;
  return is_inside ? before : allocations_.end();
}

Allocations::Allocation Allocations::find(const void* address) {
  std::scoped_lock guard(lock_);
  const auto found = around(address);
  if (found == allocations_.end()) return {};
  return {found->first, found->second.bytes, found->second.traits};
}

std::span<const std::byte> Allocations::bytes_around(const void* address) {
  std::scoped_lock guard(lock_);
  const auto found = around(address);
  if (found == allocations_.end()) return {};
  return {found->first, found->second.bytes};
}

std::span<const std::byte> Allocations::extent() {
  std::scoped_lock guard(lock_);
  if (allocations_.empty()) return {};
  const auto& [last, entry] = *allocations_.rbegin();
  return {allocations_.begin()->first, last + entry.bytes};
}

} // namespace hostcl::runtime
