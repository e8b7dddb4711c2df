#pragma once

// Memory that is imported from a file descriptor (cl_khr_external_memory). It is mapped while a memory object
// uses it.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/object.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// The types of handles that memory can be imported from. There are none if kernels run in other processes
/// (Device::shares_all_memory()). Images have the same layout in imported memory as in buffers.
std::span<const cl_external_memory_handle_type_khr> external_memory_handle_types();

/// A handle as the application gives it to clCreate*WithProperties.
struct ExternalHandle {
  cl_external_memory_handle_type_khr type;
  int descriptor;
  std::vector<Ref<Device>> devices; ///< devices that may use the memory
};

/// The property list of clCreateBufferWithProperties or clCreateImageWithProperties, after it has been
/// checked.
struct MemoryProperties {
  std::vector<cl_mem_properties> list; ///< the list as given, with its end; empty if there was none
  bool device_address = false;         ///< CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  std::optional<ExternalHandle> external;

  /// @param for_buffer whether properties are allowed that only buffers have
  static Result<MemoryProperties> checked(const Context& context, const cl_mem_properties* list,
                                          bool for_buffer);
};

/// The file descriptor that a property of a memory object or of SVM has as its value. CL_INVALID_PROPERTY if it is not
/// open, or if kernels run in other processes.
Result<int> descriptor_of(cl_properties property, cl_properties value);

/// A mapping of external memory. The destructor unmaps it.
class ExternalMemory {
public:
  /// Maps the memory. The descriptor still belongs to the application until own() is called.
  /// @param slack bytes after the memory that may be read as well
  /// @param too_small the error if the memory has less than `bytes`
  static Result<ExternalMemory> map(const ExternalHandle& handle, cl_mem_flags flags, std::size_t bytes,
                                    std::size_t slack, cl_int too_small);

  /// Maps the memory at an address. The descriptor stays the application's. If the application has mapped the same
  /// memory there, its mapping is used, and the destructor leaves it.
  static Result<ExternalMemory> map_at(std::byte* address, int descriptor, std::size_t bytes,
                                       bool is_writable);

  ExternalMemory() = default;
  ExternalMemory(ExternalMemory&& other) noexcept;
  ExternalMemory& operator=(ExternalMemory&& other) noexcept;
  ~ExternalMemory();

  explicit operator bool() const { return data_ != nullptr; }
  std::byte* data() const { return data_; }
  bool is_usable_on(const Device& device) const;
  /// Whether the memory is a file that another process can truncate. Accesses to the part that is gone raise
  /// SIGBUS.
  bool may_shrink() const { return may_shrink_; }

  /// Takes over the descriptor from the application.
  void own() noexcept;

  // For clEnqueueAcquireExternalMemObjectsKHR and clEnqueueReleaseExternalMemObjectsKHR. A dma-buf may have
  // to be synchronised with the CPU's caches. Other memory needs nothing.
  void acquire() const { synchronise(true); }
  void release() const { synchronise(false); }

private:
  void synchronise(bool begins) const;

  std::byte* data_ = nullptr;
  std::size_t mapped_bytes_ = 0; ///< 0 for a mapping of the application
  bool is_writable_ = true, may_shrink_ = false;
  ExternalHandle handle_{};
  FileDescriptor descriptor_; ///< only of a dma-buf; other memory stays mapped without its descriptor
};

} // namespace hostcl::runtime
