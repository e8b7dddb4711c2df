#include "runtime/description/host_rules.hpp"

#include "runtime/description/answer_encoding.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

namespace {

using Warnings = std::vector<std::string>;

/// Whether the rule at_most excludes 0, by which the driver could not divide.
bool is_positive(const DeviceQuery& query) {
  return query.number == CL_DEVICE_MAX_WORK_GROUP_SIZE || query.number == CL_DEVICE_MAX_WORK_ITEM_SIZES;
}

/// The numbers nearest to the wanted ones that the rule at_most or at_least allows.
template <class T>
AnswerBytes nearest(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                    Warnings& warnings) {
  const bool is_least = query.rule == AnswerRule::at_least;
  const std::vector<T> limits = list_in<T>(host);
  std::vector<T> values = list_in<T>(wanted);
  for (std::size_t i = 0; i < values.size() && i < limits.size(); ++i) {
    const bool is_zero = values[i] == 0 && is_positive(query);
    if (!is_zero && (is_least ? values[i] >= limits[i] : values[i] <= limits[i])) continue;
    warnings.push_back(text(query.name, " is ", values[i],
                            is_zero    ? ", not at least 1 like "
                            : is_least ? ", below "
                                       : ", above ",
                            "the host's ", limits[i], ", which holds"));
    values[i] = limits[i];
  }
  // The host's values complete a list that is too short, such as sizes of work-items along two dimensions only.
  for (std::size_t i = values.size(); i < limits.size(); ++i)
    values.push_back(limits[i]);
  return answer_of_list(values);
}

/// Extensions that the host supports without listing them in its own CL_DEVICE_EXTENSIONS.
constexpr std::string_view unlisted_extensions[] = {
    "cl_khr_extended_versioning",
    "cl_khr_icd",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_subgroups", // sub-groups may not progress independently of each other
    "cl_arm_import_memory_dma_buf",
    "cl_arm_import_memory_host",
};

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
    } else if (std::ranges::find(unlisted_extensions, entry.name) != std::end(unlisted_extensions)) {
      if (entry.version == 0) entry.version = CL_MAKE_VERSION(1, 0, 0);
      common.push_back(entry);
    } else {
      lost += text(lost.empty() ? "" : ", ", entry.name);
      if (query.number != CL_DEVICE_EXTENSIONS_WITH_VERSION && query.number != CL_DEVICE_OPENCL_C_FEATURES)
        lost += text(" ", CL_VERSION_MAJOR(entry.version), ".", CL_VERSION_MINOR(entry.version));
    }
  }
  const auto name = query.number == CL_DEVICE_EXTENSIONS_WITH_VERSION ? "CL_DEVICE_EXTENSIONS" : query.name;
  if (!lost.empty()) warnings.push_back(text(name, " has what the host lacks, and what is left out: ", lost));
  return answer_of_list(common);
}

AnswerBytes common_bits(const DeviceQuery& query, const AnswerBytes& wanted, const AnswerBytes& host,
                        Warnings& warnings) {
  const cl_bitfield bits = number_in(wanted), lost = bits & ~number_in(host);
  std::string names;
  for (const NamedValue& bit : query.values)
    if (lost & bit.value) names.append(names.empty() ? "" : ", ").append(bit.name);
  if (lost)
    warnings.push_back(text(query.name, " has bits that the host lacks, and that are left out: ",
                            names.empty() ? text("0x", std::hex, lost) : names));
  return answer_of<cl_bitfield>(bits & ~lost);
}

AnswerBytes common_partition_types(const AnswerBytes& wanted, const AnswerBytes& host) {
  const auto known = list_in<cl_device_partition_property>(host);
  auto types = list_in<cl_device_partition_property>(wanted);
  std::erase_if(types, [&](auto type) { return std::ranges::find(known, type) == known.end(); });
  if (types.empty()) types.push_back(0);
  return answer_of_list(types);
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
    if (query.type == AnswerType::partition_types) return common_partition_types(wanted, host);
    return common_bits(query, wanted, host, warnings);
  case AnswerRule::host:
    break;
  }
  return host;
}

} // namespace hostcl::runtime
