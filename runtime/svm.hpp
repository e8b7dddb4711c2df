#pragma once

// Shared virtual memory. Kernels may use any address of the process, so SVM allocations are ordinary memory;
// they are listed to free them, and to answer questions about pointers.

#include "runtime/context.hpp"
#include "runtime/lock.hpp"

#include <cstddef>
#include <map>

namespace hostcl::runtime {

class SvmAllocations {
public:
  static SvmAllocations& instance();

  /// @returns null if there is not enough memory.
  void* allocate(Context& context, std::size_t bytes, std::size_t alignment);
  /// Frees an allocation of the context; anything else is ignored.
  void free(Context& context, void* pointer);

  struct Range {
    void* first = nullptr;
    std::size_t bytes = 0;
  };
  /// The allocation around an address, empty if there is none.
  Range find(const void* address);
  bool contains(const void* address) { return find(address).first != nullptr; }

private:
  struct Allocation {
    std::size_t bytes;
    Ref<Context> context;
  };
  Lock lock_; ///< guards allocations_
  std::map<std::byte*, Allocation> allocations_;
};

} // namespace hostcl::runtime
