// Part of image.hpp: what clCreateImage* checks (OpenCL 3.0 API, 5.3.1).

#include "runtime/memory/buffer.hpp"
#include "runtime/memory/image.hpp"

#include <algorithm>
#include <bit>

namespace hostcl::runtime {

std::size_t max_image_buffer_texels(const Device& device) {
  return std::min<std::uint64_t>(device.max_allocation_bytes() / max_texel_bytes,
                                 device.limits().image_buffer_texels);
}

ImageLimits image_limits(const Device& device, cl_mem_object_type type) {
  const bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
  const Limits& limits = device.limits();
  const std::size_t width = is_3d ? limits.image_3d_width : limits.image_2d_width;
  const std::size_t height = is_3d ? limits.image_3d_height : limits.image_2d_height;
  return {.width = type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? max_image_buffer_texels(device) : width,
          .height = has_height(type) ? height : 0,
          .depth = is_3d ? limits.image_3d_depth : 0,
          .layers = is_image_array(type) ? limits.image_layers : 0};
}

ImageLimits image_limits(const Context& context, cl_mem_object_type type) {
  const auto most = [&](std::size_t ImageLimits::* side) {
    return context.most([&](const Device& device) { return image_limits(device, type).*side; });
  };
  return {most(&ImageLimits::width), most(&ImageLimits::height), most(&ImageLimits::depth),
          most(&ImageLimits::layers)};
}

namespace validate {

namespace {

/// The memory object whose storage the new image uses; null if the image gets storage of its own.
Result<Memory*> checked_parent(const Context& context, const cl_image_desc* description) {
  if (!description || !description->mem_object) return nullptr;
  auto memory = object_cast<Memory>(description->mem_object);
  if (!memory.ok())
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->mem_object ",
                static_cast<const void*>(description->mem_object), " is not a memory object");
  Memory& parent = std::move(memory).value();
  if (&parent.context() != &context)
    return fail(CL_INVALID_CONTEXT, "image_desc->mem_object belongs to another context");
  return &parent;
}

Result<cl_mem_flags> checked_flags(const Memory* parent, cl_mem_flags flags, bool is_external) {
  if (!parent) {
    TRY(memory_flags(flags));
    TRY(external_flags(flags, is_external));
    TRY(initial_contents(flags, is_external));
    return flags;
  }
  if ((parent->flags() & CL_MEM_IMMUTABLE_EXT) && !(flags & CL_MEM_IMMUTABLE_EXT))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " lack CL_MEM_IMMUTABLE_EXT, which image_desc->mem_object has");
  return flags_within(*parent, flags);
}

/// Depth images may have mipmaps: OpenCL does not allow them, but they work as those of other images.
Status mip_levels(const cl_image_desc& d, const cl_image_format& format) {
  if (d.num_mip_levels < 2) return {};
  if (d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
      format.image_channel_data_type == CL_UNSIGNED_INT_RAW10_EXT ||
      format.image_channel_data_type == CL_UNSIGNED_INT_RAW12_EXT)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "num_mip_levels is ", d.num_mip_levels,
                "; 1D images of buffers and images of raw formats cannot have mipmaps");
  // OpenCL does not limit the number of levels to that of the image's own sides, so up to the number for the
  // longest possible side is accepted.
  if (constexpr cl_uint most = std::bit_width(Limits().image_2d_width); d.num_mip_levels > most)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "num_mip_levels is ", d.num_mip_levels,
                "; an image of this size has at most ", most);
  return {};
}

/// Checks the members of image_desc that are not sizes.
Status description(const cl_image_desc& d, const cl_image_format& format, const Memory* parent) {
  if (!is_image_type(d.image_type))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_type is 0x", std::hex, d.image_type,
                "; it must be a CL_MEM_OBJECT_IMAGE*");
  if (d.num_samples)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is ", d.num_samples, "; it must be 0");
  TRY(mip_levels(d, format));
  const bool of_buffer = parent && parent->type() == CL_MEM_OBJECT_BUFFER;
  if (d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER && !of_buffer)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "mem_object of a CL_MEM_OBJECT_IMAGE1D_BUFFER is not a buffer");
  if (of_buffer && d.num_mip_levels > 1)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "num_mip_levels is ", d.num_mip_levels,
                " and mem_object is a buffer; images of buffers have no mipmaps");
  const bool is_2d_view =
      parent && d.image_type == CL_MEM_OBJECT_IMAGE2D && parent->type() == CL_MEM_OBJECT_IMAGE2D;
  if (parent && !of_buffer && !is_2d_view)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR,
                "mem_object is neither a buffer, nor a 2D image for a 2D image: its CL_MEM_TYPE is 0x",
                std::hex, parent->type());
  return {};
}

Status side(const char* name, std::size_t size, std::size_t least, std::size_t most) {
  if (size >= least && size <= most) return {};
  if (most == 0)
    return fail(CL_INVALID_OPERATION, "the device has no images of this type: the limit of ", name, " is 0");
  return fail(CL_INVALID_IMAGE_SIZE, name, " is ", size, ", not ", least, " to ", most,
              ", the device's limit for this type of image");
}

/// The layout of a description, without pitches.
ImageLayout layout_of(const cl_image_desc& d, const ImageFormat& format) {
  ImageLayout layout{.format = &format, .type = d.image_type, .width = d.image_width};
  if (has_height(d.image_type)) layout.height = d.image_height;
  if (d.image_type == CL_MEM_OBJECT_IMAGE3D) layout.depth = d.image_depth;
  if (is_image_array(d.image_type)) layout.layers = d.image_array_size;
  layout.mip_levels = d.num_mip_levels;
  return layout;
}

/// Sets the pitches of an image whose sides have been checked.
Status pitches(ImageLayout& layout, const cl_image_desc& d, bool may_give_them, cl_int error) {
  const std::size_t row = layout.format->bytes(layout.width);
  layout.row_pitch = d.image_row_pitch ? d.image_row_pitch : row;
  const std::size_t given_slice = has_slices(layout.type) ? d.image_slice_pitch : 0;
  if ((d.image_row_pitch || given_slice) && (!may_give_them || layout.is_mipmapped()))
    return fail(error, "image_row_pitch is ", d.image_row_pitch, " and image_slice_pitch ",
                d.image_slice_pitch,
                "; without host_ptr, buffer and external memory, and with mipmaps, both must be 0");
  if (layout.row_pitch < row || layout.row_pitch % layout.format->alignment())
    return fail(error, "image_row_pitch is ", layout.row_pitch, ", less than a row's ", row,
                " bytes or not a multiple of an element's ", layout.format->alignment());
  std::size_t slice = 0, total = 0;
  bool overflows = __builtin_mul_overflow(layout.row_pitch, layout.height, &slice);
  layout.slice_pitch = given_slice ? given_slice : slice;
  if (!overflows && (layout.slice_pitch < slice || layout.slice_pitch % layout.row_pitch))
    return fail(error, "image_slice_pitch is ", layout.slice_pitch, ", less than a slice's ", slice,
                " bytes or not a multiple of image_row_pitch, ", layout.row_pitch);
  overflows |= __builtin_mul_overflow(layout.slice_pitch, layout.depth * layout.layers, &total);
  if (overflows || total > PTRDIFF_MAX)
    return fail(CL_INVALID_IMAGE_SIZE, "the image ends beyond the address space");
  return {};
}

/// Whether an image of order `view` may be made of an image of order `of` (OpenCL 3.0 API, 5.3.1.2).
bool is_compatible_view(cl_channel_order view, cl_channel_order of) {
  constexpr std::pair<cl_channel_order, cl_channel_order> compatible[] = {
      {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA}, {CL_RGBA, CL_sRGBA}, {CL_DEPTH, CL_R}};
  return std::ranges::find(compatible, std::pair(view, of)) != std::end(compatible);
}

/// Checks a 2D image that is made of another 2D image, and completes its layout.
Status view(ImageLayout& layout, const cl_image_desc& d, const Image& of) {
  const ImageLayout& seen = of.layout();
  const cl_image_format &format = layout.format->name, &other = seen.format->name;
  if (format.image_channel_data_type != other.image_channel_data_type ||
      !is_compatible_view(format.image_channel_order, other.image_channel_order))
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the channel order 0x", std::hex,
                format.image_channel_order, " and the channel data type 0x", format.image_channel_data_type,
                " are not compatible with mem_object's 0x", other.image_channel_order, " and 0x",
                other.image_channel_data_type);
  const auto differs = [](std::size_t given, std::size_t own) { return given && given != own; };
  if (layout.width != seen.width || layout.height != seen.height || d.num_mip_levels != seen.mip_levels ||
      differs(d.image_row_pitch, seen.row_pitch))
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is ", d.image_width, " x ", d.image_height, " with ",
                d.num_mip_levels, " levels and a row pitch of ", d.image_row_pitch, ", mem_object is ",
                seen.width, " x ", seen.height, " with ", seen.mip_levels, " and ", seen.row_pitch);
  layout.row_pitch = seen.row_pitch;
  layout.slice_pitch = seen.slice_pitch;
  return {};
}

/// Checks an image that uses the storage of a buffer.
Status in_buffer(const ImageLayout& layout, const Memory& buffer) {
  if (reinterpret_cast<std::uintptr_t>(buffer.host_data()) % layout.format->alignment())
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the address of the buffer's data, ",
                static_cast<const void*>(buffer.host_data()), ", is not a multiple of an element's ",
                layout.format->alignment(), " bytes");
  if (layout.bytes() > buffer.size())
    return fail(CL_INVALID_IMAGE_SIZE, "the image has ", layout.bytes(), " bytes, the buffer ",
                buffer.size());
  return {};
}

Status host_pointer(const ImageArguments& a, const ImageLayout* layout) {
  const bool wants_pointer = a.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (wants_pointer != (a.host_pointer != nullptr))
    return fail(CL_INVALID_HOST_PTR, "host_ptr is ", a.host_pointer, "; it must ",
                wants_pointer ? "be given, as" : "be NULL, as neither", " CL_MEM_USE_HOST_PTR ",
                wants_pointer ? "or" : "nor", " CL_MEM_COPY_HOST_PTR is in flags");
  if (!layout) return {};
  if (wants_pointer && layout->is_mipmapped())
    return fail(CL_INVALID_HOST_PTR, "flags 0x", std::hex, a.flags,
                " use host_ptr, which images with mipmaps do not support");
  const std::size_t used = layout->rect_of_level(0).end();
  if (const std::size_t there = bytes_of_allocation(a.host_pointer); wants_pointer && used > there)
    return fail(CL_INVALID_HOST_PTR, "the image has ", used, " bytes, the allocation at host_ptr ", there);
  return {};
}

Status whole_blocks(const cl_image_desc& d, const ImageFormat& format) {
  if (d.image_width % format.block_texels == 0) return {};
  return fail(CL_INVALID_IMAGE_SIZE, "image_width is ", d.image_width, "; it must be a multiple of ",
              static_cast<int>(format.block_texels),
              ", the number of texels that the format stores together");
}

/// Checks the row pitch of a 2D image of a buffer, and the buffer's host_ptr. They are aligned for all devices.
Status alignment_in_buffer(const ImageLayout& layout, const Memory& buffer) {
  if (layout.type != CL_MEM_OBJECT_IMAGE2D) return {};
  const cl_uint texels = buffer.context().most(&Limits::image_pitch_alignment);
  if (!texels)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->mem_object is a buffer; the device has no 2D "
                                             "images of buffers (CL_DEVICE_IMAGE_PITCH_ALIGNMENT is 0)");
  const std::size_t texel_bytes = std::max<std::size_t>(layout.format->texel_bytes(), 1);
  if (layout.row_pitch % (texels * texel_bytes))
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the row pitch is ", layout.row_pitch,
                "; for a 2D image of a buffer it must be a multiple of ", texels,
                " texels (CL_DEVICE_IMAGE_PITCH_ALIGNMENT)");
  const cl_uint base = std::max(buffer.context().most(&Limits::image_base_alignment), cl_uint{1});
  if (reinterpret_cast<std::uintptr_t>(buffer.host_pointer()) % (base * texel_bytes))
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the buffer's host_ptr is ", buffer.host_pointer(),
                "; for a 2D image of the buffer it must be a multiple of ", base,
                " texels (CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT)");
  return {};
}

Result<ImageLayout> checked_layout(const ImageArguments& a, const Memory* parent, const ImageFormat& format) {
  const cl_image_desc& d = *a.description;
  ImageLayout layout = layout_of(d, format);
  TRY(whole_blocks(d, format));
  if (parent && parent->type() == CL_MEM_OBJECT_IMAGE2D) {
    TRY(view(layout, d, static_cast<const Image&>(*parent)));
    return layout;
  }
  TRY(pitches(layout, d, parent || a.host_pointer || a.is_external,
              parent ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : a.pitch_error));
  if (parent) {
    TRY(alignment_in_buffer(layout, *parent));
    TRY(in_buffer(layout, *parent));
  }
  return layout;
}

} // namespace

Status image_sides(const ImageLimits& most, const cl_image_desc& d, std::size_t least,
                   std::size_t least_depth) {
  TRY(side("image_width", d.image_width, least, most.width));
  if (most.height) TRY(side("image_height", d.image_height, least, most.height));
  if (most.depth) TRY(side("image_depth", d.image_depth, least_depth, most.depth));
  if (most.layers) TRY(side("image_array_size", d.image_array_size, least, most.layers));
  return {};
}

Result<ImageLayout> image_layout(const cl_image_desc& d, const ImageFormat& format) {
  TRY(mip_levels(d, format.name));
  TRY(whole_blocks(d, format));
  ImageLayout layout = layout_of(d, format);
  TRY(pitches(layout, d, true, CL_INVALID_IMAGE_DESCRIPTOR));
  return layout;
}

Result<ImageRequest> image(const Context& context, const ImageArguments& a) {
  TRY(Memory * parent, checked_parent(context, a.description));
  TRY(cl_mem_flags flags, checked_flags(parent, a.flags, a.is_external));
  if (!a.format) return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
  if (!is_valid_image_format(*a.format))
    return fail(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "there is no image format with the channel order 0x",
                std::hex, a.format->image_channel_order, " and the channel data type 0x",
                a.format->image_channel_data_type);
  if (!a.description) return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
  TRY(description(*a.description, *a.format, parent));
  if (parent && a.is_external)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc->mem_object and a handle of external memory are "
                                             "both given; an image can have only one of them");
  TRY(image_sides(image_limits(context, a.description->image_type), *a.description, 1, a.least_depth));
  const ImageFormat* format = find_image_format(*a.format);
  ImageRequest request;
  request.flags = flags;
  request.parent = parent;
  request.host_pointer = a.host_pointer;
  if (format) {
    TRY(ImageLayout layout, checked_layout(a, parent, *format));
    request.layout = layout;
  }
  TRY(host_pointer(a, format ? &request.layout : nullptr));
  if (!format || !format->supports(a.description->image_type, flags) ||
      !context.has_image_format(*a.format, a.description->image_type, flags))
    return fail(CL_IMAGE_FORMAT_NOT_SUPPORTED, "the channel order 0x", std::hex,
                a.format->image_channel_order, " with the channel data type 0x",
                a.format->image_channel_data_type, " is not supported for image_type 0x",
                a.description->image_type, " and flags 0x", flags,
                "; clGetSupportedImageFormats lists the formats");
  if (const std::uint64_t most = context.most(&Device::max_allocation_bytes); request.layout.bytes() > most)
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the image has ", request.layout.bytes(),
                " bytes, more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", most);
  return request;
}

} // namespace validate

} // namespace hostcl::runtime
