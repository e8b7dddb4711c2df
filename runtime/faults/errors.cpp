#include "runtime/faults/errors.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace hostcl::runtime::faults {

namespace {

struct Row {
  cl_int code;
  std::string_view name;
  std::string_view functions;
};

#define ERROR(code, functions) {code, #code, functions},
constexpr Row rows[] = {
#include "runtime/faults/errors.inc"
};
#undef ERROR

bool is_of(std::string_view function, const Row& row) {
  for (std::string_view rest = row.functions; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (matches(rest.substr(0, end), function)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

/// Whether the function belongs to an extension whose errors the specification does not list.
bool is_unlisted(std::string_view function) {
  constexpr std::array<std::string_view, 4> vendors = {"INTEL", "ARM", "IMG", "EXT"};
  return std::ranges::any_of(vendors, [&](std::string_view vendor) { return function.ends_with(vendor); }) ||
         std::ranges::none_of(rows, [&](const Row& row) { return is_of(function, row); });
}

} // namespace

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  for (std::size_t skipped = star; skipped <= name.size(); ++skipped)
    if (matches(pattern, name.substr(skipped))) return true;
  return false;
}

std::optional<cl_int> code_of(std::string_view error) {
  const auto* found = std::ranges::find(rows, error, &Row::name);
  if (found == std::end(rows)) return {};
  return found->code;
}

std::string_view name_of(cl_int code) {
  const auto* found = std::ranges::find(rows, code, &Row::code);
  return found == std::end(rows) ? std::string_view() : found->name;
}

bool may_return(std::string_view function, cl_int code) {
  if (is_unlisted(function)) return true;
  return std::ranges::any_of(rows, [&](const Row& row) { return row.code == code && is_of(function, row); });
}

std::string errors_of(std::string_view function) {
  std::string names;
  for (const Row& row : rows)
    if (is_of(function, row)) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

cl_int usual_error(std::string_view function) {
  // The function's error is the first one of this list that the function may return, except for functions that allocate
  // memory objects. For commands, drivers usually report CL_OUT_OF_RESOURCES.
  constexpr std::array<cl_int, 8> usual = {
      CL_BUILD_PROGRAM_FAILURE,   CL_COMPILE_PROGRAM_FAILURE, CL_LINK_PROGRAM_FAILURE, CL_MAP_FAILURE,
      CL_DEVICE_PARTITION_FAILED, CL_OUT_OF_RESOURCES,        CL_OUT_OF_HOST_MEMORY,   CL_INVALID_PLATFORM};
  if (is_unlisted(function)) return CL_OUT_OF_RESOURCES;
  if (function.starts_with("clCreate") && may_return(function, CL_MEM_OBJECT_ALLOCATION_FAILURE))
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  const auto* found = std::ranges::find_if(usual, [&](cl_int code) { return may_return(function, code); });
  return found == usual.end() ? CL_OUT_OF_RESOURCES : *found;
}

} // namespace hostcl::runtime::faults
