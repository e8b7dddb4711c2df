#pragma once

// Buffers and sub-buffers.

#include "runtime/memory/memory.hpp"

namespace hostcl::runtime {

/// A buffer with memory of its own, or with memory of the application, or with external memory; or a
/// sub-buffer.
class Buffer final : public Memory {
public:
  /// clCreateBufferWithProperties(). validate::buffer() must have accepted the arguments.
  static Result<Ref<Buffer>> create(Context& context, cl_mem_flags flags, std::size_t size,
                                    void* host_pointer, MemoryProperties properties);
  /// clCreateSubBuffer(). The region must be within the parent.
  static Ref<Buffer> create_within(Buffer& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  Buffer(Context& context, cl_mem_flags flags, std::size_t size, MemoryProperties properties);
  ~Buffer();

  /// Whether the application may ask for the buffer's address (cl_ext_buffer_device_address).
  bool has_device_address() const { return has_device_address_; }

private:
  bool has_device_address_;
};

/// Accepts buffers only, not images and pipes.
template <>
inline Result<Buffer&> object_cast<Buffer>(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (memory.type() != CL_MEM_OBJECT_BUFFER) return of_other_type(memory, "buffer");
  return static_cast<Buffer&>(memory);
}

namespace validate {

/// Checks the arguments of clCreateBuffer*, in the order in which the specification lists the errors.
Status buffer(const Context& context, const MemoryProperties& properties, cl_mem_flags flags,
              std::size_t size, const void* host_pointer);

} // namespace validate

} // namespace hostcl::runtime
