#pragma once

// Parses settings that are lists of names, and writes such lists.

#include "compiler/outcome.hpp"
#include "compiler/settings/enum_set.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// A setting's name that has changed. Users may write the former name until the next release.
struct FormerName {
  std::string_view name, now;
};

/// The present name for a name that may be a former one.
template <class Former>
std::string_view current_name(std::string_view name, const Former& former) {
  const auto found = std::ranges::find(former, name, &FormerName::name);
  return found == std::end(former) ? name : found->now;
}

/// The set that a list of names stands for.
/// @param list names separated by commas
/// @param kind what the names are, for error messages
/// @param rows each has a `name`, and the `members` that the name stands for
/// @param former names that some rows had before
template <class Rows, class Former = std::array<FormerName, 0>>
auto set_named(std::string_view list, std::string_view kind, const Rows& rows, const Former& former = {})
    -> Outcome<decltype(std::begin(rows)->members)> {
  decltype(std::begin(rows)->members) set;
  while (!list.empty()) {
    const std::string_view written = list.substr(0, list.find(','));
    list.remove_prefix(std::min(written.size() + 1, list.size()));
    const std::string_view name = current_name(written, former);
    const auto found = std::ranges::find(rows, name, [](const auto& row) { return row.name; });
    if (found == std::end(rows)) {
      std::string all;
      for (const auto& row : rows)
        all.append(all.empty() ? "" : ", ").append(row.name);
      return Failed{Status::invalid_options,
                    "no " + std::string(kind) + " is called '" + std::string(name) + "'; there are " + all};
    }
    set |= found->members;
  }
  return {Status::success, {}, set};
}

} // namespace hostcl::compiler
