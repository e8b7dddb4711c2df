// Sizes, formats and kinds of images.

#include "portability/program.hpp"

#include <algorithm>

namespace portability {

namespace {

constexpr cl_image_format rgba8{CL_RGBA, CL_UNORM_INT8};

void create(const Bench& bench, const cl_image_desc& description, const cl_image_format& format = rgba8) {
  cl_int code = 1;
  clCreateImage(bench.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code);
  check(code);
}

cl_image_desc flat(std::size_t width, std::size_t height) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  return description;
}

bool has_images(const Bench& bench) {
  return bench.info<cl_bool>(CL_DEVICE_IMAGE_SUPPORT);
}

void image(Bench& bench) {
  if (bench.mended && !has_images(bench)) return;
  create(bench, flat(16, 16));
}

void sampler(Bench& bench) {
  if (bench.mended && !has_images(bench)) return;
  cl_int code = 1;
  clCreateSampler(bench.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
  check(code);
}

void wide_image(Bench& bench, std::size_t width) {
  if (bench.mended) width = std::min(width, bench.info<std::size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH));
  create(bench, flat(width, 4));
}
void width_of_16384(Bench& bench) {
  wide_image(bench, 16384);
}
void width_of_4096(Bench& bench) {
  wide_image(bench, 4096);
}
void width_of_32768(Bench& bench) {
  wide_image(bench, 32768);
}

void deep_image(Bench& bench) {
  cl_image_desc description = flat(4, 4);
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_depth = 4096;
  if (bench.mended)
    description.image_depth =
        std::min(description.image_depth, bench.info<std::size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH));
  create(bench, description);
}

void volume(Bench& bench) {
  cl_image_desc description = flat(4, 4);
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_depth = 4;
  if (bench.mended && bench.info<std::size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH) < 4) {
    description.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    description.image_array_size = 4;
    description.image_depth = 0;
  }
  create(bench, description);
}

void many_layers(Bench& bench) {
  cl_image_desc description = flat(4, 4);
  description.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
  description.image_array_size = 4096;
  if (bench.mended)
    description.image_array_size =
        std::min(description.image_array_size, bench.info<std::size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  create(bench, description);
}

/// Creates an image of the format if the device has it, otherwise one of four channels.
void format(Bench& bench, cl_image_format wanted) {
  if (bench.mended) {
    cl_uint count = 0;
    check(clGetSupportedImageFormats(bench.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                     &count));
    std::vector<cl_image_format> all(count);
    check(clGetSupportedImageFormats(bench.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, count,
                                     all.data(), nullptr));
    const auto is_wanted = [&](const cl_image_format& each) {
      return each.image_channel_order == wanted.image_channel_order &&
             each.image_channel_data_type == wanted.image_channel_data_type;
    };
    if (std::none_of(all.begin(), all.end(), is_wanted)) wanted = {CL_RGBA, CL_FLOAT};
  }
  create(bench, flat(16, 16), wanted);
}
void one_channel(Bench& bench) {
  format(bench, {CL_R, CL_FLOAT});
}
void two_channels(Bench& bench) {
  format(bench, {CL_RG, CL_UNORM_INT8});
}
void depth(Bench& bench) {
  format(bench, {CL_DEPTH, CL_FLOAT});
}

void image_from_buffer(Bench& bench) {
  if (bench.mended && !bench.has("cl_khr_image2d_from_buffer") && !bench.is_version(3, 0)) return;
  cl_image_desc description = flat(64, 16);
  description.image_row_pitch = 4096;
  description.mem_object = bench.buffer(64 << 10);
  create(bench, description);
}

/// A kernel that writes `count` images. The mended form writes one array of images.
void written_images(Bench& bench, unsigned count) {
  if (bench.mended) count = std::min(count, bench.info<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS));
  std::string parameters, body;
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = "i" + std::to_string(i);
    parameters += (i ? ", write_only image2d_t " : "write_only image2d_t ") + name;
    body += "write_imagef(" + name + ", (int2)(0), (float4)(1)); ";
  }
  cl_kernel kernel = bench.kernel("kernel void k(" + parameters + ") { " + body + "}");
  const cl_image_desc description = flat(4, 4);
  for (unsigned i = 0; i < count; ++i) {
    cl_int code = 1;
    cl_mem made = clCreateImage(bench.context, CL_MEM_WRITE_ONLY, &rgba8, &description, nullptr, &code);
    check(code);
    check(clSetKernelArg(kernel, i, sizeof made, &made));
  }
  bench.launch(kernel, {1}, {1});
}
void nine_written_images(Bench& bench) {
  written_images(bench, 9);
}
void forty_written_images(Bench& bench) {
  written_images(bench, 40);
}

void long_buffer_image(Bench& bench) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = 100'000;
  if (bench.mended)
    description.image_width =
        std::min(description.image_width, bench.info<std::size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
  description.mem_object = bench.buffer(400'000);
  create(bench, description);
}

} // namespace

std::vector<Program> image_programs() {
  return {
      {"an image", {"least-3.0", "videocore-4"}, CL_INVALID_OPERATION, "CL_DEVICE_IMAGE_SUPPORT", image},
      {"a sampler", {"least-3.0", "videocore-4"}, CL_INVALID_OPERATION, "CL_DEVICE_IMAGE_SUPPORT", sampler},
      {"an image of 16384 pixels", {"least-1.2"}, CL_INVALID_IMAGE_SIZE, "16384", width_of_16384},
      {"an image of 4096 pixels", {"embedded"}, CL_INVALID_IMAGE_SIZE, "4096", width_of_4096},
      {"an image of 32768 pixels",
       {"adreno-650", "iris-xe", "radeon-rx-6800-xt"},
       CL_INVALID_IMAGE_SIZE,
       "32768",
       width_of_32768},
      {"a 3D image of 4096 slices",
       {"apple-m4-pro", "adreno-650", "least-1.2"},
       CL_INVALID_IMAGE_SIZE,
       "4096",
       deep_image},
      {"a 3D image", {"embedded"}, CL_INVALID_OPERATION, "no images of this type", volume},
      {"4096 layers", {"mali-g610", "rtx-3050", "least-1.2"}, CL_INVALID_IMAGE_SIZE, "4096", many_layers},
      {"100,000 pixels in a buffer",
       {"mali-g610", "least-1.2"},
       CL_INVALID_IMAGE_SIZE,
       "100000",
       long_buffer_image},
      {"one channel",
       {"least-1.2", "embedded"},
       CL_IMAGE_FORMAT_NOT_SUPPORTED,
       "clGetSupportedImageFormats",
       one_channel},
      {"two channels",
       {"least-1.2", "embedded"},
       CL_IMAGE_FORMAT_NOT_SUPPORTED,
       "clGetSupportedImageFormats",
       two_channels},
      {"depth images", {"least-1.2"}, CL_IMAGE_FORMAT_NOT_SUPPORTED, "clGetSupportedImageFormats", depth},
      {"an image on a buffer",
       {"least-1.2", "embedded"},
       CL_INVALID_IMAGE_DESCRIPTOR,
       "CL_DEVICE_IMAGE_PITCH_ALIGNMENT",
       image_from_buffer},
      {"9 images that are written",
       {"apple-m4-pro", "radeon-rx-6800-xt", "least-1.2"},
       CL_OUT_OF_RESOURCES,
       "image",
       nine_written_images},
      {"40 images that are written", {"rtx-3050"}, CL_OUT_OF_RESOURCES, "image", forty_written_images},
  };
}

} // namespace portability
