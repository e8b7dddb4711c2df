#include "runtime/memory/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace hostcl::runtime {

namespace {

// Constants CLK_* of OpenCL C that compiler/abi/image.hpp does not name.
constexpr abi::Sampler is_nearest = 0x10;
constexpr abi::Sampler addressing_unit = abi::sampler_addressing_mask & -abi::sampler_addressing_mask;

bool is_filter(cl_filter_mode mode) {
  return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

/// The CLK_ADDRESS_* for a CL_ADDRESS_*; both have the same order.
abi::Sampler addressing_bits(cl_addressing_mode mode) {
  return (mode - CL_ADDRESS_NONE) * addressing_unit;
}

abi::Sampler lod_bits(float lod) {
  constexpr auto limit = static_cast<float>(abi::sampler_lod_unlimited);
  return static_cast<abi::Sampler>(std::clamp(std::nearbyint(lod * abi::sampler_lod_unit), 0.0f, limit));
}

using S = Rows<Sampler>;

template <auto member>
constexpr auto setting = [](const Sampler& s) { return s.settings().*member; };

cl_context context_of(const Sampler& s) {
  return s.context().handle();
}

constexpr std::string_view mip_queries = "2.0 cl_khr_mipmap_image";

constexpr Row<Sampler> rows[] = {
    S::value<cl_uint, &Sampler::reference_count>(CL_SAMPLER_REFERENCE_COUNT),
    S::value<cl_context, context_of>(CL_SAMPLER_CONTEXT),
    S::value<cl_bool, setting<&SamplerSettings::normalized>>(CL_SAMPLER_NORMALIZED_COORDS),
    S::value<cl_addressing_mode, setting<&SamplerSettings::addressing>>(CL_SAMPLER_ADDRESSING_MODE),
    S::value<cl_filter_mode, setting<&SamplerSettings::filter>>(CL_SAMPLER_FILTER_MODE),
    S::value<cl_filter_mode, setting<&SamplerSettings::mip_filter>>(CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                                                    mip_queries),
    S::value<cl_float, setting<&SamplerSettings::lod_min>>(CL_SAMPLER_LOD_MIN_KHR, mip_queries),
    S::value<cl_float, setting<&SamplerSettings::lod_max>>(CL_SAMPLER_LOD_MAX_KHR, mip_queries),
    S::array<&Sampler::properties>(CL_SAMPLER_PROPERTIES, "3.0"),
};

} // namespace

Status SamplerSettings::check() const {
  if (normalized != CL_TRUE && normalized != CL_FALSE)
    return fail(CL_INVALID_VALUE, "normalized_coords is ", normalized, "; it must be CL_TRUE or CL_FALSE");
  if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT)
    return fail(CL_INVALID_VALUE, "addressing_mode is 0x", std::hex, addressing,
                "; it must be a CL_ADDRESS_*");
  if (!is_filter(filter))
    return fail(CL_INVALID_VALUE, "filter_mode is 0x", std::hex, filter, "; it must be a CL_FILTER_*");
  if (!is_filter(mip_filter))
    return fail(CL_INVALID_VALUE, "CL_SAMPLER_MIP_FILTER_MODE_KHR is 0x", std::hex, mip_filter,
                "; it must be a CL_FILTER_*");
  if (!(lod_min <= lod_max)) // also refuses NaN
    return fail(CL_INVALID_VALUE, "CL_SAMPLER_LOD_MIN_KHR is ", lod_min,
                "; it must be at most CL_SAMPLER_LOD_MAX_KHR, ", lod_max);
  return {};
}

abi::Sampler SamplerSettings::value() const {
  return (normalized ? abi::sampler_is_normalized : 0) | addressing_bits(addressing) |
         (filter == CL_FILTER_LINEAR ? abi::sampler_is_linear : is_nearest) |
         (mip_filter == CL_FILTER_LINEAR ? abi::sampler_is_mip_linear : 0) |
         lod_bits(lod_min) << abi::sampler_lod_min_shift | lod_bits(lod_max) << abi::sampler_lod_max_shift;
}

SamplerSettings SamplerSettings::of(abi::Sampler value) {
  SamplerSettings settings;
  settings.normalized = value & abi::sampler_is_normalized ? CL_TRUE : CL_FALSE;
  settings.addressing = static_cast<cl_addressing_mode>(
      CL_ADDRESS_NONE + (value & abi::sampler_addressing_mask) / addressing_unit);
  settings.filter = value & abi::sampler_is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  return settings;
}

Sampler::Sampler(Context& context, const SamplerSettings& settings,
                 std::vector<cl_sampler_properties> properties)
    : HandleObject(destroy_object<Sampler>),
      context_(Ref<Context>(context)),
      settings_(settings),
      properties_(std::move(properties)) {}

Status Sampler::info(cl_sampler_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
