#pragma once

// The OpenCL headers, and the names of newer revisions that older copies of them lack.

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <cstdint>

// cl_khr_icd 2.0
#ifndef CL_ICD2_TAG_KHR
#define CL_ICD2_TAG_KHR ((intptr_t)(INTPTR_MAX == INT32_MAX ? 0x434C3331 : 0x4F50454E434C3331))
#endif

// cl_khr_icd_unloadable
#ifndef CL_PLATFORM_UNLOADABLE_KHR
#define CL_PLATFORM_UNLOADABLE_KHR 0x0921
#endif

// cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64
#ifndef CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT
#define CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT 0x4032
#endif

// cl_intel_required_subgroup_size
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#endif
#ifndef CL_KERNEL_SPILL_MEM_SIZE_INTEL
#define CL_KERNEL_SPILL_MEM_SIZE_INTEL 0x4109
#endif
#ifndef CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL
#define CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL 0x410A
#endif

// cl_khr_kernel_clock
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
using cl_device_kernel_clock_capabilities_khr = cl_bitfield;
#endif

// cl_khr_spirv_queries
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

// cl_ext_buffer_device_address
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
using cl_mem_device_address_ext = cl_ulong;
#endif

// cl_ext_float_atomics
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
using cl_device_fp_atomic_capabilities_ext = cl_bitfield;
#endif

// cl_ext_image_raw10_raw12
#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CL_UNSIGNED_INT_RAW12_EXT 0x10E4
#endif

// cl_ext_image_unorm_int_2_101010
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif

// cl_ext_image_unsigned_10x6_12x4_14x2
#ifndef CL_UNSIGNED_INT10X6_EXT
#define CL_UNSIGNED_INT10X6_EXT 0x10E6
#define CL_UNSIGNED_INT12X4_EXT 0x10E7
#define CL_UNSIGNED_INT14X2_EXT 0x10E8
#define CL_UNORM_INT10X6_EXT 0x10E1
#define CL_UNORM_INT12X4_EXT 0x10E9
#define CL_UNORM_INT14X2_EXT 0x10EA
#endif

// cl_ext_immutable_memory_objects
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

// cl_khr_semaphore 1.0, cl_khr_external_semaphore 1.0 and cl_khr_external_semaphore_sync_fd 1.0
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
using cl_semaphore_reimport_properties_khr = cl_properties;
#endif

// cl_khr_external_memory 1.0
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif
