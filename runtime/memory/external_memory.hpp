#pragma once

// Memory of others, which file descriptors stand for (cl_khr_external_memory): mapped while a memory object
// has it.

#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/object.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace hostcl::runtime {

/// The types of handles that memory is imported from. Images lie in all of them as they do in buffers.
inline constexpr std::array<cl_external_memory_handle_type_khr, 2> external_memory_handle_types = {
    CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};

/// A handle as the application gives it.
struct ExternalHandle {
  cl_external_memory_handle_type_khr type;
  int descriptor;
  std::vector<Ref<Device>> devices; ///< that may use the memory
};

/// The properties of clCreateBufferWithProperties and clCreateImageWithProperties, checked.
struct MemoryProperties {
  std::vector<cl_mem_properties> list; ///< as given, with its end; empty if there was none
  bool device_address = false;         ///< CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  std::optional<ExternalHandle> external;

  /// @param for_buffer whether properties that only buffers have are allowed
  static Result<MemoryProperties> checked(const Context& context, const cl_mem_properties* list,
                                          bool for_buffer);
};

/// A mapping of external memory. Ends with the object.
class ExternalMemory {
public:
  /// The descriptor stays the application's until own().
  /// @param slack bytes after the memory that may be read as well
  /// @param too_small the error for less memory than `bytes`
  static Result<ExternalMemory> map(const ExternalHandle& handle, cl_mem_flags flags, std::size_t bytes,
                                    std::size_t slack, cl_int too_small);

  ExternalMemory() = default;
  ExternalMemory(ExternalMemory&& other) noexcept;
  ExternalMemory& operator=(ExternalMemory&& other) noexcept;
  ~ExternalMemory();

  explicit operator bool() const { return data_ != nullptr; }
  std::byte* data() const { return data_; }
  bool is_usable_on(const Device& device) const;
  /// Whether it is a file that others can make shorter: its addresses have no memory then.
  bool may_shrink() const { return may_shrink_; }

  /// Takes over the descriptor.
  void own() noexcept;

  // What clEnqueue*ExternalMemObjectsKHR do. The memory of a dma-buf may be seen through caches; other memory
  // is the same for all.
  void acquire() const { synchronise(true); }
  void release() const { synchronise(false); }

private:
  void synchronise(bool begins) const;

  std::byte* data_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  bool is_writable_ = true, may_shrink_ = false;
  ExternalHandle handle_{};
  FileDescriptor descriptor_; ///< only of a dma-buf: the mapping keeps other memory
};

} // namespace hostcl::runtime
