#pragma once

// Switches for the heuristics: steps that make kernels faster and do not change their results. A heuristic
// asks is_on() where it begins and does nothing if it is off, so that trying them one by one shows which
// makes a kernel wrong or slow.

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

/// Notes that a heuristic has changed the kernel that this thread compiles, or a decision about the kernel. Each heuristic
/// calls this, so that tests can count the random kernels that it changes (tests/differential/census.hpp).
/// @returns `changed`
bool note_change(Heuristic heuristic, bool changed = true);

/// Returns the names of the heuristics that this thread has noted since the last call, with a space before each name.
std::string take_changes();

/// Turns heuristics off for the whole process, and all others on; call it before anything is compiled.
/// @param names with commas between them
Outcome<> turn_off(std::string_view names);

/// Turns all off for this thread, or lets those be on that are on for the process. What spares the compiler time stays.
void forgo_heuristics_here(bool forgo);

/// The heuristics that are off for the process, in a form that is part of cache keys; empty if all are on.
std::string heuristics_off();

/// A line for each: name, what it does, file.
std::string heuristics_help();

} // namespace hostcl::compiler
