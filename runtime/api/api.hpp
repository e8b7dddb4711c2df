#pragma once

// The functions of the OpenCL API with typed results; the ICD layer makes C functions of them. There is one
// source file for each topic. A function that returns Status returns cl_int in the API; Result<T> is T with
// errcode_ret.

#include "runtime/context/context.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/program/program.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/result.hpp"

namespace hostcl::runtime {

// ---- Platform, devices, timers (platform.cpp)

Status get_platform_ids(cl_uint entries, cl_platform_id* platforms, cl_uint* count);
Status get_platform_info(cl_platform_id handle, cl_platform_info name, size_t size, void* value,
                         size_t* size_ret);
Status get_device_ids(cl_platform_id handle, cl_device_type type, cl_uint entries, cl_device_id* devices,
                      cl_uint* count);
Status get_device_info(cl_device_id handle, cl_device_info name, size_t size, void* value, size_t* size_ret);
Status create_sub_devices(cl_device_id handle, const cl_device_partition_property* properties,
                          cl_uint entries, cl_device_id* devices, cl_uint* count);
Status create_sub_devices_ext(cl_device_id handle, const cl_device_partition_property_ext* properties,
                              cl_uint entries, cl_device_id* devices, cl_uint* count);
Status get_device_and_host_timer(cl_device_id handle, cl_ulong* device_time, cl_ulong* host_time);
Status get_host_timer(cl_device_id handle, cl_ulong* host_time);

// ---- Contexts (context.cpp)

Result<cl_context> create_context(const cl_context_properties* properties, cl_uint count,
                                  const cl_device_id* handles, Context::Notify notify, void* user_data);
Result<cl_context> create_context_from_type(const cl_context_properties* properties, cl_device_type type,
                                            Context::Notify notify, void* user_data);
Status get_context_info(cl_context handle, cl_context_info name, size_t size, void* value, size_t* size_ret);
Status set_context_destructor_callback(cl_context handle, DestructorCallbacks<cl_context>::Callback callback,
                                       void* user_data);

// ---- Queues, markers, barriers (queue.cpp)

Result<cl_command_queue> create_command_queue(cl_context context, cl_device_id device,
                                              cl_command_queue_properties properties);
Result<cl_command_queue> create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                              const cl_queue_properties* properties);
Status retain_command_queue(cl_command_queue handle);
Status release_command_queue(cl_command_queue handle);
Status set_default_device_command_queue(cl_context context, cl_device_id device, cl_command_queue queue);
Status get_command_queue_info(cl_command_queue handle, cl_command_queue_info name, size_t size, void* value,
                              size_t* size_ret);
Status set_command_queue_property(cl_command_queue handle, cl_command_queue_properties properties,
                                  cl_bool enable, cl_command_queue_properties* old);
Status flush(cl_command_queue handle);
Status finish(cl_command_queue handle);
Status enqueue_marker_with_wait_list(cl_command_queue handle, cl_uint count, const cl_event* waits,
                                     cl_event* event);
Status enqueue_barrier_with_wait_list(cl_command_queue handle, cl_uint count, const cl_event* waits,
                                      cl_event* event);
Status enqueue_marker(cl_command_queue handle, cl_event* event);
Status enqueue_barrier(cl_command_queue handle);
Status enqueue_wait_for_events(cl_command_queue handle, cl_uint count, const cl_event* events);

// ---- Events (event.cpp)

Result<cl_event> create_user_event(cl_context handle);
Status set_user_event_status(cl_event handle, cl_int status);
Status wait_for_events(cl_uint count, const cl_event* handles);
Status get_event_info(cl_event handle, cl_event_info name, size_t size, void* value, size_t* size_ret);
Status get_event_profiling_info(cl_event handle, cl_profiling_info name, size_t size, void* value,
                                size_t* size_ret);
Status set_event_callback(cl_event handle, cl_int type, Event::Callback callback, void* user_data);

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

Status get_mem_object_info(cl_mem handle, cl_mem_info name, size_t size, void* value, size_t* size_ret);
Status set_mem_object_destructor_callback(cl_mem handle, DestructorCallbacks<cl_mem>::Callback callback,
                                          void* user_data);
Status enqueue_unmap_mem_object(cl_command_queue queue_handle, cl_mem handle, void* mapped, cl_uint count,
                                const cl_event* waits, cl_event* event);
Status enqueue_migrate_mem_objects(cl_command_queue queue_handle, cl_uint memory_count, const cl_mem* handles,
                                   cl_mem_migration_flags flags, cl_uint count, const cl_event* waits,
                                   cl_event* event);

Status enqueue_acquire_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event);
Status enqueue_release_external_mem_objects(cl_command_queue queue, cl_uint memory_count,
                                            const cl_mem* handles, cl_uint count, const cl_event* waits,
                                            cl_event* event);

// ---- Buffers (buffer.cpp)

Result<cl_mem> create_buffer(cl_context handle, cl_mem_flags flags, size_t size, void* host_pointer);
Result<cl_mem> create_buffer_with_properties(cl_context handle, const cl_mem_properties* properties,
                                             cl_mem_flags flags, size_t size, void* host_pointer);
/// clCreateBufferWithPropertiesINTEL
Result<cl_mem> create_buffer_with_properties_intel(cl_context handle, const cl_mem_properties* properties,
                                                   cl_mem_flags flags, size_t size, void* host_pointer);
Result<cl_mem> import_memory_arm(cl_context handle, cl_mem_flags flags,
                                 const cl_import_properties_arm* properties, void* memory, size_t size);
Result<cl_mem> create_sub_buffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                 const void* info);

// ---- Commands on buffers (transfer.cpp)

Status enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* host, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* host, cl_uint count, const cl_event* waits,
                            cl_event* event);
Status enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, void* host, cl_uint count, const cl_event* waits,
                                cl_event* event);
Status enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                 const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                 size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                 size_t host_slice_pitch, const void* host, cl_uint count,
                                 const cl_event* waits, cl_event* event);
Status enqueue_copy_buffer(cl_command_queue queue_handle, cl_mem source_handle, cl_mem target_handle,
                           size_t source_offset, size_t target_offset, size_t size, cl_uint count,
                           const cl_event* waits, cl_event* event);
Status enqueue_copy_buffer_rect(cl_command_queue queue_handle, cl_mem source_handle, cl_mem target_handle,
                                const size_t* source_origin, const size_t* target_origin,
                                const size_t* region, size_t source_row_pitch, size_t source_slice_pitch,
                                size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                const cl_event* waits, cl_event* event);
Status enqueue_fill_buffer(cl_command_queue queue_handle, cl_mem handle, const void* pattern,
                           size_t pattern_bytes, size_t offset, size_t size, cl_uint count,
                           const cl_event* waits, cl_event* event);
Result<void*> enqueue_map_buffer(cl_command_queue queue_handle, cl_mem handle, cl_bool blocking,
                                 cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                 const cl_event* waits, cl_event* event);

// ---- Images (image.cpp)

Result<cl_mem> create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                            const cl_image_desc* description, void* host_pointer);
Result<cl_mem> create_image_with_properties(cl_context context, const cl_mem_properties* properties,
                                            cl_mem_flags flags, const cl_image_format* format,
                                            const cl_image_desc* description, void* host_pointer);
Result<cl_mem> create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               size_t width, size_t height, size_t row_pitch, void* host_pointer);
Result<cl_mem> create_image_3d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               size_t width, size_t height, size_t depth, size_t row_pitch,
                               size_t slice_pitch, void* host_pointer);
Status get_supported_image_formats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type,
                                   cl_uint entries, cl_image_format* formats, cl_uint* count);
Status get_image_info(cl_mem handle, cl_image_info name, size_t size, void* value, size_t* size_ret);
Status get_image_requirements_info(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* name, const cl_image_desc* description,
                                   cl_image_requirements_info_ext query, size_t size, void* value,
                                   size_t* size_ret);

// ---- Commands on images (image_transfer.cpp)

Status enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                          const size_t* region, size_t row_pitch, size_t slice_pitch, void* host,
                          cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                           const size_t* region, size_t row_pitch, size_t slice_pitch, const void* host,
                           cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_copy_image(cl_command_queue queue_handle, cl_mem source_handle, cl_mem target_handle,
                          const size_t* source_origin, const size_t* target_origin, const size_t* region,
                          cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_copy_image_to_buffer(cl_command_queue queue_handle, cl_mem image_handle, cl_mem buffer_handle,
                                    const size_t* origin, const size_t* region, size_t offset, cl_uint count,
                                    const cl_event* waits, cl_event* event);
Status enqueue_copy_buffer_to_image(cl_command_queue queue_handle, cl_mem buffer_handle, cl_mem image_handle,
                                    size_t offset, const size_t* origin, const size_t* region, cl_uint count,
                                    const cl_event* waits, cl_event* event);
Status enqueue_fill_image(cl_command_queue queue_handle, cl_mem image_handle, const void* color,
                          const size_t* origin, const size_t* region, cl_uint count, const cl_event* waits,
                          cl_event* event);
Result<void*> enqueue_map_image(cl_command_queue queue_handle, cl_mem image_handle, cl_bool blocking,
                                cl_map_flags flags, const size_t* origin, const size_t* region,
                                size_t* row_pitch, size_t* slice_pitch, cl_uint count, const cl_event* waits,
                                cl_event* event);

// ---- Samplers (sampler.cpp)

Result<cl_sampler> create_sampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                                  cl_filter_mode filter);
Result<cl_sampler> create_sampler_with_properties(cl_context handle, const cl_sampler_properties* properties);
Status get_sampler_info(cl_sampler handle, cl_sampler_info name, size_t size, void* value, size_t* size_ret);

// ---- Pipes (pipe.cpp)

Result<cl_mem> create_pipe(cl_context handle, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
                           const cl_pipe_properties* properties);
Status get_pipe_info(cl_mem handle, cl_pipe_info name, size_t size, void* value, size_t* size_ret);

// ---- Shared virtual memory (svm.cpp)

Result<void*> svm_alloc(cl_context handle, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
void svm_free(cl_context handle, void* pointer);
Status enqueue_svm_free(cl_command_queue queue_handle, cl_uint pointer_count, void* pointers[],
                        void(CL_CALLBACK* callback)(cl_command_queue, cl_uint, void*[], void*),
                        void* user_data, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_svm_memcpy(cl_command_queue queue_handle, cl_bool blocking, void* to, const void* from,
                          size_t size, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_svm_mem_fill(cl_command_queue queue_handle, void* to, const void* pattern,
                            size_t pattern_bytes, size_t size, cl_uint count, const cl_event* waits,
                            cl_event* event);
Status enqueue_svm_map(cl_command_queue queue_handle, cl_bool blocking, cl_map_flags flags, void* pointer,
                       size_t size, cl_uint count, const cl_event* waits, cl_event* event);
Status enqueue_svm_unmap(cl_command_queue queue_handle, void* pointer, cl_uint count, const cl_event* waits,
                         cl_event* event);
Status enqueue_svm_migrate_mem(cl_command_queue queue_handle, cl_uint pointer_count, const void** pointers,
                               const size_t* sizes, cl_mem_migration_flags flags, cl_uint count,
                               const cl_event* waits, cl_event* event);

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

// ---- Programs (program.cpp)

Result<cl_program> create_program_with_source(cl_context handle, cl_uint count, const char** strings,
                                              const size_t* lengths);
Result<cl_program> create_program_with_binary(cl_context handle, cl_uint count,
                                              const cl_device_id* device_handles, const size_t* lengths,
                                              const unsigned char** binaries, cl_int* statuses);
Result<cl_program> create_program_with_built_in_kernels(cl_context handle, cl_uint count,
                                                        const cl_device_id* devices, const char* names);
Result<cl_program> create_program_with_il(cl_context handle, const void* il, size_t length);
Status build_program(cl_program handle, cl_uint count, const cl_device_id* device_handles,
                     const char* options, Program::Notify notify, void* user_data);
Status compile_program(cl_program handle, cl_uint count, const cl_device_id* device_handles,
                       const char* options, cl_uint header_count, const cl_program* headers,
                       const char** header_names, Program::Notify notify, void* user_data);
Result<cl_program> link_program(cl_context handle, cl_uint count, const cl_device_id* device_handles,
                                const char* options, cl_uint input_count, const cl_program* inputs,
                                Program::Notify notify, void* user_data);
Status unload_platform_compiler(cl_platform_id handle);
Status get_program_info(cl_program handle, cl_program_info name, size_t size, void* value, size_t* size_ret);
Status get_program_build_info(cl_program handle, cl_device_id device_handle, cl_program_build_info name,
                              size_t size, void* value, size_t* size_ret);
Status set_program_release_callback(cl_program handle, Program::Notify notify, void* user_data);
Status set_program_specialization_constant(cl_program handle, cl_uint id, size_t size, const void* value);

// ---- Kernels and launches (kernel.cpp)

Result<cl_kernel> create_kernel(cl_program handle, const char* name);
Status create_kernels_in_program(cl_program handle, cl_uint entries, cl_kernel* kernels, cl_uint* count);
Result<cl_kernel> clone_kernel(cl_kernel handle);
Status set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void* value);
Status set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void* pointer);
Status set_kernel_arg_device_pointer(cl_kernel handle, cl_uint index, cl_mem_device_address_ext address);
Status set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void* value);
Status get_kernel_info(cl_kernel handle, cl_kernel_info name, size_t size, void* value, size_t* size_ret);
Status get_kernel_arg_info(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size, void* value,
                           size_t* size_ret);
Status get_kernel_work_group_info(cl_kernel handle, cl_device_id device_handle,
                                  cl_kernel_work_group_info name, size_t size, void* value, size_t* size_ret);
Status get_kernel_sub_group_info(cl_kernel handle, cl_device_id device_handle, cl_kernel_sub_group_info name,
                                 size_t input_size, const void* input, size_t size, void* value,
                                 size_t* size_ret);
Status get_kernel_suggested_local_work_size(cl_command_queue queue_handle, cl_kernel kernel_handle,
                                            cl_uint work_dim, const size_t* global_offset,
                                            const size_t* global_size, size_t* suggested);
Status enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                               const size_t* global_offset, const size_t* global_size,
                               const size_t* local_size, cl_uint count, const cl_event* waits,
                               cl_event* event);
Status enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* waits,
                    cl_event* event);
Status enqueue_native_kernel(cl_command_queue queue_handle, void(CL_CALLBACK* function)(void*),
                             void* arguments, size_t bytes, cl_uint memory_count, const cl_mem* handles,
                             const void** locations, cl_uint count, const cl_event* waits, cl_event* event);

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
