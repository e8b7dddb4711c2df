#pragma once

// Memory that the application knows by its address: shared virtual memory (clSVMAlloc, and all types of
// cl_khr_unified_svm), and the host, device and shared allocations of cl_intel_unified_shared_memory. Kernels may
// use any address of the process, so all of it is ordinary memory; it is listed to free it, and to answer questions
// about pointers.

#include "runtime/context/context.hpp"
#include "runtime/support/lock.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// The types of shared virtual memory, in the order of their indices in cl_khr_unified_svm; `none` is not a type. The
/// allocations of cl_intel_unified_shared_memory are of the types host, device and shared.
enum class AllocationKind { coarse, fine, device, host, shared, system, none };

/// What each type can do (CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR). All of it is memory of one process that every kernel
/// reaches, so each type has more than its definition asks for; what it would not have on another device, such as
/// access of the host to a device's memory, it does not promise.
extern const std::array<cl_svm_capabilities_khr, 6> svm_capabilities;

/// The entry points that an allocation came through; it is freed through those.
enum class AllocationApi { svm, intel };

class Allocations {
public:
  static Allocations& instance();

  /// The properties of an allocation besides its bytes.
  struct Traits {
    AllocationKind kind = AllocationKind::none;
    AllocationApi api = AllocationApi::svm;
    Ref<Context> context;
    Ref<Device> device = {}; ///< the device that it was made for, if any
    cl_bitfield flags = 0;   ///< cl_mem_alloc_flags_intel, or the access flags of SVM
    std::vector<cl_svm_alloc_properties_khr> properties = {}; ///< as they were given, with the 0 at their end
  };

  /// @returns null if there is not enough memory.
  void* allocate(std::size_t bytes, std::size_t alignment, Traits traits);
  /// Frees an allocation of the context. @returns false if there is none at the address that came through the API.
  bool free(Context& context, void* pointer, AllocationApi api);

  struct Allocation {
    void* first = nullptr;
    std::size_t bytes = 0;
    Traits traits;
  };
  /// The allocation around an address, of kind `none` if there is none.
  Allocation find(const void* address);
  /// Its bytes; none if there is none.
  std::span<const std::byte> bytes_around(const void* address);

private:
  struct Entry {
    std::size_t bytes;
    Traits traits;
  };
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  std::map<std::byte*, Entry>::iterator around(const void* address);
  Lock lock_; ///< guards allocations_
  std::map<std::byte*, Entry> allocations_;
};

} // namespace hostcl::runtime
