#pragma once

// cl_khr_unified_svm for tests: the names that older headers lack, and the functions as an application finds them.

#include "support/session.hpp"

#include <vector>

namespace test::unified_svm {

using Capabilities = cl_bitfield;
inline constexpr cl_platform_info platform_types = 0x0909;
inline constexpr cl_device_info device_types = 0x1077;
inline constexpr cl_properties associated_device = 0x2078, access_flags = 0x2079, alignment_property = 0x207A;
inline constexpr cl_uint type_index = 0x2088, capabilities_of_pointer = 0x2089,
                         properties_of_pointer = 0x208A, access_of_pointer = 0x208B, base_of_pointer = 0x419B,
                         size_of_pointer = 0x419C, device_of_pointer = 0x419D;
using Properties = std::vector<cl_properties>;

struct Functions {
  using Alloc = void*(CL_API_CALL*)(cl_context, const cl_properties*, cl_uint, size_t, cl_int*);
  using Free = cl_int(CL_API_CALL*)(cl_context, const cl_properties*, cl_bitfield, void*);
  using Info = cl_int(CL_API_CALL*)(cl_context, cl_device_id, const void*, cl_uint, size_t, void*, size_t*);
  using Suggest = cl_int(CL_API_CALL*)(cl_context, Capabilities, Capabilities, const cl_properties*, size_t,
                                       cl_uint*);
  Alloc alloc = extension_function<Alloc>("clSVMAllocWithPropertiesKHR");
  Free free = extension_function<Free>("clSVMFreeWithPropertiesKHR");
  Info info = extension_function<Info>("clGetSVMPointerInfoKHR");
  Suggest suggest = extension_function<Suggest>("clGetSVMSuggestedTypeIndexKHR");
};

} // namespace test::unified_svm
