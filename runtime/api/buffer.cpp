// Creation of buffers (OpenCL 3.0 API, 5.2.1).

#include "runtime/memory/buffer.hpp"
#include "runtime/api/api.hpp"

namespace hostcl::runtime {

Result<cl_mem> create_buffer(cl_context handle, cl_mem_flags flags, size_t size, void* host_pointer) {
  return create_buffer_with_properties(handle, nullptr, flags, size, host_pointer);
}

Result<cl_mem> create_buffer_with_properties(cl_context handle, const cl_mem_properties* properties,
                                             cl_mem_flags flags, size_t size, void* host_pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  TRY(MemoryProperties checked, MemoryProperties::checked(context, properties, true));
  TRY(validate::buffer(context, checked, flags, size, host_pointer));
  TRY(Ref<Buffer> buffer, Buffer::create(context, flags, size, host_pointer, std::move(checked)));
  return expose(std::move(buffer));
}

Result<cl_mem> create_buffer_with_properties_intel(cl_context handle, const cl_mem_properties* properties,
                                                   cl_mem_flags flags, size_t size, void* host_pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  // The function is older than CL_INVALID_PROPERTY.
  if (auto checked = MemoryProperties::checked(context, properties, true); !checked.ok())
    return fail(CL_INVALID_VALUE, std::move(checked).error().sentence());
  return create_buffer_with_properties(handle, properties, flags, size, host_pointer);
}

Result<cl_mem> create_sub_buffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                 const void* info) {
  TRY(Buffer & parent, object_cast<Buffer>(handle));
  if (parent.parent())
    return fail(CL_INVALID_MEM_OBJECT,
                "buffer is a sub-buffer; a sub-buffer cannot have sub-buffers of its own");
  TRY(cl_mem_flags all_flags, validate::flags_within(parent, flags));
  if (type != CL_BUFFER_CREATE_TYPE_REGION)
    return fail(CL_INVALID_VALUE, "buffer_create_type is 0x", std::hex, type,
                "; it must be CL_BUFFER_CREATE_TYPE_REGION");
  if (!info) return fail(CL_INVALID_VALUE, "buffer_create_info is NULL");
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  if (region.origin > parent.size() || region.size > parent.size() - region.origin)
    return fail(CL_INVALID_VALUE, "origin ", region.origin, " + size ", region.size,
                " is beyond the buffer's ", parent.size(), " bytes");
  if (region.size == 0)
    return fail(CL_INVALID_BUFFER_SIZE, "buffer_create_info->size is 0; it must be at least 1");
  if (region.origin % Device::base_address_alignment)
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin ", region.origin, " is not a multiple of ",
                Device::base_address_alignment);
  return expose(Buffer::create_within(parent, all_flags, region.origin, region.size));
}

} // namespace hostcl::runtime
