#pragma once

// Memory that the application knows by its address: shared virtual memory, and the host, device and shared
// allocations of cl_intel_unified_shared_memory. Kernels may use any address of the process, so all of it is
// ordinary memory; it is listed to free it, and to answer questions about pointers.

#include "runtime/object/context.hpp"
#include "runtime/support/lock.hpp"

#include <cstddef>
#include <map>

namespace hostcl::runtime {

enum class AllocationKind { none, svm, host, device, shared };

class Allocations {
public:
  static Allocations& instance();

  /// The properties of an allocation besides its bytes.
  struct Traits {
    AllocationKind kind = AllocationKind::none;
    Ref<Context> context;
    Ref<Device> device; ///< the device that it was made for, if any
    cl_mem_alloc_flags_intel flags = 0;
  };

  /// @returns null if there is not enough memory.
  void* allocate(std::size_t bytes, std::size_t alignment, Traits traits);
  /// Frees SVM, or else any other kind, of the context. @returns false if there is no such allocation.
  bool free(Context& context, void* pointer, bool svm);

  struct Allocation {
    void* first = nullptr;
    std::size_t bytes = 0;
    Traits traits;
  };
  /// The allocation around an address, of kind `none` if there is none.
  Allocation find(const void* address);

private:
  struct Entry {
    std::size_t bytes;
    Traits traits;
  };
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards allocations_
  std::map<std::byte*, Entry> allocations_;
};

} // namespace hostcl::runtime
