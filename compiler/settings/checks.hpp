#pragma once

// Which checks kernels are compiled with.

#include "compiler/outcome.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Check : unsigned {
#define CHECK(name, description) name,
#include "compiler/settings/checks.inc"
#undef CHECK
};

/// A bit for each check that is on.
extern std::atomic<std::uint64_t> check_bits;

// Each launch asks these two, several times.

inline bool is_checked(Check check) {
  return (check_bits.load(std::memory_order_relaxed) >> static_cast<unsigned>(check) & 1) != 0;
}
/// Whether any check is on: programs then have line tables.
inline bool has_checks() {
  return check_bits.load(std::memory_order_relaxed) != 0;
}

/// Compiles all kernels of the process with checks, and without all others; call it before anything is compiled.
/// Their launches need abi::Launch::objects.
/// @param names with commas between them, or "all"
Outcome<> set_checks(std::string_view names);

/// As compiler/settings/checks.inc and HOSTCL_CHECK have it.
std::string_view name_of(Check check);

/// The checks that are on, in a form that is part of cache keys; empty if there are none.
std::string checks_on();

} // namespace hostcl::compiler
