// Images: creation and queries (OpenCL 3.0 API, 5.3.1, 5.3.2 and 5.3.7). Declared in runtime/api/api.hpp.

#include "runtime/memory/image.hpp"
#include "runtime/api/api.hpp"

namespace hostcl::runtime {

namespace {

Result<cl_mem> create(cl_context handle, const cl_mem_properties* properties, ImageArguments arguments) {
  TRY(Context & context, usable_context(handle));
  TRY(context.check_images());
  TRY(MemoryProperties checked, MemoryProperties::checked(context, properties, false));
  arguments.is_external = checked.external.has_value();
  TRY(ImageRequest request, validate::image(context, arguments));
  request.properties = std::move(checked);
  TRY(Ref<Image> image, Image::create(context, std::move(request)));
  return expose(std::move(image));
}

} // namespace

Result<cl_mem> create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                            const cl_image_desc* description, void* host_pointer) {
  return create(context, nullptr, {flags, format, description, host_pointer});
}

Result<cl_mem> create_image_with_properties(cl_context context, const cl_mem_properties* properties,
                                            cl_mem_flags flags, const cl_image_format* format,
                                            const cl_image_desc* description, void* host_pointer) {
  return create(context, properties, {flags, format, description, host_pointer});
}

Result<cl_mem> create_image_2d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               size_t width, size_t height, size_t row_pitch, void* host_pointer) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  description.image_row_pitch = row_pitch;
  return create(context, nullptr, {flags, format, &description, host_pointer, false, CL_INVALID_IMAGE_SIZE});
}

Result<cl_mem> create_image_3d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               size_t width, size_t height, size_t depth, size_t row_pitch,
                               size_t slice_pitch, void* host_pointer) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = width;
  description.image_height = height;
  description.image_depth = depth;
  description.image_row_pitch = row_pitch;
  description.image_slice_pitch = slice_pitch;
  return create(context, nullptr,
                {flags, format, &description, host_pointer, false, CL_INVALID_IMAGE_SIZE, 2});
}

Status get_supported_image_formats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type,
                                   cl_uint entries, cl_image_format* formats, cl_uint* count) {
  TRY(const Context& context, object_cast<Context>(handle));
  TRY(validate::memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}));
  if (!is_image_type(type))
    return fail(CL_INVALID_VALUE, "image_type is 0x", std::hex, type, "; it must be a CL_MEM_OBJECT_IMAGE*");
  if (formats && entries == 0)
    return fail(CL_INVALID_VALUE, "num_entries is 0 and image_formats is not NULL");
  cl_uint found = 0;
  for (const ImageFormat& format : image_formats()) {
    if (!format.supports(type, flags) || !context.has_image_format(format.name, type, flags)) continue;
    if (formats && found < entries) formats[found] = format.name;
    ++found;
  }
  if (count) *count = found;
  return {};
}

Status get_image_info(cl_mem handle, cl_image_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Image & image, object_cast<Image>(handle));
  return image.image_info(name, Answer(size, value, size_ret));
}

Status get_image_requirements_info(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
                                   const cl_image_format* name, const cl_image_desc* description,
                                   cl_image_requirements_info_ext query, size_t size, void* value,
                                   size_t* size_ret) {
  TRY(Context & context, object_cast<Context>(handle));
  TRY(MemoryProperties::checked(context, properties, false));
  TRY(validate::memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}));
  const ImageFormat* format = name ? find_image_format(*name) : nullptr;
  if (name && !format)
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "there is no image format with the channel order 0x",
                std::hex, name->image_channel_order, " and the channel data type 0x",
                name->image_channel_data_type);
  return image_requirement(context, format, description, query, Answer(size, value, size_ret));
}

} // namespace hostcl::runtime
