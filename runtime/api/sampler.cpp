// Samplers (OpenCL 3.0 API, 5.7). Declared in runtime/api/api.hpp.

#include "runtime/memory/sampler.hpp"
#include "runtime/api/api.hpp"
#include "runtime/support/float_environment.hpp"

#include <algorithm>
#include <bit>

namespace hostcl::runtime {

namespace {

/// The value of a property as SamplerSettings stores it. A value that does not fit becomes UINT32_MAX, which no
/// property accepts.
cl_uint number(cl_sampler_properties value) {
  return static_cast<cl_uint>(std::min<cl_sampler_properties>(value, UINT32_MAX));
}

/// Applications pass a level of detail as the bits of a float.
float level_of_detail(cl_sampler_properties value) {
  return std::bit_cast<float>(static_cast<cl_uint>(value));
}

Status apply(SamplerSettings& settings, cl_sampler_properties name, cl_sampler_properties value) {
  switch (name) {
  case CL_SAMPLER_NORMALIZED_COORDS:
    settings.normalized = number(value);
    return {};
  case CL_SAMPLER_ADDRESSING_MODE:
    settings.addressing = number(value);
    return {};
  case CL_SAMPLER_FILTER_MODE:
    settings.filter = number(value);
    return {};
  case CL_SAMPLER_MIP_FILTER_MODE_KHR:
    settings.mip_filter = number(value);
    return {};
  case CL_SAMPLER_LOD_MIN_KHR:
    settings.lod_min = level_of_detail(value);
    return {};
  case CL_SAMPLER_LOD_MAX_KHR:
    settings.lod_max = level_of_detail(value);
    return {};
  default:
    return fail(CL_INVALID_VALUE, "sampler property 0x", std::hex, name, " is not supported");
  }
}

} // namespace

Result<cl_sampler> create_sampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                                  cl_filter_mode filter) {
  TRY(Context & context, usable_context(handle));
  TRY(context.check_images());
  const SamplerSettings settings{.normalized = normalized, .addressing = addressing, .filter = filter};
  TRY(settings.check());
  return expose(make_object<Sampler>(context, settings, std::vector<cl_sampler_properties>{}));
}

Result<cl_sampler> create_sampler_with_properties(cl_context handle,
                                                  const cl_sampler_properties* properties) {
  TRY(Context & context, usable_context(handle));
  TRY(context.check_images());
  SamplerSettings settings;
  std::vector<cl_sampler_properties> list;
  for (const auto* p = properties; p && *p; p += 2) {
    for (std::size_t i = 0; i < list.size(); i += 2)
      if (list[i] == *p)
        return fail(CL_INVALID_VALUE, "sampler property 0x", std::hex, *p, " is given twice");
    TRY(apply(settings, p[0], p[1]));
    list.insert(list.end(), {p[0], p[1]});
  }
  if (properties) list.push_back(0);
  TRY(settings.check());
  const DefaultFloatEnvironment environment; // levels of detail are rounded, in the default rounding mode
  return expose(make_object<Sampler>(context, settings, std::move(list)));
}

Status get_sampler_info(cl_sampler handle, cl_sampler_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Sampler & sampler, object_cast<Sampler>(handle));
  return sampler.info(name, Answer(size, value, size_ret));
}

} // namespace hostcl::runtime
