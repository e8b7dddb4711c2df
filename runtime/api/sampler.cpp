// Samplers (OpenCL 3.0 API, 5.7), which a device without images does not have.

#include "runtime/api/api.hpp"

namespace hostcl::runtime {

namespace {

Result<cl_sampler> no_sampler_in(cl_context handle) {
  TRY(object_cast<Context>(handle));
  return fail(CL_INVALID_OPERATION, "the device has no images (CL_DEVICE_IMAGE_SUPPORT)");
}

Status no_sampler(cl_sampler handle) {
  return fail(CL_INVALID_SAMPLER, static_cast<const void*>(handle), " is no sampler: the device has none");
}

} // namespace

Result<cl_sampler> create_sampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode) {
  return no_sampler_in(context);
}
Result<cl_sampler> create_sampler_with_properties(cl_context context, const cl_sampler_properties*) {
  return no_sampler_in(context);
}
Status retain_sampler(cl_sampler sampler) {
  return no_sampler(sampler);
}
Status release_sampler(cl_sampler sampler) {
  return no_sampler(sampler);
}
Status get_sampler_info(cl_sampler sampler, cl_sampler_info, size_t, void*, size_t*) {
  return no_sampler(sampler);
}

} // namespace hostcl::runtime
