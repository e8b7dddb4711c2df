#pragma once

// Memory that the application uses by its address: shared virtual memory (clSVMAlloc and all types of
// cl_khr_unified_svm), and the host, device and shared allocations of cl_intel_unified_shared_memory. Kernels
// may access any address of the process, so these allocations are ordinary memory. They are listed so that
// they can be freed, and so that queries about pointers can be answered.

#include "runtime/context/context.hpp"
#include "runtime/memory/external_memory.hpp"
#include "runtime/support/lock.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// The types of shared virtual memory, in the order of their indices in cl_khr_unified_svm; `none` means that
/// there is no allocation. Allocations of cl_intel_unified_shared_memory have one of the types host, device
/// and shared.
enum class AllocationKind { coarse, fine, device, host, shared, system, none };

/// The capabilities of each type (CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR). Memory of each type is ordinary
/// memory of the process, so each type could do everything. The driver reports only what applications can
/// rely on with the type on other devices: for example, not that the host can access memory of type `device`.
/// If kernels run in other processes (Device::shares_all_memory()), the last type, `system`, is missing.
std::span<const cl_svm_capabilities_khr> svm_capabilities();

namespace validate {

/// CL_INVALID_OPERATION if the device has no kind of SVM.
Status has_svm(const Device& device);
/// Checks that kernels of the device take pointers as arguments. CL_INVALID_OPERATION if the device has neither SVM nor
/// cl_intel_unified_shared_memory.
Status has_kernel_pointers(const Device& device);

} // namespace validate

/// The API that an allocation was made with. It has to be freed by the same API.
enum class AllocationApi { svm, intel };

/// The list of allocations. There is one object for each process; any thread may call its methods.
class Allocations {
public:
  static Allocations& instance();

  /// The properties of an allocation.
  struct Traits {
    AllocationKind kind = AllocationKind::none;
    AllocationApi api = AllocationApi::svm;
    Ref<Context> context;
    Ref<Device> device = {}; ///< the device that it was made for, if any
    /// cl_mem_alloc_flags_intel, or the value of CL_SVM_ALLOC_ACCESS_FLAGS_KHR; 0 for clSVMAlloc.
    cl_bitfield flags = 0;
    std::vector<cl_svm_alloc_properties_khr> properties = {}; ///< as given, with the 0 at the end
  };

  /// @returns null if there is not enough memory
  void* allocate(std::size_t bytes, std::size_t alignment, Traits traits);
  /// Maps external memory at an address and adds it. CL_INVALID_PROPERTY if another allocation has some of the
  /// addresses. Parameters as for ExternalMemory::map_at().
  Status import(std::byte* first, int descriptor, std::size_t bytes, bool is_writable, Traits traits);
  /// Frees an allocation of the context. @returns false if the API has made no allocation of the context at
  /// the address
  bool free(Context& context, void* pointer, AllocationApi api);

  struct Allocation {
    void* first = nullptr;
    std::size_t bytes = 0;
    Traits traits;
  };
  /// The allocation that contains an address, of kind `none` if there is none.
  Allocation find(const void* address);
  /// The bytes of the allocation that contains an address; empty if there is none.
  std::span<const std::byte> bytes_around(const void* address);
  /// From the first byte of the allocation with the lowest address to the last byte of the one with the highest.
  std::span<const std::byte> extent();

private:
  struct Entry {
    std::size_t bytes;
    Traits traits;
    ExternalMemory external = {}; ///< if the memory is not the driver's
  };
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  std::map<std::byte*, Entry>::iterator around(const void* address);
  Lock lock_; ///< guards allocations_ and the mappings of external memory
  std::map<std::byte*, Entry> allocations_;
};

} // namespace hostcl::runtime
