#include "doctor/platforms.hpp"

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/opencl.hpp"
#include "runtime/support/options.hpp"

#include "llvm/ADT/STLExtras.h"

namespace hostcl::doctor {

namespace {

constexpr llvm::StringLiteral own_name = "hostcl";

llvm::StringRef type_name(cl_device_type type) {
  return type & CL_DEVICE_TYPE_GPU           ? "GPU"
         : type & CL_DEVICE_TYPE_CPU         ? "CPU"
         : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                             : "other";
}

llvm::json::Value list_device(const OpenCL& opencl, cl_device_id device) {
  auto* query = HOSTCL_CL(opencl, clGetDeviceInfo);
  cl_device_type type = 0;
  cl_uint units = 0;
  query(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  query(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  return llvm::json::Object{
      {"name", llvm::json::fixUTF8(text_of(query, device, CL_DEVICE_NAME))},
      {"driver_version", llvm::json::fixUTF8(text_of(query, device, CL_DRIVER_VERSION))},
      {"type", type_name(type)},
      {"compute_units", units}};
}

llvm::json::Value list_platforms(const std::string& loader) {
  const OpenCL opencl(loader);
  auto* query = HOSTCL_CL(opencl, clGetPlatformInfo);
  llvm::json::Array list;
  for (cl_platform_id platform : platforms_of(opencl)) {
    llvm::json::Array devices;
    for (cl_device_id device : devices_of(opencl, platform))
      devices.push_back(list_device(opencl, device));
    list.push_back(
        llvm::json::Object{{"name", llvm::json::fixUTF8(text_of(query, platform, CL_PLATFORM_NAME))},
                           {"version", llvm::json::fixUTF8(text_of(query, platform, CL_PLATFORM_VERSION))},
                           {"devices", std::move(devices)}});
  }
  return llvm::json::Object{{"platforms", std::move(list)}};
}

std::string describe(const llvm::json::Object& device) {
  return text_in(device, "name") + ", " + text_in(device, "type") + ", " +
         std::to_string(number_in(device, "compute_units")) + " compute units, driver " +
         text_in(device, "driver_version");
}

void report_platform(Report& report, std::size_t number, const llvm::json::Object& platform) {
  std::string text = "platform " + std::to_string(number) + ": " + text_in(platform, "name") + ", " +
                     text_in(platform, "version");
  for (const llvm::json::Value& device : *platform.getArray("devices"))
    text += "; device " + describe(*device.getAsObject());
  if (platform.getArray("devices")->empty()) text += "; it has no device";
  report.well("platform", text, platform);
}

/// Reports two things that may surprise users: that the driver which applications load has another version than
/// hostcl-doctor, and that the type of hostcl's device hides it from some applications.
void report_hostcl(Report& report, const llvm::json::Object& platform) {
  const llvm::json::Array& devices = *platform.getArray("devices");
  if (devices.empty()) return;
  const llvm::json::Object& device = *devices.front().getAsObject();
  if (const std::string version = text_in(device, "driver_version"); version != HOSTCL_VERSION)
    report.note("platform.version",
                "the driver's version is " + version + ", that of hostcl-doctor " + HOSTCL_VERSION);
  if (const std::string type = text_in(device, "type"); type == "CPU")
    report.note("platform.type",
                "the device is a CPU: applications that ask for CL_DEVICE_TYPE_GPU alone do not "
                "see it unless HOSTCL_DEVICE_TYPE=gpu is set");
  else
    report.note("platform.type",
                "the device says that it is a " + type +
                    ", because HOSTCL_DEVICE_TYPE is set: applications that ask for CPUs alone do "
                    "not see it");
}

void report_first(Report& report, const llvm::json::Object& first, const Loader& loader) {
  std::string remedy =
      "choose the platform hostcl in the application, or set OCL_ICD_VENDORS to a folder that has "
      "hostcl.icd alone";
  if (loader.kind == Loader::Kind::ocl_icd)
    remedy += "; ocl-icd puts platforms with more GPUs first, so HOSTCL_DEVICE_TYPE=gpu may help as well";
  report.problem("platform.not-first",
                 "another driver comes first: applications that take the first platform get " +
                     text_in(first, "name"),
                 remedy);
}

} // namespace

bool check_platforms(Report& report, const Loader& loader, const std::vector<Driver>& drivers) {
  report.begin_section("Platforms, as applications see them");
  const Answer answer = run_isolated([&](In) { return list_platforms(loader.path); });
  const llvm::json::Array* platforms = answer.object().getArray("platforms");
  if (!platforms) {
    report.problem("platform.crash", "while the loader listed platforms, " + answer.failure,
                   "see the ICD files above");
    return false;
  }
  std::optional<std::size_t> own;
  for (std::size_t i = 0; i < platforms->size(); ++i) {
    const llvm::json::Object& platform = *(*platforms)[i].getAsObject();
    report_platform(report, i, platform);
    if (!own && platform.getString("name") == own_name) own = i;
  }
  if (own) {
    report_hostcl(report, *(*platforms)[*own].getAsObject());
    if (*own > 0) report_first(report, *platforms->front().getAsObject(), loader);
  } else if (llvm::any_of(drivers, is_hostcl)) {
    report.problem("platform.lost", "the loader does not list hostcl, though its library works",
                   "use another loader: ocl-icd 2.3 and Khronos' loader of 2021 or later list it");
  } else {
    report.problem("platform.no-hostcl",
                   platforms->empty() ? "applications see no platform at all"
                                      : "applications see no platform that is hostcl",
                   "solve the problems in the section ICD files above, or make the loader read hostcl.icd");
  }
  return own.has_value();
}

} // namespace hostcl::doctor
