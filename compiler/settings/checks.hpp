#pragma once

// The checks that are compiled into kernels (HOSTCL_CHECK).

#include "compiler/outcome.hpp"
#include "compiler/settings/enum_set.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Check : unsigned {
#define CHECK(name, description) name,
#include "compiler/settings/checks.inc"
#undef CHECK
};
using Checks = EnumSet<Check>;

/// The name in compiler/settings/checks.inc and HOSTCL_CHECK.
std::string_view name_of(Check check);

/// The names of the checks, each with a comma after it.
std::string names_of(Checks checks);

/// @param names separated by commas, or "all"
Outcome<Checks> checks_named(std::string_view names);

} // namespace hostcl::compiler
