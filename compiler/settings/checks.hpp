#pragma once

// The checks that are compiled into kernels (HOSTCL_CHECK).

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

// These two functions are inline, because each launch calls them several times.

inline bool is_checked(Check check) {
  return (check_bits.load(std::memory_order_relaxed) >> static_cast<unsigned>(check) & 1) != 0;
}
/// Whether any check is on. Programs are then compiled with line tables.
inline bool has_checks() {
  return check_bits.load(std::memory_order_relaxed) != 0;
}

/// Turns the named checks on for all kernels of the process, and all other checks off. Must be called before
/// anything is compiled. If a check is on, launches must set abi::Launch::objects.
/// @param names separated by commas, or "all"
Outcome<> set_checks(std::string_view names);

/// The name in compiler/settings/checks.inc and HOSTCL_CHECK.
std::string_view name_of(Check check);

/// The checks that are on, as a part of cache keys; empty if no check is on.
std::string checks_on();

} // namespace hostcl::compiler
