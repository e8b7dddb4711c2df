#pragma once

// The one platform and its root device.

#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"

#include <string>
#include <vector>

namespace hostcl::runtime {

class Device;

class Platform : public HandleObject<_cl_platform_id, Kind::platform, CL_INVALID_PLATFORM> {
public:
  /// Created by the first call, and never destroyed, because threads may still run when the process exits.
  static Platform& instance();

  Device& device() const { return *device_; }
  Status info(cl_platform_info name, Answer answer) const;

  const std::string& extensions() const { return extensions_; }
  const std::vector<cl_name_version>& extension_versions() const { return extension_versions_; }

private:
  friend Ref<Platform> make_object<Platform>();
  Platform();

  Device* device_ = nullptr;
  std::string extensions_;
  std::vector<cl_name_version> extension_versions_;
};

/// The platform of the handle. NULL stands for the driver's platform, in functions for which the specification leaves
/// the meaning of NULL to the implementation.
Result<Platform&> platform_or_default(cl_platform_id platform);

inline constexpr cl_version opencl_version = CL_MAKE_VERSION(3, 1, 0);

} // namespace hostcl::runtime
