#pragma once

// Switches for heuristics: parts of the compiler that make kernels faster and do not change their results. A
// heuristic calls is_on() before it starts, and does nothing if it is off. So turning heuristics off one by
// one shows which of them makes a kernel wrong or slow.

#include "compiler/outcome.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class Heuristic : unsigned {
#define HEURISTIC(name, file, description) name,
#include "compiler/settings/heuristics.inc"
#undef HEURISTIC
};

bool is_on(Heuristic heuristic);

/// Records that a heuristic has changed the kernel that this thread compiles, or a decision about the kernel.
/// Each heuristic calls this function, so that tests can count the random kernels that it changes
/// (tests/differential/census.hpp).
/// @returns `changed`
bool note_change(Heuristic heuristic, bool changed = true);

/// The names of the heuristics that this thread has recorded since the last call, each with a space before
/// it.
std::string take_changes();

/// Turns the named heuristics off for the process, and all other heuristics on. Must be called before
/// anything is compiled.
/// @param names separated by commas
Outcome<> turn_off(std::string_view names);

/// Turns all heuristics off for this thread (true), or ends this (false). Heuristics that save compile time
/// are not turned off.
void forgo_heuristics_here(bool forgo);

/// The heuristics that are off for the process, as a part of cache keys; empty if all are on.
std::string heuristics_off();

/// A line for each heuristic: name, what it does, file.
std::string heuristics_help();

} // namespace hostcl::compiler
