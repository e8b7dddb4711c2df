#pragma once

// The one platform and its root devices.

#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

class Device;

class Platform : public HandleObject<_cl_platform_id, Kind::platform, CL_INVALID_PLATFORM> {
public:
  /// Created by the first call, and never destroyed, because threads may still run when the process exits.
  static Platform& instance();

  /// The root devices: the host, or a device for each description that HOSTCL_DEVICE names.
  const std::vector<Device*>& devices() const { return devices_; }
  /// The first root device, which is CL_DEVICE_TYPE_DEFAULT.
  Device& device() const { return *devices_.front(); }
  /// The newest version that one of the devices has.
  cl_version version() const { return version_; }
  /// Whether one of the devices has the extension.
  bool has_extension(std::string_view name) const;
  Status info(cl_platform_info name, Answer answer) const;

  const std::string& extensions() const { return extensions_; }
  const std::vector<cl_name_version>& extension_versions() const { return extension_versions_; }

private:
  friend Ref<Platform> make_object<Platform>();
  Platform();

  std::vector<Device*> devices_;
  cl_version version_ = 0;
  std::string extensions_;
  std::vector<cl_name_version> extension_versions_;
};

/// The platform of the handle. NULL stands for the driver's platform, in functions for which the specification leaves
/// the meaning of NULL to the implementation.
Result<Platform&> platform_or_default(cl_platform_id platform);

} // namespace hostcl::runtime
