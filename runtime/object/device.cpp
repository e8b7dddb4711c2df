#include "runtime/object/device.hpp"

#include "compiler/compiler.hpp"
#include "compiler/settings/listed_extensions.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cstring>

namespace hostcl::runtime {

namespace {

/// Extensions that the runtime implements. The compiler has the list of language extensions.
constexpr compiler::NamedVersion runtime_extensions[] = {
    {"cl_arm_import_memory", CL_MAKE_VERSION(1, 1, 0)},
    {"cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2)},
    {"cl_ext_device_fission", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_image_from_buffer", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_image_raw10_raw12", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_image_requirements_info", CL_MAKE_VERSION(0, 5, 0)},
    {"cl_ext_image_unorm_int_2_101010", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_image_unsigned_10x6_12x4_14x2", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_ext_immutable_memory_objects", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_intel_create_buffer_with_properties", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_intel_device_attribute_query", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_intel_device_partition_by_names", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_intel_global_variable_access", CL_MAKE_VERSION(0, 9, 0)},
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 1, 0)},
    {"cl_khr_command_buffer", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_command_buffer_multi_device", CL_MAKE_VERSION(0, 9, 2)},
    {"cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 5)},
    {"cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_external_memory", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_external_memory_dma_buf", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_external_memory_opaque_fd", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_external_semaphore", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_external_semaphore_opaque_fd", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_external_semaphore_sync_fd", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_il_program", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_image2d_from_buffer", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_priority_hints", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_semaphore", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_spirv_linkonce_odr", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_spirv_queries", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_throttle_hints", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_unified_svm", CL_MAKE_VERSION(0, 9, 0)},
};

std::vector<cl_name_version> all_extensions() {
  std::vector<cl_name_version> list;
  for (const auto& extension : compiler::language_extensions())
    if (compiler::is_in_device_list(extension.name))
      list.push_back(name_version(extension.name, extension.version));
  for (const auto& extension : runtime_extensions)
    if (!has_language_extension(extension.name) && Device::may_have(extension.name))
      list.push_back(name_version(extension.name, extension.version));
  return list;
}

std::array<Workers, 3> make_workers(unsigned threads, const Processors& processors, bool bind_callers) {
  return {Workers(threads, processors, bind_callers, Priority::low),
          Workers(threads, processors, bind_callers, Priority::normal),
          Workers(threads, processors, bind_callers, Priority::high)};
}

} // namespace

bool Device::shares_all_memory() {
  return options().guest == CompilerPlace::thread;
}

bool Device::may_have(std::string_view extension) {
  const bool imports_memory =
      extension == "cl_arm_import_memory" || extension.find("external_memory") != std::string_view::npos;
  return !imports_memory || shares_all_memory();
}

namespace {

constexpr Limits host_limits;
const Quirks no_quirks;

const Limits* limits_of(const DescribedDevice* description) {
  return description ? &description->limits : &host_limits;
}

} // namespace

const Quirks& Device::quirks() const {
  return description_ ? description_->quirks : no_quirks;
}

std::uint64_t Device::max_group_items(std::uint64_t private_bytes) const {
  const std::uint64_t most = limits().work_group_size;
  const std::uint64_t of_registers = quirks().registers.max_group_items(private_bytes);
  if (of_registers >= most) return most;
  // Devices allocate registers for as many work-items at a time as the preferred multiple says.
  const std::uint64_t multiple = std::max<std::uint64_t>(
      description_->number(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE).value_or(1), 1);
  return std::min(std::max(of_registers - of_registers % multiple, multiple), most);
}

std::size_t Device::preferred_multiple() const {
  if (description_)
    if (const auto described = description_->number(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE))
      return *described;
  return std::min<std::size_t>(vector_width(), limits().work_group_size);
}

bool Device::has_extension(std::string_view name) const {
  return std::ranges::any_of(extensions_, [&](const cl_name_version& one) { return name == one.name; });
}

cl_device_type Device::type() const {
  if (description_)
    if (const auto described = description_->number(CL_DEVICE_TYPE))
      return static_cast<cl_device_type>(*described);
  switch (options().device_type) {
  case DeviceType::cpu:
    return CL_DEVICE_TYPE_CPU;
  case DeviceType::gpu:
    return CL_DEVICE_TYPE_GPU;
  case DeviceType::accelerator:
    return CL_DEVICE_TYPE_ACCELERATOR;
  }
  return CL_DEVICE_TYPE_CPU;
}

Device::Device(Platform& platform, compiler::SettingsPtr settings,
               std::shared_ptr<const DescribedDevice> description)
    : HandleObject(destroy_object<Device>),
      platform_(platform),
      settings_(std::move(settings)),
      description_(std::move(description)),
      limits_(limits_of(description_.get())),
      compute_units_(machine().threads),
      workers_(make_workers(compute_units_, options().pin ? root_processors() : Processors(), false)),
      extensions_(description_ ? description_->extensions : all_extensions()),
      extension_names_(joined_names(extensions_)) {}

Device::Device(Device& parent, Part part, std::vector<cl_device_partition_property> partition)
    : HandleObject(destroy_object<Device>),
      platform_(parent.platform_),
      settings_(parent.settings_),
      description_(parent.description_),
      limits_(parent.limits_),
      parent_(Ref<Device>(parent)),
      compute_units_(part.compute_units),
      processors_(std::move(part.processors)),
      workers_(make_workers(compute_units_, part.is_bound ? processors_ : Processors(), part.is_bound)),
      partition_(std::move(partition)),
      extensions_(parent.extensions_),
      extension_names_(parent.extension_names_) {}

Device::~Device() = default;

const Processors& Device::root_processors() {
  // The first call takes long. It is not part of the initialiser of `instance`, for which other threads would wait.
  const Processors& all = usable_processors();
  static const Processors instance = [&] {
    Processors usable = all;
    unsigned threads = machine().threads;
    // A smaller number in HOSTCL_THREADS selects neighbouring processors. If a control group limits the
    // number of threads, it does not say which processors they run on. And if there are more threads than
    // processors, they cannot have one each.
    if (options().threads.number && threads < usable.size()) usable.resize(threads);
    return usable.size() == threads ? usable : Processors();
  }();
  return instance;
}

std::uint64_t Device::memory_bytes() const {
  return std::min(machine().memory, limits().memory_bytes);
}

std::uint64_t Device::max_allocation_bytes() const {
  return std::min({machine().memory / 2, limits().allocation_bytes, memory_bytes()});
}

bool Device::reserve_memory(std::uint64_t bytes) {
  const std::uint64_t limit = memory_bytes();
  auto used = reserved_bytes_.load(std::memory_order_relaxed);
  do {
    if (used > limit || bytes > limit - used) return false;
  } while (!reserved_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

std::uint64_t Device::local_memory_bytes() const {
  // Local memory is ordinary memory. It stays in the second-level cache of the processor that runs the group as long as
  // it fits. Applications choose the sizes of work-groups and of local buffers by this figure, so it is a quarter of
  // that cache: the rest is for the data that a group streams.
  static constexpr std::uint64_t least = 64 << 10;
  static constexpr std::uint64_t most = 256 << 10;
  return std::min(std::clamp(caches().second_level / 4, least, most), limits().local_bytes);
}

bool Device::has_sub_groups() {
  return has_language_feature("__opencl_c_subgroups") || has_language_extension("cl_khr_subgroups");
}

unsigned Device::vector_width() const {
  return std::max(1u, settings_->cpu.capabilities.vector_bits / 32);
}

cl_name_version name_version(std::string_view name, cl_version version) {
  cl_name_version result{};
  result.version = version;
  std::memcpy(result.name, name.data(), std::min(name.size(), sizeof(result.name) - 1));
  return result;
}

std::string joined_names(const std::vector<cl_name_version>& list) {
  std::string names;
  for (const auto& entry : list) {
    if (!names.empty()) names += ' ';
    names += entry.name;
  }
  return names;
}

bool has_language_feature(std::string_view name) {
  return std::ranges::any_of(compiler::language_features(), [&](const auto& f) { return name == f.name; });
}

bool has_language_extension(std::string_view name) {
  return std::ranges::any_of(compiler::language_extensions(), [&](const auto& e) { return name == e.name; });
}

Status retain_device(cl_device_id handle) {
  TRY(Device & device, object_cast<Device>(handle));
  if (!device.is_root()) device.retain_for_application();
  return {};
}

Status release_device(cl_device_id handle) {
  TRY(Device & device, object_cast<Device>(handle));
  if (device.is_root()) return {};
  return release_handle<Device>(handle);
}

} // namespace hostcl::runtime
