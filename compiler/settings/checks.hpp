#pragma once

// Which checks kernels are compiled with.

#include "compiler/outcome.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Check : unsigned {
#define CHECK(name, description) name,
#include "compiler/settings/checks.inc"
#undef CHECK
};

bool is_checked(Check check);

/// Compiles all kernels of the process with checks, and without all others; call it before anything is compiled.
/// Their launches need abi::Launch::objects.
/// @param names with commas between them, or "all"
Outcome<> set_checks(std::string_view names);

/// As compiler/settings/checks.inc and HOSTCL_CHECK have it.
std::string_view name_of(Check check);

/// Whether any check is on: programs then have line tables.
bool has_checks();

/// The checks that are on, in a form that is part of cache keys; empty if there are none.
std::string checks_on();

} // namespace hostcl::compiler
