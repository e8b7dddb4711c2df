// Part of memory.hpp: clGetMemObjectInfo (OpenCL 3.0 API, 5.5.6).

#include "runtime/memory/buffer.hpp"

namespace hostcl::runtime {

namespace {

using M = Rows<Memory>;
cl_context context_of(const Memory& m) {
  return m.context().handle();
}
cl_mem parent_of(const Memory& m) {
  return m.parent() ? m.parent()->handle() : nullptr;
}

bool has_device_address(const Memory& m) {
  return m.type() == CL_MEM_OBJECT_BUFFER && static_cast<const Buffer&>(m).has_device_address();
}

/// An address for each device of the context; all are the address on the host.
Status device_addresses(const Memory& m, Answer& answer) {
  if (!has_device_address(m))
    return fail(CL_INVALID_OPERATION,
                "the memory object was created without the property CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  std::vector<cl_mem_device_address_ext> addresses(
      m.context().devices().size(),
      static_cast<cl_mem_device_address_ext>(reinterpret_cast<std::uintptr_t>(m.data())));
  return answer.array(std::span<const cl_mem_device_address_ext>(addresses));
}

constexpr Row<Memory> rows[] = {
    M::value<cl_mem_object_type, &Memory::type>(CL_MEM_TYPE),
    M::value<cl_mem_flags, &Memory::flags>(CL_MEM_FLAGS),
    M::value<std::size_t, &Memory::size>(CL_MEM_SIZE),
    M::value<void*, &Memory::host_pointer>(CL_MEM_HOST_PTR),
    M::value<cl_uint, &Memory::map_count>(CL_MEM_MAP_COUNT),
    M::value<cl_uint, &Memory::reference_count>(CL_MEM_REFERENCE_COUNT),
    M::value<cl_context, context_of>(CL_MEM_CONTEXT),
    M::value<cl_mem, parent_of>(CL_MEM_ASSOCIATED_MEMOBJECT),
    M::value<std::size_t, &Memory::offset>(CL_MEM_OFFSET),
    M::value<cl_bool, &Memory::is_svm>(CL_MEM_USES_SVM_POINTER, "2.0"),
    M::array<&Memory::properties>(CL_MEM_PROPERTIES, "3.0"),
    {CL_MEM_DEVICE_ADDRESS_EXT, device_addresses, "cl_ext_buffer_device_address"},
};

} // namespace

Status Memory::info(cl_mem_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
