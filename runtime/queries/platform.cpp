#include "runtime/queries/platform.hpp"

#include "compiler/compiler.hpp"
#include "runtime/description/chosen_devices.hpp"
#include "runtime/faults/tally.hpp"
#include "runtime/host_callbacks/host_callbacks.hpp"
#include "runtime/launch/crash_report.hpp"
#include "runtime/memory/external_memory.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/object/device.hpp"
#include "runtime/program/compiler_settings.hpp"
#include "runtime/queries/device_info.hpp"
#include "runtime/semaphore/semaphore.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/background.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>

namespace hostcl::runtime {

namespace {

/// Extensions of the device that add entry points or queries to the platform. The platform does not list the device's
/// other extensions, because some applications read the platform's list into a buffer of 1,024 bytes.
constexpr std::string_view extensions_of_platform[] = {
    "cl_ext_buffer_device_address",
    "cl_ext_device_fission",
    "cl_ext_image_requirements_info",
    "cl_khr_il_program",
    "cl_khr_priority_hints",
    "cl_khr_suggested_local_work_size",
    "cl_khr_throttle_hints",
    "cl_intel_unified_shared_memory",
    "cl_khr_external_memory",
    "cl_khr_external_memory_dma_buf",
    "cl_khr_external_memory_opaque_fd",
    "cl_khr_external_semaphore",
    "cl_khr_external_semaphore_opaque_fd",
    "cl_khr_external_semaphore_sync_fd",
    "cl_khr_semaphore",
    "cl_khr_unified_svm",
};

/// Extensions that the platform alone lists. Applications read the device's list into a buffer of 2,048 bytes, which is
/// full.
constexpr compiler::NamedVersion extensions_of_platform_alone[] = {
    {"cl_img_cancel_command", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_img_unified_svm_external_memory_dma_buf", CL_MAKE_VERSION(1, 1, 0)},
    {"cl_khr_icd", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_terminate_context", CL_MAKE_VERSION(1, 0, 0)},
};

/// The platform's extensions: those of its devices that are in extensions_of_platform, and all of
/// extensions_of_platform_alone. Of the latter, a platform of described devices has only cl_khr_icd.
std::vector<cl_name_version> platform_extensions(const std::vector<Device*>& devices) {
  std::vector<cl_name_version> list;
  const auto is_new = [&](const cl_name_version& extension) {
    return std::ranges::none_of(
        list, [&](const auto& one) { return std::string_view(one.name) == extension.name; });
  };
  for (const Device* device : devices)
    std::ranges::copy_if(device->extensions(), std::back_inserter(list),
                         [&](const cl_name_version& extension) {
                           return std::ranges::find(extensions_of_platform, extension.name) !=
                                      std::end(extensions_of_platform) &&
                                  is_new(extension);
                         });
  for (const auto& extension : extensions_of_platform_alone)
    if (Device::may_have(extension.name) &&
        (!devices.front()->description() || std::string_view(extension.name) == "cl_khr_icd"))
      list.push_back(name_version(extension.name, extension.version));
  return list;
}

/// The answer of a device to a query; no value if the query fails.
std::optional<AnswerBytes> answer_of_device(const Device& device, cl_device_info query) {
  std::size_t bytes = 0;
  if (!device_info(device, query, Answer(0, nullptr, &bytes)).ok()) return std::nullopt;
  AnswerBytes answer(bytes);
  if (bytes && !device_info(device, query, Answer(bytes, answer.data(), nullptr)).ok()) return std::nullopt;
  return answer;
}

using DescribedPtr = std::shared_ptr<const DescribedDevice>;

/// The devices that HOSTCL_DEVICE names, limited to what the host has.
std::vector<DescribedPtr> described_devices(const Device& host) {
  std::vector<DescribedPtr> devices;
  if (options().device.empty()) return devices;
  for (const DeviceDescription& description : chosen_descriptions()) {
    std::vector<std::string> warnings;
    devices.push_back(std::make_shared<const DescribedDevice>(described_device(
        description, [&](cl_device_info query) { return answer_of_device(host, query); }, warnings)));
    for (const std::string& warning : warnings)
      log(LogLevel::warn, "HOSTCL_DEVICE=", description.name, ": ", warning);
  }
  return devices;
}

Ref<Device> make_described(Platform& platform, const compiler::Settings& settings, DescribedPtr described) {
  auto own = std::make_shared<compiler::Settings>(settings);
  own->language = described->language;
  apply(described->quirks, *own);
  return make_object<Device>(platform, std::move(own), std::move(described));
}

} // namespace

Platform& Platform::instance() {
  static Platform* instance = [] {
    const compiler::SettingsPtr settings = read_compiler_settings();
    prepare_compiler(*settings);
    if (options().crash_report || faults::has_report()) install_crash_report();
    // Static objects that are initialised once are initialised here. Otherwise, a child of fork() could wait for ever
    // for an initialisation that another thread of the parent had begun.
    caches();
    host_callbacks();
    Background::instance(); // fork() does not call handlers that are registered while it runs
    Ref<Platform> platform = make_object<Platform>();
    std::vector<Ref<Device>> devices;
    devices.push_back(make_object<Device>(*platform, settings));
    if (const auto described = described_devices(*devices.front()); !described.empty()) {
      devices.clear();
      const cl_version newest =
          (*std::ranges::max_element(described, {}, [](const auto& d) { return d->version; }))->version;
      if (newest < Device::host_version && limit_dispatch_table) limit_dispatch_table(newest);
      for (const DescribedPtr& one : described)
        devices.push_back(make_described(*platform, *settings, one));
      lacks_query = [](std::string_view since) {
        return std::ranges::none_of(Platform::instance().devices(), [&](const Device* device) {
          return device->description()->has_one_of(since);
        });
      };
    }
    for (Ref<Device>& device : devices) {
      platform->version_ = std::max(platform->version_, device->version());
      platform->devices_.push_back(device.get());
      expose(std::move(device));
    }
    platform->extension_versions_ = platform_extensions(platform->devices_);
    platform->extensions_ = joined_names(platform->extension_versions_);
    expose(Ref<Platform>(*platform));
    return platform.detach();
  }();
  return *instance;
}

Platform::Platform() : HandleObject(destroy_object<Platform>) {}

bool Platform::has_extension(std::string_view name) const {
  return std::ranges::any_of(devices_, [&](const Device* device) { return device->has_extension(name); });
}

Result<Platform&> platform_or_default(cl_platform_id platform) {
  if (!platform) return Platform::instance();
  return object_cast<Platform>(platform);
}

namespace {

using P = Rows<Platform>;
std::string profile(const Platform& p) {
  const auto is_embedded = [](const Device* device) { return device->has_embedded_profile(); };
  return std::ranges::all_of(p.devices(), is_embedded) ? "EMBEDDED_PROFILE" : "FULL_PROFILE";
}
std::string version(const Platform& p) {
  return text("OpenCL ", CL_VERSION_MAJOR(p.version()), ".", CL_VERSION_MINOR(p.version()), " hostcl");
}
std::string_view name(const Platform&) {
  return options().platform_name;
}
std::string_view vendor(const Platform&) {
  return options().vendor;
}
std::string_view suffix(const Platform&) {
  return "HOSTCL";
}

// The lists of what the device supports.
const auto& semaphore_type_list(const Platform&) {
  return semaphore_types;
}
const auto& semaphore_handle_type_list(const Platform&) {
  return semaphore_handle_types;
}
auto memory_handle_type_list(const Platform&) {
  return external_memory_handle_types();
}
auto svm_capability_list(const Platform&) {
  return svm_capabilities();
}

constexpr Row<Platform> rows[] = {
    P::string<profile>(CL_PLATFORM_PROFILE),
    P::string<version>(CL_PLATFORM_VERSION),
    P::value<cl_version, &Platform::version>(CL_PLATFORM_NUMERIC_VERSION, "3.0 cl_khr_extended_versioning"),
    P::string<name>(CL_PLATFORM_NAME),
    P::string<vendor>(CL_PLATFORM_VENDOR),
    P::string<&Platform::extensions>(CL_PLATFORM_EXTENSIONS),
    P::array<&Platform::extension_versions>(CL_PLATFORM_EXTENSIONS_WITH_VERSION,
                                            "3.0 cl_khr_extended_versioning"),
    // The resolution of clGetHostTimer() in nanoseconds.
    P::constant<cl_ulong, 1>(CL_PLATFORM_HOST_TIMER_RESOLUTION, "2.1"),
    P::string<suffix>(CL_PLATFORM_ICD_SUFFIX_KHR),
    P::array<semaphore_type_list>(CL_PLATFORM_SEMAPHORE_TYPES_KHR, "cl_khr_semaphore"),
    P::array<semaphore_handle_type_list>(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                                         "cl_khr_external_semaphore"),
    P::array<semaphore_handle_type_list>(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                         "cl_khr_external_semaphore"),
    P::array<memory_handle_type_list>(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                                      "cl_khr_external_memory"),
    P::array<svm_capability_list>(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, "cl_khr_unified_svm"),
    P::constant<cl_platform_command_buffer_capabilities_khr,
                CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                    CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR>(
        CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, "cl_khr_command_buffer_multi_device"),
    // The driver cannot be unloaded, because its threads may run until the process ends.
    P::constant<cl_bool, CL_FALSE>(CL_PLATFORM_UNLOADABLE_KHR),
};

} // namespace

Status Platform::info(cl_platform_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
