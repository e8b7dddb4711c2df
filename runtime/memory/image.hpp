#pragma once

// Images.

#include "runtime/memory/image_layout.hpp"
#include "runtime/memory/memory.hpp"

#include <vector>

namespace hostcl::runtime {

/// Arguments of clCreateImage* that have been checked.
struct ImageRequest {
  cl_mem_flags flags = 0;
  ImageLayout layout;
  Memory* parent = nullptr; ///< the buffer or image whose storage the new image uses, if any
  void* host_pointer = nullptr;
  MemoryProperties properties;
};

/// An image. Its descriptor is a member, and code of kernels relies on the descriptor's alignment.
class alignas(alignof(abi::Image)) Image final : public Memory {
public:
  static Result<Ref<Image>> create(Context& context, ImageRequest request);

  Image(Context& context, ImageRequest request);
  ~Image();

  const ImageLayout& layout() const { return layout_; }
  const ImageFormat& format() const { return *layout_.format; }
  /// What kernels see of the image. Its address does not change while the image lives.
  const abi::Image& descriptor() const { return shared_ ? *shared_ : descriptor_; }

  Status image_info(cl_image_info name, Answer answer) const;

private:
  void describe();
  Status share_descriptors();

  abi::Image descriptor_;
  ImageLayout layout_;
  std::vector<abi::Image> levels_; ///< descriptors of the levels of a mipmapped image
  /// Copies of the descriptors of the image and then of its levels, in memory of the context's CodeHost. Null if the
  /// context has no CodeHost.
  abi::Image* shared_ = nullptr;
};

/// clGetImageRequirementsInfoEXT() for arguments that have been checked. Format and description may be null,
/// for any.
Status image_requirement(const Context& context, const ImageFormat* format, const cl_image_desc* description,
                         cl_image_requirements_info_ext name, Answer answer);

/// Accepts images only, not buffers and pipes.
template <>
inline Result<Image&> object_cast<Image>(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (!is_image_type(memory.type())) return of_other_type(memory, "image");
  return static_cast<Image&>(memory);
}

/// Arguments of clCreateImage* as the application gives them.
struct ImageArguments {
  cl_mem_flags flags;
  const cl_image_format* format;
  const cl_image_desc* description;
  void* host_pointer;
  bool is_external = false; ///< whether the image uses external memory
  /// The error for wrong pitches; clCreateImage2D and clCreateImage3D return a different one.
  cl_int pitch_error = CL_INVALID_IMAGE_DESCRIPTOR;
  std::size_t least_depth = 1; ///< least depth of a 3D image
};

/// The largest width of a 1D image in a buffer: limited by the size of an allocation, for the largest texels,
/// and by the range of coordinates.
std::size_t max_image_buffer_texels(const Device& device);

/// The largest sides of images of a type; 0 if the type has no such side.
struct ImageLimits {
  std::size_t width, height, depth, layers;
};
ImageLimits image_limits(const Device& device, cl_mem_object_type type);
/// The largest of the limits of the context's devices.
ImageLimits image_limits(const Context& context, cl_mem_object_type type);

namespace validate {

/// CL_INVALID_IMAGE_SIZE if a side is less than `least`, or the depth less than `least_depth`, or a side
/// above its limit.
Status image_sides(const ImageLimits& most, const cl_image_desc& description, std::size_t least,
                   std::size_t least_depth);
/// The layout for a description whose sides have been checked, without regard to the storage.
Result<ImageLayout> image_layout(const cl_image_desc& description, const ImageFormat& format);
/// Checks the arguments of clCreateImage*, in the order in which the specification lists the errors.
Result<ImageRequest> image(const Context& context, const ImageArguments& arguments);

} // namespace validate

} // namespace hostcl::runtime
