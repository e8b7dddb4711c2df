// Commands on images: read, write, copy, fill, map (OpenCL 3.0 API, 5.3.3 to 5.3.6). Declared in runtime/api/api.hpp.

#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/transfer.hpp"
#include "runtime/support/float_environment.hpp"

namespace hostcl::runtime {

namespace {

/// The arguments of a call that describe a region. `prefix` is the prefix of their names: "src_" for src_origin.
struct RegionArguments {
  const char* prefix;
  const std::size_t* origin;
  const std::size_t* region;
};

/// For a mipmapped image, the element of `origin` after the coordinates is the mipmap level.
Result<cl_uint> checked_level(const ImageLayout& layout, const RegionArguments& a) {
  if (!layout.is_mipmapped()) return 0u;
  const unsigned place = layout.dimensions();
  if (a.origin[place] >= layout.levels())
    return fail(CL_INVALID_MIP_LEVEL, a.prefix, "origin[", place, "] is ", a.origin[place],
                "; it is the mip level, and the image has ", layout.levels(), " levels");
  return static_cast<cl_uint>(a.origin[place]);
}

Status along(const ImageLayout& level, const RegionArguments& a, unsigned i) {
  const std::size_t first = a.origin[i], count = a.region[i], size = level.extent()[i];
  if (count == 0) return fail(CL_INVALID_VALUE, "region[", i, "] is 0");
  if (first >= size || count > size - first)
    return fail(CL_INVALID_VALUE, a.prefix, "origin[", i, "] ", first, " + region[", i, "] ", count,
                " is beyond the image's ", size);
  const std::size_t block = i == 0 ? level.format->block_texels : 1;
  if (first % block || count % block)
    return fail(CL_INVALID_VALUE, a.prefix, "origin[0] ", first, " or region[0] ", count,
                " is not a multiple of ", block, ", the number of texels that the format stores together");
  return {};
}

Result<ImageRegion> checked_region(const Image& image, const RegionArguments& a) {
  if (!a.origin) return fail(CL_INVALID_VALUE, a.prefix, "origin is NULL");
  if (!a.region) return fail(CL_INVALID_VALUE, "region is NULL");
  const ImageLayout& layout = image.layout();
  TRY(cl_uint number, checked_level(layout, a));
  const ImageLayout level = layout.level(number);
  ImageRegion result{.extent = {1, 1, 1}, .level = number};
  for (unsigned i = 0; i < 3; ++i) {
    if (i < layout.dimensions()) {
      TRY(along(level, a, i));
      result.origin[i] = a.origin[i];
      result.extent[i] = a.region[i];
      continue;
    }
    const bool is_level = layout.is_mipmapped() && i == layout.dimensions();
    if ((a.origin[i] && !is_level) || a.region[i] != 1)
      return fail(CL_INVALID_VALUE, a.prefix, "origin[", i, "] is ", a.origin[i], " and region[", i, "] ",
                  a.region[i], "; for an image of ", layout.dimensions(), " dimensions they must be 0 and 1");
  }
  return result;
}

/// The rectangle of a region in memory of the host, with pitches of 0 replaced by their defaults. Rect::end() of the
/// result may overflow until validate::in_address_space() has accepted the rectangle.
Result<Rect> host_rect(const Image& image, const ImageRegion& region, std::size_t row_pitch,
                       std::size_t slice_pitch) {
  const std::size_t row = image.format().bytes(region.extent[0]);
  if (!row_pitch) row_pitch = row;
  if (row_pitch < row)
    return fail(CL_INVALID_VALUE, "row_pitch is ", row_pitch, "; it must be at least the ", row,
                " bytes of a row of the region");
  if (slice_pitch && !has_slices(image.type()))
    return fail(CL_INVALID_VALUE, "slice_pitch is ", slice_pitch, "; for a 1D or 2D image it must be 0");
  const bool rows_are_layers = image.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  std::size_t slice = row_pitch;
  if (!rows_are_layers && __builtin_mul_overflow(row_pitch, region.extent[1], &slice))
    return fail(CL_INVALID_VALUE, "row_pitch is ", row_pitch, ": the region ends beyond the address space");
  if (!slice_pitch) slice_pitch = slice;
  if (slice_pitch < slice)
    return fail(CL_INVALID_VALUE, "slice_pitch is ", slice_pitch, "; it must be at least the ", slice,
                " bytes of a slice of the region");
  if (rows_are_layers) return Rect{0, region.extent_in_bytes(image.format()), slice_pitch, slice_pitch};
  return Rect{0, region.extent_in_bytes(image.format()), row_pitch, slice_pitch};
}

/// Whether two rectangles in memory objects share a byte. The two memory objects may use the same storage.
bool share_bytes(const Memory& a, const Rect& rect_a, const Memory& b, const Rect& rect_b) {
  if (&a.storage() != &b.storage()) return false;
  const auto in_storage = [](const Memory& memory, const Rect& rect) {
    return rect.moved(static_cast<std::size_t>(memory.data() - memory.storage().data()));
  };
  return overlap(in_storage(a, rect_a), in_storage(b, rect_b));
}

/// Reads a region of an image to memory of the host, or writes the region from there. A write only reads the memory of
/// the host.
Status transfer(ToQueue destination, cl_mem handle, HostAccess access, const RegionArguments& arguments,
                std::size_t row_pitch, std::size_t slice_pitch, void* host) {
  TRY(destination.resolve());
  TRY(Image & image, memory_for<Image>(destination.queue(), handle));
  TRY(ImageRegion region, checked_region(image, arguments));
  TRY(Rect in_host, host_rect(image, region, row_pitch, slice_pitch));
  if (!host) return fail(CL_INVALID_VALUE, "ptr is NULL");
  TRY(validate::in_address_space(host, in_host));
  TRY(destination.check_waits());
  TRY(validate::host_access(image, access));
  const cl_command_type type = access == HostAccess::read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE;
  return take_host_copy(destination, type, access, image, image.layout().rect(region), host, in_host);
}

/// The bytes of a buffer to or from which a region of an image is copied. `name` is the name of `offset`.
Result<Rect> rect_in_buffer(const Buffer& buffer, std::size_t offset, const Rect& in_image,
                            const char* name) {
  const std::size_t bytes = in_image.bytes();
  if (offset > buffer.size() || bytes > buffer.size() - offset)
    return fail(CL_INVALID_VALUE, name, " ", offset, " + ", bytes,
                " bytes of the region is beyond the buffer's ", buffer.size(), " bytes");
  return Rect{offset, in_image.extent, in_image.extent[0], in_image.extent[0] * in_image.extent[1]};
}

} // namespace

Status enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                          const size_t* region, size_t row_pitch, size_t slice_pitch, void* host,
                          cl_uint count, const cl_event* waits, cl_event* event) {
  return transfer(ToQueue(queue, count, waits, event, blocking), image, HostAccess::read,
                  {"", origin, region}, row_pitch, slice_pitch, host);
}

Status enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                           const size_t* region, size_t row_pitch, size_t slice_pitch, const void* host,
                           cl_uint count, const cl_event* waits, cl_event* event) {
  return transfer(ToQueue(queue, count, waits, event, blocking), image, HostAccess::write,
                  {"", origin, region}, row_pitch, slice_pitch, const_cast<void*>(host));
}

namespace {

template <class Destination>
Status copy_image(Destination destination, cl_mem source_handle, cl_mem target_handle,
                  const RegionArguments& source_region, const RegionArguments& target_region) {
  TRY(destination.resolve());
  TRY(Image & source, memory_for<Image>(destination.queue(), source_handle));
  TRY(Image & target, memory_for<Image>(destination.queue(), target_handle));
  if (&source.format() != &target.format())
    return fail(CL_IMAGE_FORMAT_MISMATCH, "the channel orders 0x", std::hex,
                source.format().name.image_channel_order, " and 0x", target.format().name.image_channel_order,
                " or the channel data types 0x", source.format().name.image_channel_data_type, " and 0x",
                target.format().name.image_channel_data_type, " differ");
  TRY(ImageRegion from, checked_region(source, source_region));
  TRY(ImageRegion to, checked_region(target, target_region));
  TRY(destination.check_waits());
  const Rect from_rect = source.layout().rect(from), to_rect = target.layout().rect(to);
  if (share_bytes(source, from_rect, target, to_rect))
    return fail(CL_MEM_COPY_OVERLAP, "the regions at src_origin and dst_origin overlap");
  TRY(validate::is_mutable(target));
  return take_copy(destination, CL_COMMAND_COPY_IMAGE, target, to_rect, source, from_rect);
}

/// Copies a region of an image to a buffer (CL_COMMAND_COPY_IMAGE_TO_BUFFER) or from a buffer
/// (CL_COMMAND_COPY_BUFFER_TO_IMAGE).
template <class Destination>
Status copy_image_and_buffer(Destination destination, cl_command_type type, cl_mem image_handle,
                             const RegionArguments& arguments, cl_mem buffer_handle, std::size_t offset) {
  const bool to_buffer = type == CL_COMMAND_COPY_IMAGE_TO_BUFFER;
  TRY(destination.resolve());
  // If both memory objects are invalid, the error is that of the source.
  if (!to_buffer) TRY(memory_for<Buffer>(destination.queue(), buffer_handle));
  TRY(Image & image, memory_for<Image>(destination.queue(), image_handle));
  TRY(Buffer & buffer, memory_for<Buffer>(destination.queue(), buffer_handle));
  if (image.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && image.parent() == &buffer)
    return fail(CL_INVALID_MEM_OBJECT, "the image is a CL_MEM_OBJECT_IMAGE1D_BUFFER of the buffer");
  TRY(ImageRegion region, checked_region(image, arguments));
  const Rect in_image = image.layout().rect(region);
  TRY(Rect in_buffer, rect_in_buffer(buffer, offset, in_image, to_buffer ? "dst_offset" : "src_offset"));
  TRY(destination.check_waits());
  TRY(validate::is_mutable(to_buffer ? static_cast<const Memory&>(buffer) : image));
  if (share_bytes(image, in_image, buffer, in_buffer))
    return fail(CL_MEM_COPY_OVERLAP,
                "the image was created from the buffer, and the source and destination bytes overlap");
  if (to_buffer) return take_copy(destination, type, buffer, in_buffer, image, in_image);
  return take_copy(destination, type, image, in_image, buffer, in_buffer);
}

template <class Destination>
Status fill_image(Destination destination, cl_mem image_handle, const void* color,
                  const RegionArguments& region) {
  TRY(destination.resolve());
  TRY(Image & image, memory_for<Image>(destination.queue(), image_handle));
  if (!color) return fail(CL_INVALID_VALUE, "fill_color is NULL");
  TRY(ImageRegion filled, checked_region(image, region));
  TRY(destination.check_waits());
  TRY(validate::is_mutable(image));
  const TexelBlock block = [&] {
    const DefaultFloatEnvironment environment;
    return pack_color(image.format(), color);
  }();
  const std::size_t block_bytes = image.format().block_bytes;
  const Rect rect = image.layout().rect(filled);
  const std::uint64_t estimate = transfer_estimate(rect.bytes());
  if (rect.is_dense())
    return destination.template take<FillWork>(CL_COMMAND_FILL_IMAGE, estimate, image.data() + rect.first,
                                               block.data(), block_bytes, rect.bytes(),
                                               Keep{Ref<Memory>(image)});
  return destination.template take<FillRectWork>(CL_COMMAND_FILL_IMAGE, estimate, image.data(), rect,
                                                 std::span(block).first(block_bytes),
                                                 Keep{Ref<Memory>(image)});
}

} // namespace

Status enqueue_copy_image(cl_command_queue queue, cl_mem source, cl_mem target, const size_t* source_origin,
                          const size_t* target_origin, const size_t* region, cl_uint count,
                          const cl_event* waits, cl_event* event) {
  return copy_image(ToQueue(queue, count, waits, event), source, target, {"src_", source_origin, region},
                    {"dst_", target_origin, region});
}

Status command_copy_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                          const size_t* source_origin, const size_t* target_origin, const size_t* region,
                          cl_uint count, const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle) {
  return copy_image(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), source,
                    target, {"src_", source_origin, region}, {"dst_", target_origin, region});
}

Status enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem image, cl_mem target, const size_t* origin,
                                    const size_t* region, size_t offset, cl_uint count, const cl_event* waits,
                                    cl_event* event) {
  return copy_image_and_buffer(ToQueue(queue, count, waits, event), CL_COMMAND_COPY_IMAGE_TO_BUFFER, image,
                               {"src_", origin, region}, target, offset);
}

Status command_copy_image_to_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr* properties, cl_mem image, cl_mem target,
                                    const size_t* origin, const size_t* region, size_t offset, cl_uint count,
                                    const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                    cl_mutable_command_khr* handle) {
  return copy_image_and_buffer(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle),
                               CL_COMMAND_COPY_IMAGE_TO_BUFFER, image, {"src_", origin, region}, target,
                               offset);
}

Status enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem source, cl_mem image, size_t offset,
                                    const size_t* origin, const size_t* region, cl_uint count,
                                    const cl_event* waits, cl_event* event) {
  return copy_image_and_buffer(ToQueue(queue, count, waits, event), CL_COMMAND_COPY_BUFFER_TO_IMAGE, image,
                               {"dst_", origin, region}, source, offset);
}

Status command_copy_buffer_to_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                                    const cl_command_properties_khr* properties, cl_mem source, cl_mem image,
                                    size_t offset, const size_t* origin, const size_t* region, cl_uint count,
                                    const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                    cl_mutable_command_khr* handle) {
  return copy_image_and_buffer(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle),
                               CL_COMMAND_COPY_BUFFER_TO_IMAGE, image, {"dst_", origin, region}, source,
                               offset);
}

Status enqueue_fill_image(cl_command_queue queue, cl_mem image, const void* color, const size_t* origin,
                          const size_t* region, cl_uint count, const cl_event* waits, cl_event* event) {
  return fill_image(ToQueue(queue, count, waits, event), image, color, {"", origin, region});
}

Status command_fill_image(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_command_properties_khr* properties, cl_mem image, const void* color,
                          const size_t* origin, const size_t* region, cl_uint count,
                          const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                          cl_mutable_command_khr* handle) {
  return fill_image(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), image,
                    color, {"", origin, region});
}

Result<void*> enqueue_map_image(cl_command_queue queue_handle, cl_mem image_handle, cl_bool blocking,
                                cl_map_flags flags, const size_t* origin, const size_t* region,
                                size_t* row_pitch, size_t* slice_pitch, cl_uint count, const cl_event* waits,
                                cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Image & image, memory_for<Image>(queue, image_handle));
  TRY(validate::map_flags(flags));
  TRY(validate::map_access(image, flags)); // first, because it does not depend on the region
  TRY(ImageRegion mapped, checked_region(image, {"", origin, region}));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (!row_pitch) return fail(CL_INVALID_VALUE, "image_row_pitch is NULL");
  if (!slice_pitch && has_slices(image.type()))
    return fail(CL_INVALID_VALUE, "image_slice_pitch is NULL for an image array or a 3D image");
  TRY(void* address,
      submit_map(
          queue,
          {.type = CL_COMMAND_MAP_IMAGE, .waits = list, .event = event, .blocking = blocking != CL_FALSE},
          image, image.layout().rect(mapped), flags));
  const ImageLayout level = image.layout().level(mapped.level);
  *row_pitch = level.row_pitch;
  if (slice_pitch) *slice_pitch = has_slices(image.type()) ? level.slice_pitch : 0;
  return address;
}

} // namespace hostcl::runtime
