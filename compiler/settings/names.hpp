#pragma once

// Parses settings that are lists of names.

#include "compiler/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// The bits of all names in a list.
/// @param list names separated by commas
/// @param kind what the names are, for error messages
/// @param rows each has a `name`, and the `bits` that the name stands for
template <class Rows>
Outcome<std::uint64_t> bits_named(std::string_view list, std::string_view kind, const Rows& rows) {
  std::uint64_t bits = 0;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
    const auto found = std::ranges::find(rows, name, [](const auto& row) { return row.name; });
    if (found == std::end(rows)) {
      std::string all;
      for (const auto& row : rows)
        all.append(all.empty() ? "" : ", ").append(row.name);
      return Failed{Status::invalid_options,
                    "no " + std::string(kind) + " is called '" + std::string(name) + "'; there are " + all};
    }
    bits |= found->bits;
  }
  return {Status::success, {}, bits};
}

} // namespace hostcl::compiler
