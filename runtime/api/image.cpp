// Images (OpenCL 3.0 API, 5.3), which the device does not have (CL_DEVICE_IMAGE_SUPPORT). Handles are checked
// first, and get the same errors as from a device with images.

#include "runtime/api/api.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

namespace {

Result<cl_mem> no_image_in(cl_context handle) {
  TRY(object_cast<Context>(handle));
  return fail(CL_INVALID_OPERATION, "the device has no images (CL_DEVICE_IMAGE_SUPPORT)");
}

Status no_image(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  return of_other_type(memory, "image");
}

Status no_image_command(cl_command_queue queue, cl_mem image) {
  TRY(object_cast<Queue>(queue));
  return no_image(image);
}

} // namespace

Result<cl_mem> create_image(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*,
                            void*) {
  return no_image_in(context);
}
Result<cl_mem> create_image_with_properties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                            const cl_image_format*, const cl_image_desc*, void*) {
  return no_image_in(context);
}
Result<cl_mem> create_image_2d(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                               size_t, void*) {
  return no_image_in(context);
}
Result<cl_mem> create_image_3d(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                               size_t, size_t, size_t, void*) {
  return no_image_in(context);
}

Status get_supported_image_formats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type,
                                   cl_uint entries, cl_image_format* formats, cl_uint* count) {
  TRY(object_cast<Context>(handle));
  TRY(validate::memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}));
  if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return fail(CL_INVALID_VALUE, "image_type 0x", std::hex, type, " is not a type of images");
  if (formats && entries == 0)
    return fail(CL_INVALID_VALUE, "num_entries is 0 and image_formats is not NULL");
  if (count) *count = 0;
  return {};
}

Status get_image_info(cl_mem image, cl_image_info, size_t, void*, size_t*) {
  return no_image(image);
}

Status enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool, const size_t*, const size_t*, size_t,
                          size_t, void*, cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Status enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool, const size_t*, const size_t*,
                           size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Status enqueue_copy_image(cl_command_queue queue, cl_mem image, cl_mem, const size_t*, const size_t*,
                          const size_t*, cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Status enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem image, cl_mem, const size_t*,
                                    const size_t*, size_t, cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Status enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem, cl_mem image, size_t, const size_t*,
                                    const size_t*, cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Status enqueue_fill_image(cl_command_queue queue, cl_mem image, const void*, const size_t*, const size_t*,
                          cl_uint, const cl_event*, cl_event*) {
  return no_image_command(queue, image);
}
Result<void*> enqueue_map_image(cl_command_queue queue, cl_mem image, cl_bool, cl_map_flags, const size_t*,
                                const size_t*, size_t*, size_t*, cl_uint, const cl_event*, cl_event*) {
  TRY(no_image_command(queue, image));
  return nullptr;
}

} // namespace hostcl::runtime
