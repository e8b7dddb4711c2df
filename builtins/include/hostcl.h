// In front of every program: extensions that clang does not know by itself. Declarations that few programs
// need are in hostcl/*.h and are included for programs that mention them (builtins::headers_for).

// clang's own definition makes clang crash if the source is not a file. (A precompiled header would not keep
// an #undef.)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#define __has_embed(...) 0
#pragma clang diagnostic pop

// The compiler defines __hostcl_lacks_ with the name of an extension that the device lacks.
#ifndef __hostcl_lacks_cl_ext_atomic_counters_32
#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : begin
#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : end
#define cl_ext_atomic_counters_32 1
#endif
#ifndef __hostcl_lacks_cl_ext_atomic_counters_64
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : begin
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : end
#define cl_ext_atomic_counters_64 1
#endif
#ifndef __hostcl_lacks_cl_khr_extended_async_copies
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : begin
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : end
#endif
#ifndef __hostcl_lacks_cl_khr_image2d_from_buffer
#pragma OPENCL EXTENSION cl_khr_image2d_from_buffer : begin
#pragma OPENCL EXTENSION cl_khr_image2d_from_buffer : end
#define cl_khr_image2d_from_buffer 1
#endif
#ifndef __hostcl_lacks_cl_intel_required_subgroup_size
#define cl_intel_required_subgroup_size 1
#endif
#ifndef __hostcl_lacks_cl_intel_split_work_group_barrier
#define cl_intel_split_work_group_barrier 1
#endif
#ifndef __hostcl_lacks_cl_intel_subgroup_2d_block_io
#define cl_intel_subgroup_2d_block_io 1
#endif
#ifndef __hostcl_lacks_cl_intel_subgroup_matrix_multiply_accumulate
#define cl_intel_subgroup_matrix_multiply_accumulate 1
#endif
#ifndef __hostcl_lacks_cl_intel_subgroup_matrix_multiply_accumulate_tf32
#define cl_intel_subgroup_matrix_multiply_accumulate_tf32 1
#endif
#ifndef __hostcl_lacks_cl_khr_work_group_uniform_arithmetic
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : begin
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : end
#endif

// Extensions that need no newer version of the language than others, though clang makes them known in OpenCL
// C 3.0 alone.
#if !defined(cl_khr_expect_assume) && !defined(__hostcl_lacks_cl_khr_expect_assume)
#define cl_khr_expect_assume 1
#endif
#if !defined(cl_khr_extended_bit_ops) && !defined(__hostcl_lacks_cl_khr_extended_bit_ops)
#define cl_khr_extended_bit_ops 1
#endif
#if !defined(cl_khr_integer_dot_product) && !defined(__hostcl_lacks_cl_khr_integer_dot_product)
#define cl_khr_integer_dot_product 1
#ifndef __hostcl_lacks___opencl_c_integer_dot_product_input_4x8bit
#define __opencl_c_integer_dot_product_input_4x8bit 1
#endif
#ifndef __hostcl_lacks___opencl_c_integer_dot_product_input_4x8bit_packed
#define __opencl_c_integer_dot_product_input_4x8bit_packed 1
#endif
#endif
#if !defined(cl_khr_kernel_clock) && !defined(__hostcl_lacks_cl_khr_kernel_clock)
#define cl_khr_kernel_clock 1
#ifndef __hostcl_lacks___opencl_c_kernel_clock_scope_device
#define __opencl_c_kernel_clock_scope_device 1
#endif
#ifndef __hostcl_lacks___opencl_c_kernel_clock_scope_work_group
#define __opencl_c_kernel_clock_scope_work_group 1
#endif
#ifndef __hostcl_lacks___opencl_c_kernel_clock_scope_sub_group
#define __opencl_c_kernel_clock_scope_sub_group 1
#endif
#endif

#ifdef __opencl_c_device_enqueue
// clang's own definition casts a number to an opaque type, and clang's code generator does not support this
// cast.
clk_event_t __attribute__((overloadable, const)) __hostcl_null_event(void);
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT __hostcl_null_event()
// Called in comparisons of queues and events (compiler/front/clang/enqueue_calls.cpp).
ulong __attribute__((overloadable, const)) __hostcl_bits(queue_t queue);
ulong __attribute__((overloadable, const)) __hostcl_bits(clk_event_t event);
#endif

// Other names of these types, which the Khronos conformance tests use.
#ifdef __opencl_c_ext_image_unsigned_10x6_12x4_14x2
#define CLK_UNORM_INT10X6_EXT CLK_UNORM_10X6_EXT
#define CLK_UNORM_INT12X4_EXT CLK_UNORM_12X4_EXT
#define CLK_UNORM_INT14X2_EXT CLK_UNORM_14X2_EXT
#endif

#if !defined(cl_khr_extended_async_copies) && !defined(__hostcl_lacks_cl_khr_extended_async_copies)
#define cl_khr_extended_async_copies 1
#endif
#if !defined(cl_khr_work_group_uniform_arithmetic) &&                                                        \
    !defined(__hostcl_lacks_cl_khr_work_group_uniform_arithmetic)
#define cl_khr_work_group_uniform_arithmetic 1
#endif
