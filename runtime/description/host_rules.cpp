#include "runtime/description/host_rules.hpp"

#include "runtime/description/answer_encoding.hpp"

#include "compiler/settings/listed_extensions.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

namespace {

using Warnings = std::vector<std::string>;

/// Why the rule of the query excludes a number, or an empty text. The sentence continues with the host's number.
std::string_view fault_of(const DeviceQuery& query, std::uint64_t value, std::uint64_t host) {
  const bool is_divisor =
      query.number == CL_DEVICE_MAX_WORK_GROUP_SIZE || query.number == CL_DEVICE_MAX_WORK_ITEM_SIZES;
  if (is_divisor && value == 0) return ", not at least 1 like ";
  if (query.number == CL_DEVICE_ADDRESS_BITS && value != 32 && value != 64) return ", not 32 or 64 like ";
  if (query.rule == AnswerRule::at_least) return value < host ? ", below " : "";
  return value > host ? ", above " : "";
}

/// The numbers nearest to the wanted ones that the rule at_most or at_least allows.
template <class T>
AnswerBytes nearest(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                    Warnings& warnings) {
  const std::vector<T> limits = list_in<T>(host);
  std::vector<T> values = list_in<T>(wanted);
  for (std::size_t i = 0; i < values.size() && i < limits.size(); ++i) {
    const std::string_view fault = fault_of(query, values[i], limits[i]);
    if (fault.empty()) continue;
    warnings.push_back(text(query.name, " is ", values[i], fault, "the host's ", limits[i], ", which holds"));
    values[i] = limits[i];
  }
  // The host's values complete a list that is too short, such as sizes of work-items along two dimensions only.
  for (std::size_t i = values.size(); i < limits.size(); ++i)
    values.push_back(limits[i]);
  return answer_of_list(values);
}

/// Warns of the parts of a list or of a bit field that are left out.
/// @param lost names with commas between them; empty: nothing is left out
void warn_of_lost(std::string_view name, std::string_view parts, const std::string& lost,
                  Warnings& warnings) {
  if (!lost.empty())
    warnings.push_back(text(name, " is used without the ", parts, " that the host lacks: ", lost));
}

/// Extensions that the host supports without listing them in its own CL_DEVICE_EXTENSIONS. The compiler has more.
constexpr std::string_view unlisted_extensions[] = {
    "cl_khr_extended_versioning",
    "cl_khr_icd",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_subgroups", // sub-groups may not progress independently of each other
    "cl_arm_import_memory_dma_buf",
    "cl_arm_import_memory_host",
};

bool is_supported_unlisted(std::string_view name) {
  return std::ranges::find(unlisted_extensions, name) != std::end(unlisted_extensions) ||
         !compiler::is_in_device_list(name);
}

/// Whether two entries are the same. All versions of OpenCL C, and all versions of SPIR-V, are entries of one name, so
/// the versions of these entries are compared as well.
bool is_same(const DeviceQuery& query, const cl_name_version& wanted, const cl_name_version& host) {
  if (std::string_view(wanted.name) != host.name) return false;
  const bool names_versions =
      query.number == CL_DEVICE_OPENCL_C_ALL_VERSIONS || query.number == CL_DEVICE_ILS_WITH_VERSION;
  return !names_versions || wanted.version >> CL_VERSION_PATCH_BITS == host.version >> CL_VERSION_PATCH_BITS;
}

AnswerBytes common_names(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                         Warnings& warnings) {
  const auto known = list_in<cl_name_version>(host);
  std::vector<cl_name_version> common;
  std::string lost;
  for (cl_name_version entry : list_in<cl_name_version>(wanted)) {
    const auto found =
        std::ranges::find_if(known, [&](const cl_name_version& one) { return is_same(query, entry, one); });
    if (found != known.end()) {
      if (entry.version == 0 || entry.version > found->version) entry.version = found->version;
      common.push_back(entry);
    } else if (is_supported_unlisted(entry.name)) {
      if (entry.version == 0) entry.version = CL_MAKE_VERSION(1, 0, 0);
      common.push_back(entry);
    } else {
      lost += text(lost.empty() ? "" : ", ", entry.name);
      if (query.number != CL_DEVICE_EXTENSIONS_WITH_VERSION && query.number != CL_DEVICE_OPENCL_C_FEATURES)
        lost += text(" ", CL_VERSION_MAJOR(entry.version), ".", CL_VERSION_MINOR(entry.version));
    }
  }
  const auto name = query.number == CL_DEVICE_EXTENSIONS_WITH_VERSION ? "CL_DEVICE_EXTENSIONS" : query.name;
  warn_of_lost(name, "entries", lost, warnings);
  return answer_of_list(common);
}

AnswerBytes common_bits(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                        Warnings& warnings) {
  const cl_bitfield bits = number_in(wanted), lost = bits & ~number_in(host);
  std::string names;
  for (const NamedValue& bit : query.values)
    if (lost & bit.value) names.append(names.empty() ? "" : ", ").append(bit.name);
  if (lost && names.empty()) names = text("0x", std::hex, lost);
  warn_of_lost(query.name, "bits", names, warnings);
  return answer_of<cl_bitfield>(bits & ~lost);
}

AnswerBytes common_partition_types(const DeviceQuery& query, const AnswerBytes& wanted,
                                   const AnswerBytes& host, Warnings& warnings) {
  const auto known = list_in<cl_device_partition_property>(host);
  std::vector<cl_device_partition_property> common;
  std::string lost;
  for (const auto type : list_in<cl_device_partition_property>(wanted)) {
    const auto named = std::ranges::find(query.values, static_cast<std::uint64_t>(type), &NamedValue::value);
    if (std::ranges::find(known, type) != known.end())
      common.push_back(type);
    else if (type)
      lost += text(lost.empty() ? "" : ", ",
                   named == query.values.end() ? text("0x", std::hex, type) : std::string(named->name));
  }
  warn_of_lost(query.name, "types", lost, warnings);
  if (common.empty()) common.push_back(0);
  return answer_of_list(common);
}

AnswerBytes nearest_answer(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                           Warnings& warnings) {
  switch (query.type) {
  case AnswerType::boolean:
  case AnswerType::uint32:
    return nearest<cl_uint>(query, wanted, host, warnings);
  case AnswerType::sizes:
    return nearest<std::size_t>(query, wanted, host, warnings);
  default:
    return nearest<std::uint64_t>(query, wanted, host, warnings);
  }
}

} // namespace

AnswerBytes allowed_answer(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                           Warnings& warnings) {
  switch (query.rule) {
  case AnswerRule::any:
    return wanted;
  case AnswerRule::at_most:
  case AnswerRule::at_least:
    return nearest_answer(query, wanted, host, warnings);
  case AnswerRule::subset:
    if (query.type == AnswerType::name_versions) return common_names(query, wanted, host, warnings);
    if (query.type == AnswerType::partition_types)
      return common_partition_types(query, wanted, host, warnings);
    return common_bits(query, wanted, host, warnings);
  case AnswerRule::host:
    break;
  }
  return host;
}

} // namespace hostcl::runtime
