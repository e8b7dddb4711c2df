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
  Memory* parent = nullptr; ///< the buffer or image with the storage, if there is one
  void* host_pointer = nullptr;
  MemoryProperties properties;
};

/// Descriptors that kernels see are aligned to it.
class alignas(alignof(abi::Image)) Image final : public Memory {
public:
  static Result<Ref<Image>> create(Context& context, ImageRequest request);

  Image(Context& context, ImageRequest request);
  ~Image();

  const ImageLayout& layout() const { return layout_; }
  const ImageFormat& format() const { return *layout_.format; }
  /// What kernels see: it stays where it is while the image lives.
  const abi::Image& descriptor() const { return descriptor_; }

  Status image_info(cl_image_info name, Answer answer) const;

private:
  void describe();

  abi::Image descriptor_;
  ImageLayout layout_;
  std::vector<abi::Image> levels_; ///< of a mipmapped image
};

/// clGetImageRequirementsInfoEXT for checked arguments; either may be null, for any.
Status image_requirement(const Context& context, const ImageFormat* format, const cl_image_desc* description,
                         cl_image_requirements_info_ext name, Answer answer);

/// Refuses buffers and pipes.
template <>
inline Result<Image&> object_cast<Image>(cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (!is_image_type(memory.type())) return of_other_type(memory, "image");
  return static_cast<Image&>(memory);
}

/// Arguments of clCreateImage* as they come.
struct ImageArguments {
  cl_mem_flags flags;
  const cl_image_format* format;
  const cl_image_desc* description;
  void* host_pointer;
  bool is_external = false; ///< whether the image gets external memory
  /// The error for pitches; clCreateImage2D and clCreateImage3D have another.
  cl_int pitch_error = CL_INVALID_IMAGE_DESCRIPTOR;
  std::size_t least_depth = 1; ///< of 3D images
};

/// As many of the largest texels as one allocation holds and coordinates reach.
std::size_t max_image_buffer_texels(const Device& device);

/// The longest sides of a type of image, 0 where it has none.
struct ImageLimits {
  std::size_t width, height, depth, layers;
};
ImageLimits image_limits(const Context& context, cl_mem_object_type type);

namespace validate {

/// CL_INVALID_IMAGE_SIZE for sides that are less than these or above the limits.
Status image_sides(const Context& context, const cl_image_desc& description, std::size_t least,
                   std::size_t least_depth);
/// The layout for a description whose sides have been checked, of an image with any storage.
Result<ImageLayout> image_layout(const cl_image_desc& description, const ImageFormat& format);
/// Arguments of clCreateImage*, in the order of the specification's errors.
Result<ImageRequest> image(const Context& context, const ImageArguments& arguments);

} // namespace validate

} // namespace hostcl::runtime
