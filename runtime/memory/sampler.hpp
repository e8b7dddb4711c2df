#pragma once

// Sampler objects.

#include "compiler/abi/image.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"

#include <cfloat>
#include <vector>

namespace hostcl::runtime {

/// The properties of a sampler, with the defaults of clCreateSamplerWithProperties().
struct SamplerSettings {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST, mip_filter = CL_FILTER_NEAREST;
  float lod_min = 0, lod_max = FLT_MAX;

  Status check() const;
  /// The sampler as the value of a kernel argument.
  abi::Sampler value() const;
  /// The settings of which value() is a sampler without mipmaps.
  static SamplerSettings of(abi::Sampler value);
};

class Sampler final : public HandleObject<_cl_sampler, Kind::sampler, CL_INVALID_SAMPLER> {
public:
  /// @param properties the list that the application gave, with its terminating 0; empty if the application
  /// gave a null pointer
  Sampler(Context& context, const SamplerSettings& settings, std::vector<cl_sampler_properties> properties);

  Context& context() const { return *context_; }
  const SamplerSettings& settings() const { return settings_; }
  const std::vector<cl_sampler_properties>& properties() const { return properties_; }

  Status info(cl_sampler_info name, Answer answer) const;

private:
  Ref<Context> context_;
  SamplerSettings settings_;
  std::vector<cl_sampler_properties> properties_;
};

} // namespace hostcl::runtime
