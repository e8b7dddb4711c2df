#include "doctor/description/device_description.hpp"

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/opencl.hpp"
#include "runtime/description/queries.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace hostcl::doctor {

namespace {

namespace json = llvm::json;
using runtime::AnswerRule;
using runtime::AnswerType;
using runtime::DeviceQuery;
using runtime::NamedValue;
using Bytes = std::vector<std::byte>;

constexpr llvm::StringLiteral own_platform = "hostcl";

// ---- Answers of clGetDeviceInfo() as a description writes them (AnswerType)

template <class T>
std::vector<T> list_in(const Bytes& answer) {
  std::vector<T> list(answer.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), answer.data(), list.size() * sizeof(T));
  return list;
}

std::uint64_t number_in(const Bytes& answer) {
  std::uint64_t number = 0; // hosts are little-endian, so a shorter number is in the low bytes
  std::memcpy(&number, answer.data(), std::min(answer.size(), sizeof number));
  return number;
}

llvm::StringRef text_in(const Bytes& answer) {
  return llvm::StringRef(reinterpret_cast<const char*>(answer.data()), answer.size()).take_until([](char c) {
    return c == '\0';
  });
}

llvm::StringRef name_of(std::span<const NamedValue> values, std::uint64_t value) {
  const auto found = llvm::find_if(values, [&](const NamedValue& one) { return one.value == value; });
  return found == values.end() ? llvm::StringRef() : llvm::StringRef(found->name.data(), found->name.size());
}

std::string version_text(cl_version version) {
  return llvm::formatv("{0}.{1}.{2}", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version),
                       CL_VERSION_PATCH(version));
}

/// The names of the bits; the number if a bit has no name.
json::Value bits(std::span<const NamedValue> names, std::uint64_t value) {
  json::Array list;
  std::uint64_t known = 0;
  for (const NamedValue& bit : names)
    if (value & bit.value) {
      known |= bit.value;
      list.push_back(name_of(names, bit.value));
    }
  return known == value ? json::Value(std::move(list)) : json::Value(value);
}

json::Value names_and_versions(const Bytes& answer) {
  json::Array list;
  for (const cl_name_version& entry : list_in<cl_name_version>(answer)) {
    const llvm::StringRef all(entry.name, sizeof entry.name);
    std::string text = all.take_until([](char c) { return c == '\0'; }).str();
    if (entry.version) text += " " + version_text(entry.version);
    list.push_back(json::fixUTF8(text));
  }
  return list;
}

/// The answer's value in a description; null if a description cannot have the value.
json::Value described(const DeviceQuery& query, const Bytes& answer) {
  switch (query.type) {
  case AnswerType::boolean:
    return number_in(answer) != 0;
  case AnswerType::uint32:
  case AnswerType::uint64:
  case AnswerType::size:
    return number_in(answer);
  case AnswerType::sizes:
    return json::Array(list_in<std::size_t>(answer));
  case AnswerType::string:
    return json::fixUTF8(text_in(answer));
  case AnswerType::names: {
    json::Array list;
    for (llvm::StringRef name : llvm::split(text_in(answer), ' '))
      if (!name.empty()) list.push_back(json::fixUTF8(name));
    return list;
  }
  case AnswerType::version:
    return version_text(static_cast<cl_version>(number_in(answer)));
  case AnswerType::name_versions:
    return names_and_versions(answer);
  case AnswerType::bits:
    return bits(query.values, number_in(answer));
  case AnswerType::cache_type:
  case AnswerType::local_memory_type:
    if (const llvm::StringRef name = name_of(query.values, number_in(answer)); !name.empty()) return name;
    return nullptr;
  case AnswerType::partition_types: {
    json::Array list;
    for (const auto type : list_in<cl_device_partition_property>(answer))
      if (const auto name = name_of(query.values, static_cast<std::uint64_t>(type)); !name.empty())
        list.push_back(name);
    return list;
  }
  case AnswerType::handle:
    break;
  }
  return nullptr;
}

json::Object answers_of(const OpenCL& opencl, cl_device_id device) {
  auto* query_device = HOSTCL_CL(opencl, clGetDeviceInfo);
  json::Object answers;
  for (const DeviceQuery& query : runtime::device_queries()) {
    std::size_t size = 0;
    if (query.rule == AnswerRule::host || query_device(device, query.number, 0, nullptr, &size) != CL_SUCCESS)
      continue;
    Bytes answer(size);
    if (size && query_device(device, query.number, size, answer.data(), nullptr) != CL_SUCCESS) continue;
    if (json::Value value = described(query, answer); value.kind() != json::Value::Null)
      answers[llvm::StringRef(query.name.data(), query.name.size())] = std::move(value);
  }
  return answers;
}

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
      {"device", answers_of(opencl, device)},
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
