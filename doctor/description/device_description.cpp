#include "doctor/description/device_description.hpp"

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/opencl.hpp"
#include "runtime/description/answer_json.hpp"

#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <utility>
#include <vector>

namespace hostcl::doctor {

namespace {

namespace json = llvm::json;
using runtime::name_of;
using runtime::NamedValue;

constexpr llvm::StringLiteral own_platform = "hostcl";

// ---- Image formats

/// The formats that the device has for images of a type with an access of kernels. Formats without a name are left out.
std::vector<std::string> formats_for(const OpenCL& opencl, cl_context context, cl_mem_object_type type,
                                     cl_mem_flags flag) {
  auto* query = HOSTCL_CL(opencl, clGetSupportedImageFormats);
  cl_uint count = 0;
  if (query(context, flag, type, 0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_image_format> formats(count);
  if (query(context, flag, type, count, formats.data(), nullptr) != CL_SUCCESS) return {};
  std::vector<std::string> names;
  for (const cl_image_format& format : formats) {
    const auto order = name_of(runtime::channel_orders(), format.image_channel_order);
    const auto channel_type = name_of(runtime::channel_types(), format.image_channel_data_type);
    if (!order.empty() && !channel_type.empty()) names.push_back((order + " " + channel_type).str());
  }
  return names;
}

/// An entry for each type of images and for accesses that have the same formats.
json::Array image_formats_of(const OpenCL& opencl, cl_context context) {
  json::Array entries;
  for (const NamedValue& type : runtime::image_types()) {
    std::map<std::vector<std::string>, json::Array> flags_of;
    for (const NamedValue& flag : runtime::image_flags())
      if (auto formats =
              formats_for(opencl, context, static_cast<cl_mem_object_type>(type.value), flag.value);
          !formats.empty())
        flags_of[std::move(formats)].push_back(name_of(runtime::image_flags(), flag.value));
    for (auto& [formats, flags] : flags_of)
      entries.push_back(json::Object{{"type", name_of(runtime::image_types(), type.value)},
                                     {"flags", std::move(flags)},
                                     {"formats", json::Array(formats)}});
  }
  return entries;
}

// ---- The description

json::Value described_device(const OpenCL& opencl, cl_platform_id platform, cl_device_id device) {
  auto* query_device = HOSTCL_CL(opencl, clGetDeviceInfo);
  auto* query_platform = HOSTCL_CL(opencl, clGetPlatformInfo);
  json::Object description{
      {"name", json::fixUTF8(text_of(query_device, device, CL_DEVICE_NAME))},
      {"source", json::fixUTF8("hostcl-doctor " HOSTCL_VERSION ", platform " +
                               text_of(query_platform, platform, CL_PLATFORM_NAME) + ", " +
                               text_of(query_platform, platform, CL_PLATFORM_VERSION))},
      {"unlisted", "absent"},
      {"device", runtime::described_answers(query_device, device)},
  };
  cl_context context = HOSTCL_CL(opencl, clCreateContext)(nullptr, 1, &device, nullptr, nullptr, nullptr);
  if (context) description["image_formats"] = image_formats_of(opencl, context);
  return json::Object{{"description", std::move(description)}};
}

json::Value error(const std::string& sentence) {
  return json::Object{{"error", sentence}};
}

/// Finds the device and describes it. @returns an object with the member "description" or "error"
json::Value describe(const std::string& loader, std::optional<DeviceChoice> choice) {
  const OpenCL opencl(loader);
  const std::vector<cl_platform_id> platforms = platforms_of(opencl);
  if (!choice) {
    for (unsigned i = 0; i < platforms.size() && !choice; ++i)
      if (text_of(HOSTCL_CL(opencl, clGetPlatformInfo), platforms[i], CL_PLATFORM_NAME) == own_platform)
        choice = {i, 0};
    if (!choice)
      return error("there is no platform named hostcl; --device=PLATFORM:DEVICE names a device of another "
                   "platform");
  }
  if (choice->platform >= platforms.size())
    return error(llvm::formatv("--device: there is no platform {0}; the number of platforms is {1}",
                               choice->platform, platforms.size()));
  const std::vector<cl_device_id> devices = devices_of(opencl, platforms[choice->platform]);
  if (choice->device >= devices.size())
    return error(llvm::formatv("--device: platform {0} has no device {1}; its number of devices is {2}",
                               choice->platform, choice->device, devices.size()));
  return described_device(opencl, platforms[choice->platform], devices[choice->device]);
}

} // namespace

std::optional<DeviceChoice> parsed_choice(llvm::StringRef text) {
  DeviceChoice choice{};
  const auto [platform, device] = text.split(':');
  if (platform.getAsInteger(10, choice.platform) || device.getAsInteger(10, choice.device)) return {};
  return choice;
}

std::string write_description(const Loader& loader, std::optional<DeviceChoice> choice,
                              const std::string& file) {
  if (loader.path.empty()) return "there is no ICD loader; hostcl-doctor without --report says why";
  const Answer answer = run_isolated([&](In) { return describe(loader.path, choice); });
  const json::Value* description = answer.object().get("description");
  if (!description) {
    const auto error = answer.object().getString("error");
    return error ? error->str() : "while the device was queried, " + answer.failure;
  }
  std::error_code failure;
  llvm::raw_fd_ostream stream(file, failure);
  if (!failure) {
    stream << llvm::formatv("{0:2}\n", *description);
    stream.flush();
    failure = stream.error();
    stream.clear_error();
  }
  return failure ? file + ": " + failure.message() : "";
}

} // namespace hostcl::doctor
