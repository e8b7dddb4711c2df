// Buffers and memory objects (OpenCL 3.0 API, 5.2.1 and 5.5).

#include "runtime/memory/memory.hpp"
#include "runtime/api/api.hpp"

namespace hostcl::runtime {

namespace {

Result<BufferProperties> checked_properties(const cl_mem_properties* list) {
  BufferProperties properties;
  if (!list) return properties;
  for (; *list; list += 2) {
    if (*list != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT)
      return fail(CL_INVALID_PROPERTY, "memory property 0x", std::hex, *list, " is not supported");
    if (!properties.list.empty())
      return fail(CL_INVALID_PROPERTY, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is given twice");
    if (list[1] != CL_TRUE && list[1] != CL_FALSE)
      return fail(CL_INVALID_PROPERTY, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is ", list[1]);
    properties.device_address = list[1] == CL_TRUE;
    properties.list.assign({list[0], list[1]});
  }
  properties.list.push_back(0);
  return properties;
}

} // namespace

Result<cl_mem> create_buffer(cl_context handle, cl_mem_flags flags, size_t size, void* host_pointer) {
  return create_buffer_with_properties(handle, nullptr, flags, size, host_pointer);
}

Result<cl_mem> create_buffer_with_properties(cl_context handle, const cl_mem_properties* properties,
                                             cl_mem_flags flags, size_t size, void* host_pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  TRY(BufferProperties checked, checked_properties(properties));
  TRY(validate::buffer(context, flags, size, host_pointer));
  TRY(Ref<Memory> memory, Memory::buffer(context, flags, size, host_pointer, std::move(checked)));
  return expose(std::move(memory));
}

Result<cl_mem> create_sub_buffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                 const void* info) {
  TRY(Memory & parent, object_cast<Memory>(handle));
  if (parent.parent()) return fail(CL_INVALID_MEM_OBJECT, "the buffer is itself a sub-buffer");
  TRY(cl_mem_flags all_flags, validate::sub_buffer_flags(parent, flags));
  if (type != CL_BUFFER_CREATE_TYPE_REGION)
    return fail(CL_INVALID_VALUE, "buffer_create_type is 0x", std::hex, type);
  if (!info) return fail(CL_INVALID_VALUE, "buffer_create_info is NULL");
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  if (region.origin > parent.size() || region.size > parent.size() - region.origin)
    return fail(CL_INVALID_VALUE, "origin ", region.origin, " + size ", region.size,
                " is beyond the buffer's ", parent.size(), " bytes");
  if (region.size == 0) return fail(CL_INVALID_BUFFER_SIZE, "the region's size is 0");
  if (region.origin % Device::base_address_alignment)
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin ", region.origin, " is no multiple of ",
                Device::base_address_alignment);
  return expose(Memory::sub_buffer(parent, all_flags, region.origin, region.size));
}

Status get_mem_object_info(cl_mem handle, cl_mem_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  return memory.info(name, Answer(size, value, size_ret));
}

Status set_mem_object_destructor_callback(cl_mem handle, DestructorCallbacks<cl_mem>::Callback callback,
                                          void* user_data) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (!callback) return fail(CL_INVALID_VALUE, "pfn_notify is NULL");
  memory.destructor_callbacks().add(callback, user_data);
  return {};
}

} // namespace hostcl::runtime
