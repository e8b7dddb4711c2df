#pragma once

// The entry points of the OpenCL API as typed functions; the ICD layer makes C functions of them. There is one
// source file for each topic. A function that returns Status returns cl_int in the API; Result<T> is T with
// errcode_ret.

#include "runtime/context/context.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/program/program.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/result.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hostcl::runtime {

/// The type of the typed function for a C function of the API. Example: for
/// cl_event(cl_context, cl_int* errcode_ret) it is Result<cl_event>(cl_context).
template <class Function, class Indices = void>
struct TypedFunction;
template <class... Args>
struct TypedFunction<cl_int(Args...)> {
  using Type = Status(Args...);
};
template <class T, class... Args, std::size_t... indices>
struct TypedFunction<T*(Args...), std::index_sequence<indices...>> {
  using Type = Result<T*>(std::tuple_element_t<indices, std::tuple<Args...>>...);
};
template <class T, class... Args>
struct TypedFunction<T*(Args...)>
    : TypedFunction<T*(Args...), std::make_index_sequence<sizeof...(Args) - 1>> {};

// ---- Functions with a slot in cl_icd_dispatch (their types come from OpenCL's headers)

#define ENTRY(name, function)                                                                                \
  TypedFunction<std::remove_pointer_t<decltype(cl_icd_dispatch::name)>>::Type function;
#define SHARED(name, function)
#define PLAIN(name, function)
#define ABSENT(name)
#define EMPTY(name)
#define VERSION(number)
#include "runtime/api/entry_points.inc"
#undef VERSION
#undef EMPTY
#undef ABSENT
#undef PLAIN
#undef SHARED
#undef ENTRY

// Functions of extensions. They are declared here in full, because they have no slot and older headers do not
// declare them.

// ---- Contexts and events (context.cpp, event.cpp)

Status terminate_context(cl_context handle);
Status cancel_commands(const cl_event* handles, size_t count);

// ---- Semaphores (semaphore.cpp)

Result<cl_semaphore_khr> create_semaphore_with_properties(cl_context handle,
                                                          const cl_semaphore_properties_khr* list);
Status enqueue_wait_semaphores(cl_command_queue queue_handle, cl_uint semaphore_count,
                               const cl_semaphore_khr* handles, const cl_semaphore_payload_khr* payloads,
                               cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_signal_semaphores(cl_command_queue queue_handle, cl_uint semaphore_count,
                                 const cl_semaphore_khr* handles, const cl_semaphore_payload_khr* payloads,
                                 cl_uint count, const cl_event* waits, cl_event* event);
Status get_semaphore_info(cl_semaphore_khr handle, cl_semaphore_info_khr name, size_t size, void* value,
                          size_t* size_ret);
Status get_semaphore_handle_for_type(cl_semaphore_khr handle, cl_device_id device_handle,
                                     cl_external_semaphore_handle_type_khr type, size_t size, void* value,
                                     size_t* size_ret);
Status reimport_semaphore_sync_fd(cl_semaphore_khr handle, cl_semaphore_reimport_properties_khr* properties,
                                  int descriptor);

// ---- All memory objects (memory.cpp)

Status enqueue_acquire_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event);
Status enqueue_release_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event);

// ---- Buffers (buffer.cpp)

/// clCreateBufferWithPropertiesINTEL
Result<cl_mem> create_buffer_with_properties_intel(cl_context handle, const cl_mem_properties* properties,
                                                   cl_mem_flags flags, size_t size, void* host_pointer);
Result<cl_mem> import_memory_arm(cl_context handle, cl_mem_flags flags,
                                 const cl_import_properties_arm* properties, void* memory, size_t size);

// ---- Images (image.cpp)

Status get_image_requirements_info(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* name, const cl_image_desc* description,
                                   cl_image_requirements_info_ext query, size_t size, void* value,
                                   size_t* size_ret);

// ---- Shared virtual memory (svm.cpp)

Result<void*> svm_alloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
void svm_free(cl_context handle, void* pointer);

// ---- cl_khr_unified_svm (unified_svm.cpp)

Result<void*> svm_alloc_with_properties(cl_context handle, const cl_svm_alloc_properties_khr* properties,
                                        cl_uint type_index, size_t size);
Status svm_free_with_properties(cl_context handle, const cl_svm_free_properties_khr* properties,
                                cl_svm_free_flags_khr flags, void* pointer);
Status get_svm_pointer_info(cl_context handle, cl_device_id device_handle, const void* pointer,
                            cl_svm_pointer_info_khr name, size_t size, void* value, size_t* size_ret);
Status get_svm_suggested_type_index(cl_context handle, cl_svm_capabilities_khr required,
                                    cl_svm_capabilities_khr desired,
                                    const cl_svm_alloc_properties_khr* properties, size_t size,
                                    cl_uint* type_index);

// ---- cl_intel_unified_shared_memory (unified_memory.cpp)

Result<void*> host_mem_alloc(cl_context handle, const cl_mem_properties_intel* properties, size_t size,
                             cl_uint alignment);
Result<void*> device_mem_alloc(cl_context handle, cl_device_id device_handle,
                               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment);
Result<void*> shared_mem_alloc(cl_context handle, cl_device_id device_handle,
                               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment);
Status mem_free(cl_context handle, void* pointer);
Status mem_blocking_free(cl_context handle, void* pointer);
Status get_mem_alloc_info(cl_context handle, const void* pointer, cl_mem_info_intel name, size_t size,
                          void* value, size_t* size_ret);
Status enqueue_mem_fill(cl_command_queue queue_handle, void* to, const void* pattern, size_t pattern_bytes,
                        size_t size, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_memset(cl_command_queue queue_handle, void* to, cl_int value, size_t size, cl_uint count,
                      const cl_event* waits, cl_event* event);
Status enqueue_memcpy(cl_command_queue queue_handle, cl_bool blocking, void* to, const void* from,
                      size_t size, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_migrate_mem(cl_command_queue queue_handle, const void* pointer, size_t size,
                           cl_mem_migration_flags flags, cl_uint count, const cl_event* waits,
                           cl_event* event);
Status enqueue_mem_advise(cl_command_queue queue_handle, const void* pointer, size_t size,
                          cl_mem_advice_intel advice, cl_uint count, const cl_event* waits, cl_event* event);

// ---- Kernels and launches (kernel.cpp)

/// The function of OpenCL 3.1. Only newer headers have a slot for it.
Status get_kernel_suggested_local_work_size(cl_command_queue queue_handle, cl_kernel kernel_handle,
                                            cl_uint work_dim, const size_t* global_offset,
                                            const size_t* global_size, size_t* suggested);
Status set_kernel_arg_device_pointer(cl_kernel handle, cl_uint index, cl_mem_device_address_ext address);

// ---- Command buffers (command_buffer.cpp; the commands stand beside those for queues)

Result<cl_command_buffer_khr> create_command_buffer(cl_uint queue_count, const cl_command_queue* handles,
                                                    const cl_command_buffer_properties_khr* properties);
Status finalize_command_buffer(cl_command_buffer_khr handle);
Status enqueue_command_buffer(cl_uint queue_count, cl_command_queue* handles, cl_command_buffer_khr handle,
                              cl_uint count, const cl_event* waits, cl_event* event);
Status command_barrier(cl_command_buffer_khr buffer, cl_command_queue queue,
                       const cl_command_properties_khr* properties, cl_uint count,
                       const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                       cl_mutable_command_khr* handle);
Status command_copy_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                           const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                           size_t source_offset, size_t target_offset, size_t size, cl_uint count,
                           const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle);
Status command_copy_buffer_rect(cl_command_buffer_khr buffer, cl_command_queue queue,
                                const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                                const size_t* source_origin, const size_t* target_origin,
                                const size_t* region, size_t source_row_pitch, size_t source_slice_pitch,
                                size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                cl_mutable_command_khr* handle);
Status command_copy_buffer_to_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr* properties, cl_mem source, cl_mem image,
                                    size_t offset, const size_t* origin, const size_t* region, cl_uint count,
                                    const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                    cl_mutable_command_khr* handle);
Status command_copy_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                          const size_t* source_origin, const size_t* target_origin, const size_t* region,
                          cl_uint count, const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle);
Status command_copy_image_to_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr* properties, cl_mem image, cl_mem target,
                                    const size_t* origin, const size_t* region, size_t offset, cl_uint count,
                                    const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                    cl_mutable_command_khr* handle);
Status command_fill_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                           const cl_command_properties_khr* properties, cl_mem target, const void* pattern,
                           size_t pattern_bytes, size_t offset, size_t size, cl_uint count,
                           const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle);
Status command_fill_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, cl_mem image, const void* color,
                          const size_t* origin, const size_t* region, cl_uint count,
                          const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle);
Status command_nd_range_kernel(cl_command_buffer_khr buffer, cl_command_queue queue,
                               const cl_command_properties_khr* properties, cl_kernel kernel,
                               cl_uint work_dim, const size_t* global_offset, const size_t* global_size,
                               const size_t* local_size, cl_uint count, const cl_sync_point_khr* waits,
                               cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
Status command_svm_memcpy(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, void* to, const void* from,
                          size_t size, cl_uint count, const cl_sync_point_khr* waits,
                          cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
Status command_svm_mem_fill(cl_command_buffer_khr buffer, cl_command_queue queue,
                            const cl_command_properties_khr* properties, void* to, const void* pattern,
                            size_t pattern_bytes, size_t size, cl_uint count, const cl_sync_point_khr* waits,
                            cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle);
Result<cl_command_buffer_khr> remap_command_buffer(cl_command_buffer_khr handle, cl_bool automatic,
                                                   cl_uint queue_count, const cl_command_queue* queue_handles,
                                                   cl_uint handle_count,
                                                   const cl_mutable_command_khr* handles,
                                                   cl_mutable_command_khr* new_handles);
Status update_mutable_commands(cl_command_buffer_khr handle, cl_uint count,
                               const cl_command_buffer_update_type_khr* types, const void** configs);
Status get_command_buffer_info(cl_command_buffer_khr handle, cl_command_buffer_info_khr name, size_t size,
                               void* value, size_t* size_ret);
Status get_mutable_command_info(cl_mutable_command_khr handle, cl_mutable_command_info_khr name, size_t size,
                                void* value, size_t* size_ret);

} // namespace hostcl::runtime
