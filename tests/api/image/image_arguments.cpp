// clSetKernelArg with images and samplers (OpenCL 3.0 API, 5.9.2)

#include "support/images.hpp"

namespace {

using test::image_of;
using test::make_image;
using test::rgba8;
using test::set_argument;

constexpr cl_image_format depth{CL_DEPTH, CL_FLOAT};

struct Parameter {
  const char* type;
  cl_mem_object_type image_type;
};

constexpr Parameter parameters[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
};

test::Kernel kernel_of(const test::Session& s, const std::string& parameter) {
  return s.kernel(("kernel void k(" + parameter + ") {}").c_str(), "k");
}

test::Buffer image(const test::Session& s, cl_mem_object_type type, const cl_image_format& format = rgba8,
                   cl_mem_flags flags = 0) {
  cl_image_desc description = image_of(type, 4, 4, 2);
  test::Buffer buffer;
  if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) description.buffer = buffer = s.buffer(16);
  return make_image(s.context, format, description, flags);
}

cl_int status_with(const std::string& parameter, cl_mem_flags flags) {
  const test::Session s;
  return set_argument(kernel_of(s, parameter), 0, image(s, CL_MEM_OBJECT_IMAGE2D, rgba8, flags));
}

} // namespace

TEST_CASE("clSetKernelArg: an image parameter takes images of its type and no others", "[image_arguments]") {
  const test::Session s;
  for (const Parameter& parameter : parameters) {
    const auto kernel = kernel_of(s, std::string("read_only ") + parameter.type + " i");
    for (cl_mem_object_type type : test::image_types) {
      CAPTURE(parameter.type, type);
      CHECK_STATUS(set_argument(kernel, 0, image(s, type)),
                   type == parameter.image_type ? CL_SUCCESS : CL_INVALID_MEM_OBJECT);
    }
  }
}

TEST_CASE("clSetKernelArg: a depth parameter takes depth images, and others do not", "[image_arguments]") {
  const test::Session s;
  const auto color_kernel = kernel_of(s, "read_only image2d_t i");
  const auto depth_kernel = kernel_of(s, "read_only image2d_depth_t i");
  const auto color = image(s, CL_MEM_OBJECT_IMAGE2D), deep = image(s, CL_MEM_OBJECT_IMAGE2D, depth);
  CHECK_CL(set_argument(depth_kernel, 0, deep));
  CHECK_CL(set_argument(color_kernel, 0, color));
  CHECK_STATUS(set_argument(depth_kernel, 0, color), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(set_argument(color_kernel, 0, deep), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("clSetKernelArg: buffers, NULL and what is gone are no images", "[image_arguments]") {
  const test::Session s;
  const auto kernel = kernel_of(s, "read_only image2d_t i");
  const auto pointer_kernel = s.kernel("kernel void k(global int* p) {}", "k");
  const cl_mem null = nullptr;
  CHECK_STATUS(set_argument(kernel, 0, s.buffer(64)), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(set_argument(pointer_kernel, 0, image(s, CL_MEM_OBJECT_IMAGE2D)), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(set_argument(kernel, 0, null), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &null), CL_INVALID_ARG_SIZE);
  void* gone = test::released(image(s, CL_MEM_OBJECT_IMAGE2D));
  CHECK_STATUS(set_argument(kernel, 0, gone), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("clSetKernelArg: the access of the parameter has to suit the image's flags", "[image_arguments]") {
  CHECK_STATUS(status_with("read_only image2d_t i", CL_MEM_WRITE_ONLY), CL_INVALID_ARG_VALUE);
  CHECK_STATUS(status_with("write_only image2d_t i", CL_MEM_READ_ONLY), CL_INVALID_ARG_VALUE);
  CHECK_STATUS(status_with("image2d_t i", CL_MEM_WRITE_ONLY), CL_INVALID_ARG_VALUE);
  CHECK_CL(status_with("read_only image2d_t i", CL_MEM_READ_ONLY));
  CHECK_CL(status_with("write_only image2d_t i", CL_MEM_WRITE_ONLY));
  CHECK_CL(status_with("write_only image2d_t i", CL_MEM_READ_WRITE));
}

TEST_CASE("clSetKernelArg: an image of another context is CL_INVALID_CONTEXT", "[image_arguments]") {
  const test::Session s, other;
  CHECK_STATUS(set_argument(kernel_of(s, "read_only image2d_t i"), 0, image(other, CL_MEM_OBJECT_IMAGE2D)),
               CL_INVALID_CONTEXT);
}

TEST_CASE("clSetKernelArg: keeps no image alive; a launch without it is CL_INVALID_KERNEL_ARGS",
          "[image_arguments]") {
  const test::Session s;
  const auto kernel = kernel_of(s, "read_only image2d_t i");
  auto argument = image(s, CL_MEM_OBJECT_IMAGE2D);
  REQUIRE_CL(set_argument(kernel, 0, argument));
  cl_uint references = 0;
  REQUIRE_CL(clGetMemObjectInfo(argument, CL_MEM_REFERENCE_COUNT, sizeof(references), &references, nullptr));
  CHECK(references == 1);
  argument.reset();
  const size_t items = 1;
  CHECK_STATUS(clEnqueueNDRangeKernel(s.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
               CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("clSetKernelArg: what is no sampler is CL_INVALID_SAMPLER", "[image_arguments]") {
  const test::Session s;
  const auto kernel = kernel_of(s, "sampler_t t");
  const cl_sampler null = nullptr;
  test::Sampler sampler(clCreateSamplerWithProperties(s.context, nullptr, nullptr));
  REQUIRE(sampler);
  CHECK_CL(set_argument(kernel, 0, sampler.get()));
  CHECK_STATUS(set_argument(kernel, 0, null), CL_INVALID_SAMPLER);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof(cl_sampler), nullptr), CL_INVALID_SAMPLER);
  CHECK_STATUS(set_argument(kernel, 0, s.buffer(64)), CL_INVALID_SAMPLER);
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &null), CL_INVALID_ARG_SIZE);
  void* gone = test::released(std::move(sampler));
  CHECK_STATUS(set_argument(kernel, 0, gone), CL_INVALID_SAMPLER);
  const test::Session other;
  const test::Sampler foreign(clCreateSamplerWithProperties(other.context, nullptr, nullptr));
  CHECK_STATUS(set_argument(kernel, 0, foreign.get()), CL_INVALID_CONTEXT);
}

TEST_CASE("clSetKernelArg: a kernel keeps a sampler's value and not the sampler", "[image_arguments]") {
  const test::Session s;
  const auto kernel = kernel_of(s, "sampler_t t");
  test::Sampler sampler(clCreateSamplerWithProperties(s.context, nullptr, nullptr));
  REQUIRE_CL(set_argument(kernel, 0, sampler.get()));
  cl_uint references = 0;
  REQUIRE_CL(clGetSamplerInfo(sampler, CL_SAMPLER_REFERENCE_COUNT, sizeof(references), &references, nullptr));
  CHECK(references == 1);
  sampler.reset();
  s.run(kernel, 1);
}
