#pragma once

// Which checks kernels are compiled with. set_checks() in compiler.hpp sets them for the whole process.

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Check : unsigned {
#define CHECK(name, description) name,
#include "compiler/checks.inc"
#undef CHECK
};

bool is_checked(Check check);

/// As compiler/checks.inc and HOSTCL_CHECK have it.
std::string_view name_of(Check check);

/// Whether any check is on: programs then have line tables.
bool has_checks();

/// The checks that are on, in a form that is part of cache keys; empty if there are none.
std::string checks_on();

} // namespace hostcl::compiler
