#include "runtime/svm.hpp"

#include "runtime/memory.hpp"

#include <mutex>

namespace hostcl::runtime {

SvmAllocations& SvmAllocations::instance() {
  static auto* instance = new SvmAllocations;
  return *instance;
}

void* SvmAllocations::allocate(Context& context, std::size_t bytes, std::size_t alignment) {
  if (!context.reserve_memory(bytes)) return nullptr;
  std::byte* memory = allocate_pages(bytes, alignment);
  if (!memory) {
    context.unreserve_memory(bytes);
    return nullptr;
  }
  try {
    Allocation allocation{bytes, Ref<Context>(context)};
    std::scoped_lock guard(lock_);
    allocations_.emplace(memory, std::move(allocation));
  } catch (...) {
    free_pages(memory);
    context.unreserve_memory(bytes);
    throw;
  }
  return memory;
}

void SvmAllocations::free(Context& context, void* pointer) {
  decltype(allocations_)::node_type node;
  {
    std::scoped_lock guard(lock_);
    auto found = allocations_.find(static_cast<std::byte*>(pointer));
    if (found == allocations_.end() || found->second.context.get() != &context) return;
    node = allocations_.extract(found);
  }
  free_pages(node.key());
  context.unreserve_memory(node.mapped().bytes);
}

SvmAllocations::Range SvmAllocations::find(const void* address) {
  auto* wanted = static_cast<std::byte*>(const_cast<void*>(address));
  std::scoped_lock guard(lock_);
  auto behind = allocations_.upper_bound(wanted);
  if (behind == allocations_.begin()) return {};
  auto& [first, allocation] = *std::prev(behind);
  if (static_cast<std::size_t>(wanted - first) >= allocation.bytes) return {};
  return {first, allocation.bytes};
}

} // namespace hostcl::runtime
