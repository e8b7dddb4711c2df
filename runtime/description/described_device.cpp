#include "runtime/description/described_device.hpp"

#include "compiler/compiler.hpp"
#include "compiler/settings/listed_extensions.hpp"
#include "compiler/settings/sub_group_sizes.hpp"
#include "runtime/description/answer_encoding.hpp"
#include "runtime/description/host_rules.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

namespace {

using Warnings = std::vector<std::string>;
using NameVersions = std::vector<cl_name_version>;

constexpr cl_version version_3_0 = CL_MAKE_VERSION(3, 0, 0);

/// A part of OpenCL that a device may lack, and the three ways in which devices report whether they have the part: a
/// feature of OpenCL C 3.0, an extension, and a query whose answer is 0 without the part. An empty name or query 0: the
/// part is not reported in this way.
struct OptionalPart {
  std::string_view feature, extension;
  cl_device_info query;
};

constexpr OptionalPart optional_parts[] = {
    {"__opencl_c_fp64", "cl_khr_fp64", CL_DEVICE_DOUBLE_FP_CONFIG},
    {"", "cl_khr_fp16", CL_DEVICE_HALF_FP_CONFIG},
    {"__opencl_c_images", "", CL_DEVICE_IMAGE_SUPPORT},
    {"__opencl_c_3d_image_writes", "cl_khr_3d_image_writes", 0},
    {"__opencl_c_read_write_images", "", CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS},
    {"", "cl_khr_image2d_from_buffer", CL_DEVICE_IMAGE_PITCH_ALIGNMENT},
    {"", "", CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT},
    {"", "", CL_DEVICE_SVM_CAPABILITIES},
    {"__opencl_c_generic_address_space", "", CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT},
    {"__opencl_c_pipes", "", CL_DEVICE_PIPE_SUPPORT},
    {"__opencl_c_device_enqueue", "", CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES},
    {"__opencl_c_program_scope_global_variables", "", CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE},
    {"__opencl_c_subgroups", "cl_khr_subgroups", CL_DEVICE_MAX_NUM_SUB_GROUPS},
    {"__opencl_c_work_group_collective_functions", "", CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT},
};

/// Pairs of queries: the answer to the second is 0 if the device lacks the optional part that the first reports.
constexpr std::pair<cl_device_info, cl_device_info> dependent_queries[] = {
    {CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE},
    {CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE},
    {CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT},
    {CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT},
    {CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF},
    {CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_MAX_READ_IMAGE_ARGS},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_MAX_WRITE_IMAGE_ARGS},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_MAX_SAMPLERS},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE2D_MAX_WIDTH},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE2D_MAX_HEIGHT},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE3D_MAX_WIDTH},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE3D_MAX_HEIGHT},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE3D_MAX_DEPTH},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE_PITCH_ALIGNMENT},
    {CL_DEVICE_IMAGE_SUPPORT, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT},
    {CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_MAX_PIPE_ARGS},
    {CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS},
    {CL_DEVICE_PIPE_SUPPORT, CL_DEVICE_PIPE_MAX_PACKET_SIZE},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_MAX_ON_DEVICE_QUEUES},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_MAX_ON_DEVICE_EVENTS},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE},
};

/// A channel order or a channel data type that OpenCL 1.0 does not have, and the versions and extensions that have it.
struct NewerChannel {
  cl_uint channel;
  std::string_view since;
};

constexpr NewerChannel newer_channels[] = {
    {CL_Rx, "1.1"},
    {CL_RGx, "1.1"},
    {CL_RGBx, "1.1"},
    {CL_DEPTH, "2.0 cl_khr_depth_images"},
    {CL_sRGB, "2.0"},
    {CL_sRGBx, "2.0"},
    {CL_sRGBA, "2.0"},
    {CL_sBGRA, "2.0"},
    {CL_ABGR, "2.0"},
    {CL_UNORM_INT_101010_2, "2.1"},
    {CL_UNORM_INT_2_101010_EXT, "cl_ext_image_unorm_int_2_101010"},
    {CL_UNORM_INT10X6_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNORM_INT12X4_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNORM_INT14X2_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNSIGNED_INT10X6_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNSIGNED_INT12X4_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNSIGNED_INT14X2_EXT, "cl_ext_image_unsigned_10x6_12x4_14x2"},
    {CL_UNSIGNED_INT_RAW10_EXT, "cl_ext_image_raw10_raw12"},
    {CL_UNSIGNED_INT_RAW12_EXT, "cl_ext_image_raw10_raw12"},
};

/// Queries of cl_ext_float_atomics, and the type in the names of the features that mean the same.
constexpr std::pair<cl_device_info, std::string_view> float_atomics[] = {
    {CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, "fp16"},
    {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, "fp32"},
    {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, "fp64"},
};
/// Bits of these queries, and the ends of the names of the features. The load_store of float and double has no feature.
constexpr std::pair<cl_bitfield, std::string_view> float_atomic_bits[] = {
    {CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT, "global_atomic_load_store"},
    {CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT, "global_atomic_add"},
    {CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT, "global_atomic_min_max"},
    {CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT, "local_atomic_load_store"},
    {CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT, "local_atomic_add"},
    {CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT, "local_atomic_min_max"},
};

bool has_name(const NameVersions& list, std::string_view name) {
  return std::ranges::any_of(list, [&](const cl_name_version& entry) { return name == entry.name; });
}

/// The version in a text such as "OpenCL 3.0 vendor" or "OpenCL C 1.2"; 0 if the text has none.
cl_version version_in(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return 0;
  text.remove_prefix(prefix.size());
  return parsed_version(text.substr(0, text.find(' '))).value_or(0);
}

class Comparison {
public:
  Comparison(const DeviceDescription& description, const HostAnswer& host, Warnings& warnings)
      : description_(description), host_(host), warnings_(warnings) {}

  DescribedDevice compare() {
    result_.name = description_.name;
    result_.image_formats = description_.image_formats;
    result_.quirks = description_.quirks;
    take_listed();
    limit_allocations();
    set_version();
    set_language_versions();
    set_optional_parts();
    set_float_atomics();
    set_texts();
    set_language();
    result_.limits = limits_of(result_.answers);
    result_.is_embedded = text_in(current(CL_DEVICE_PROFILE)) == "EMBEDDED_PROFILE";
    remove_missing_queries();
    return std::move(result_);
  }

private:
  bool is_listed(cl_device_info number) const { return description_.answers.contains(number); }
  void set(cl_device_info number, AnswerBytes answer) {
    result_.answers.insert_or_assign(number, std::move(answer));
  }

  AnswerBytes of_host(cl_device_info number) const { return host_(number).value_or(AnswerBytes()); }
  /// The device's answer so far: the description's, or the host's.
  AnswerBytes current(cl_device_info number) const {
    const AnswerBytes* found = find_answer(result_.answers, number);
    return found ? *found : of_host(number);
  }
  NameVersions names(cl_device_info number) const { return list_in<cl_name_version>(current(number)); }

  void take_listed() {
    for (const auto& [number, wanted] : description_.answers) {
      const DeviceQuery& query = *find_device_query(number);
      const auto of_host = host_(number);
      if (of_host)
        set(number, allowed_answer(query, wanted, *of_host, warnings_));
      else if (query.rule == AnswerRule::any)
        set(number, wanted);
    }
  }

  /// No allocation is larger than the memory.
  void limit_allocations() {
    const std::uint64_t memory = number_in(current(CL_DEVICE_GLOBAL_MEM_SIZE));
    const std::uint64_t most = number_in(current(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
    if (!is_listed(CL_DEVICE_MAX_MEM_ALLOC_SIZE) || most <= memory) return;
    warnings_.push_back(text("CL_DEVICE_MAX_MEM_ALLOC_SIZE is ", most, ", above CL_DEVICE_GLOBAL_MEM_SIZE, ",
                             memory, ", which holds"));
    set(CL_DEVICE_MAX_MEM_ALLOC_SIZE, answer_of(memory));
  }

  void set_version() {
    const std::string listed = text_in(current(CL_DEVICE_VERSION));
    const cl_version of_text = version_in(listed, "OpenCL ");
    if (!is_listed(CL_DEVICE_NUMERIC_VERSION) && of_text) set(CL_DEVICE_NUMERIC_VERSION, answer_of(of_text));
    result_.version = static_cast<cl_version>(number_in(current(CL_DEVICE_NUMERIC_VERSION)));
    const auto newest = static_cast<cl_version>(number_in(of_host(CL_DEVICE_NUMERIC_VERSION)));
    // A patch level adds no function, so a description may have a newer one than the host.
    if (result_.version >> CL_VERSION_PATCH_BITS > newest >> CL_VERSION_PATCH_BITS) {
      warnings_.push_back(text("CL_DEVICE_VERSION is ", listed, ", above the host's OpenCL ",
                               CL_VERSION_MAJOR(newest), ".", CL_VERSION_MINOR(newest), ", which holds"));
      result_.version = newest;
      set(CL_DEVICE_NUMERIC_VERSION, answer_of(newest));
      set(CL_DEVICE_VERSION, of_host(CL_DEVICE_VERSION));
    } else if (!is_listed(CL_DEVICE_VERSION)) {
      set(CL_DEVICE_VERSION, version_text("OpenCL ", result_.version));
    }
  }

  AnswerBytes version_text(std::string_view prefix, cl_version version) const {
    return answer_of_text(
        text(prefix, CL_VERSION_MAJOR(version), ".", CL_VERSION_MINOR(version), " ", description_.name));
  }

  /// Sets CL_DEVICE_OPENCL_C_VERSION and the versions that -cl-std may name. If the description does not list the
  /// latter, they are the host's versions up to CL_DEVICE_VERSION on devices of OpenCL 3.0, and up to
  /// CL_DEVICE_OPENCL_C_VERSION on older devices.
  void set_language_versions() {
    cl_version named = version_in(text_in(current(CL_DEVICE_OPENCL_C_VERSION)), "OpenCL C ");
    if (!is_listed(CL_DEVICE_OPENCL_C_VERSION)) {
      named = std::min(named, result_.version);
      set(CL_DEVICE_OPENCL_C_VERSION, version_text("OpenCL C ", named));
    }
    if (!is_listed(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR))
      set(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, answer_of(named));
    NameVersions versions = names(CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    if (!is_listed(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
      const cl_version newest = result_.version >= version_3_0 ? result_.version : named;
      std::erase_if(versions, [&](const cl_name_version& one) { return one.version > newest; });
      set(CL_DEVICE_OPENCL_C_ALL_VERSIONS, answer_of_list(versions));
    }
    cl_version newest = 0;
    for (const cl_name_version& one : versions)
      newest = std::max(newest, one.version);
    result_.language.newest_c = newest;
    if (newest < CL_MAKE_VERSION(1, 2, 0)) result_.language.default_c = newest;
  }

  /// Whether the device has a part. If the description lists features, the lists of features and of extensions decide.
  /// Otherwise the query decides, and without the query the list of extensions.
  bool has(const OptionalPart& part) const {
    const auto listed = [&](cl_device_info list, std::string_view name) {
      return !name.empty() && has_name(list_in<cl_name_version>(description_.answers.at(list)), name);
    };
    const bool lists_extensions = is_listed(CL_DEVICE_EXTENSIONS_WITH_VERSION);
    if (is_listed(CL_DEVICE_OPENCL_C_FEATURES) && !part.feature.empty())
      return listed(CL_DEVICE_OPENCL_C_FEATURES, part.feature) ||
             (lists_extensions && listed(CL_DEVICE_EXTENSIONS_WITH_VERSION, part.extension));
    if (part.query && is_listed(part.query)) return number_in(current(part.query)) != 0;
    if (!part.extension.empty() && lists_extensions)
      return listed(CL_DEVICE_EXTENSIONS_WITH_VERSION, part.extension);
    // The description does not report the part, so the host's answer holds. But devices before OpenCL 2.0 lack the
    // parts that OpenCL 2.0 added: those without an extension, except images, which are older.
    const bool is_new = part.extension.empty() && part.query != CL_DEVICE_IMAGE_SUPPORT;
    return !is_new || result_.version >= CL_MAKE_VERSION(2, 0, 0);
  }

  void zero(cl_device_info query) { set(query, AnswerBytes(current(query).size())); }

  void set_optional_parts() {
    result_.extensions = names(CL_DEVICE_EXTENSIONS_WITH_VERSION);
    features_ = names(CL_DEVICE_OPENCL_C_FEATURES);
    for (const OptionalPart& part : optional_parts) {
      if (has(part)) continue;
      std::erase_if(result_.extensions, [&](const auto& one) { return part.extension == one.name; });
      std::erase_if(features_, [&](const auto& one) { return part.feature == one.name; });
      if (part.query) zero(part.query);
      for (const auto& [first, dependent] : dependent_queries)
        if (first == part.query) zero(dependent);
    }
  }

  /// Of the atomic operations on a floating-point type, the device has those that both the query of the type and the
  /// features have.
  void set_float_atomics() {
    for (const auto& [query, type] : float_atomics) {
      cl_bitfield bits = number_in(current(query));
      for (const auto& [bit, operation] : float_atomic_bits) {
        if (type != "fp16" && operation.ends_with("load_store")) continue;
        const std::string feature = text("__opencl_c_ext_", type, "_", operation);
        if (!has_name(features_, feature)) bits &= ~bit;
        if (!(bits & bit)) std::erase_if(features_, [&](const auto& one) { return feature == one.name; });
      }
      if (host_(query)) set(query, answer_of(bits));
    }
  }

  void set_texts() {
    std::string extensions, languages;
    for (const cl_name_version& one : result_.extensions)
      extensions += text(extensions.empty() ? "" : " ", one.name);
    if (result_.version < CL_MAKE_VERSION(2, 1, 0) && !result_.has_extension("cl_khr_il_program"))
      set(CL_DEVICE_ILS_WITH_VERSION, {});
    for (const cl_name_version& one : names(CL_DEVICE_ILS_WITH_VERSION))
      languages += text(languages.empty() ? "" : " ", one.name, "_", CL_VERSION_MAJOR(one.version), ".",
                        CL_VERSION_MINOR(one.version));
    set(CL_DEVICE_EXTENSIONS, answer_of_text(extensions));
    set(CL_DEVICE_EXTENSIONS_WITH_VERSION, answer_of_list(result_.extensions));
    set(CL_DEVICE_OPENCL_C_FEATURES, answer_of_list(features_));
    set(CL_DEVICE_IL_VERSION, answer_of_text(languages));
  }

  void set_language() {
    compiler::Language& language = result_.language;
    language.device = result_.name;
    // A description without a list of extensions gives the device all extensions of the host, also those that the
    // host does not list (compiler::is_in_device_list()).
    const bool lists_extensions = is_listed(CL_DEVICE_EXTENSIONS_WITH_VERSION);
    for (const auto& extension : compiler::language_extensions())
      if (!has_name(result_.extensions, extension.name) &&
          (lists_extensions || compiler::is_in_device_list(extension.name)))
        language.lacks.emplace_back(extension.name);
    // Messages name the first missing part: an extension rather than the features that depend on the extension.
    const auto is_implied = [&](std::string_view feature) {
      return feature.starts_with("__opencl_c_ext_") && compiler::is_missing(language, feature);
    };
    for (const auto& feature : compiler::language_features())
      if (!has_name(features_, feature.name) && !is_implied(feature.name))
        language.lacks.emplace_back(feature.name);
    std::ranges::sort(language.lacks);
    language.newest_spirv = compiler::Language::no_spirv;
    for (const cl_name_version& one : names(CL_DEVICE_ILS_WITH_VERSION))
      if (language.newest_spirv == compiler::Language::no_spirv || one.version > language.newest_spirv)
        language.newest_spirv = one.version;
    language.device_version = result_.version;
    const std::uint64_t bits = number_in(current(CL_DEVICE_ADDRESS_BITS));
    if (bits < 64) language.address_bits = static_cast<unsigned>(bits);
    set_sub_group_sizes();
  }

  /// Sets the sizes that the description lists. If the description does not list CL_DEVICE_SUB_GROUP_SIZES_INTEL, the
  /// only size is the listed CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, if that may be a sub-group size.
  void set_sub_group_sizes() {
    if (is_listed(CL_DEVICE_SUB_GROUP_SIZES_INTEL)) {
      for (const std::size_t size : list_in<std::size_t>(current(CL_DEVICE_SUB_GROUP_SIZES_INTEL)))
        if (size <= UINT32_MAX && compiler::may_require_sub_groups_of(static_cast<std::uint32_t>(size)))
          result_.language.sub_group_sizes.push_back(static_cast<unsigned>(size));
        else
          warnings_.push_back(text("CL_DEVICE_SUB_GROUP_SIZES_INTEL has ", size,
                                   ", which is left out; a size must be ",
                                   compiler::required_sub_group_sizes));
    } else if (is_listed(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)) {
      const std::uint64_t size = number_in(current(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
      if (size > 1 && size <= UINT32_MAX &&
          compiler::may_require_sub_groups_of(static_cast<std::uint32_t>(size)))
        result_.language.sub_group_sizes.push_back(static_cast<unsigned>(size));
    }
  }

  void remove_missing_queries() {
    for (const DeviceQuery& query : device_queries()) {
      const bool is_unlisted = !description_.host_answers_unlisted && query.rule != AnswerRule::host &&
                               query.since != "1.0" && !result_.answers.contains(query.number);
      if (!result_.has_one_of(query.since) || is_unlisted)
        result_.answers.insert_or_assign(query.number, std::nullopt);
    }
  }

  const DeviceDescription& description_;
  const HostAnswer& host_;
  Warnings& warnings_;
  DescribedDevice result_;
  NameVersions features_;
};

} // namespace

const AnswerBytes* find_answer(const DeviceAnswers& answers, cl_device_info query) {
  const auto found = answers.find(query);
  if (found == answers.end()) return nullptr;
  const std::optional<AnswerBytes>& answer = found->second;
  return answer ? &*answer : nullptr;
}

bool DescribedDevice::has_extension(std::string_view name) const {
  return has_name(extensions, name);
}

bool DescribedDevice::has_one_of(std::string_view versions_and_extensions) const {
  return std::ranges::any_of(names_in(versions_and_extensions), [&](const std::string& name) {
    const auto of_version = parsed_version(name);
    return of_version ? *of_version <= version : has_extension(name);
  });
}

std::optional<std::uint64_t> DescribedDevice::number(cl_device_info query) const {
  const AnswerBytes* found = find_answer(answers, query);
  return found ? std::optional(number_in(*found)) : std::nullopt;
}

bool DescribedDevice::may_be_partitioned(cl_device_partition_property type) const {
  if (!answers.contains(CL_DEVICE_PARTITION_PROPERTIES))
    return type != CL_DEVICE_PARTITION_BY_NAMES_INTEL || has_extension("cl_intel_device_partition_by_names");
  const AnswerBytes* found = find_answer(answers, CL_DEVICE_PARTITION_PROPERTIES);
  return found && std::ranges::count(list_in<cl_device_partition_property>(*found), type) != 0;
}

bool DescribedDevice::has_image_format(const cl_image_format& format, cl_mem_object_type type,
                                       cl_mem_flags flags) const {
  if (!image_formats)
    return std::ranges::none_of(newer_channels, [&](const NewerChannel& newer) {
      return (newer.channel == format.image_channel_order ||
              newer.channel == format.image_channel_data_type) &&
             !has_one_of(newer.since);
    });
  constexpr cl_mem_flags accesses =
      CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE | CL_MEM_KERNEL_READ_AND_WRITE;
  cl_mem_flags wanted = flags & CL_MEM_IMMUTABLE_EXT ? CL_MEM_READ_ONLY : flags & accesses;
  if (!wanted) wanted = CL_MEM_READ_WRITE;
  return std::ranges::any_of(*image_formats, [&](const ImageFormatList& list) {
    return list.type == type && !(wanted & ~list.flags) &&
           std::ranges::any_of(list.formats, [&](const cl_image_format& one) {
             return one.image_channel_order == format.image_channel_order &&
                    one.image_channel_data_type == format.image_channel_data_type;
           });
  });
}

DescribedDevice described_device(const DeviceDescription& description, const HostAnswer& host,
                                 std::vector<std::string>& warnings) {
  return Comparison(description, host, warnings).compare();
}

} // namespace hostcl::runtime
