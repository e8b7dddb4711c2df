#pragma once

// Heuristics: parts of the compiler that make kernels faster and do not change their results. A heuristic does nothing
// if it is off (Switches::is_on). So turning heuristics off one by one shows which of them makes a kernel wrong or
// slow.

#include "compiler/outcome.hpp"
#include "compiler/settings/enum_set.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Heuristic : unsigned {
#define HEURISTIC(name, file, description) name,
#include "compiler/settings/heuristics.inc"
#undef HEURISTIC
};
using Heuristics = EnumSet<Heuristic>;

/// All heuristics except for those that save compile time. These heuristics are off at fallback levels other than
/// `full`.
extern const Heuristics heuristics_for_speed;

/// The names of the heuristics, each with a comma after it.
std::string names_of(Heuristics heuristics);

/// @param names separated by commas
Outcome<Heuristics> heuristics_named(std::string_view names);

/// A line for each heuristic: name, what it does, file.
std::string heuristics_help();

/// Records that a heuristic has changed the kernel that this thread compiles, or a decision about the kernel.
/// Each heuristic calls this function, so that tests can count the random kernels that it changes
/// (tests/differential/census.hpp).
/// @returns `changed`
bool note_change(Heuristic heuristic, bool changed = true);

/// The heuristics that this thread has recorded since the last call.
Heuristics take_changes();

} // namespace hostcl::compiler
