#include "compiler/settings/heuristics.hpp"

#include "compiler/settings/names.hpp"

#include <utility>

namespace hostcl::compiler {

namespace {

struct Row {
  std::string_view name;
  Heuristics members;
  std::string_view file, description;
};

constexpr Row rows[] = {
#define HEURISTIC(name, file, description) {#name, Heuristic::name, file, description},
#include "compiler/settings/heuristics.inc"
#undef HEURISTIC
};
static_assert(std::size(rows) <= 64);

constexpr FormerName former_names[] = {
    {"apart_buffers", "disjoint_buffers"},
    {"alike_atomics", "uniform_atomics"},
    {"lockstep_loops", "barrier_synchronised_loops"},
    {"local_trees", "tree_reductions"},
    {"cache_blocks", "cache_tiling"},
    {"free_groups", "group_size_agnostic"},
    {"transposed_rows", "transposed_loads"},
    {"simple_generator", "unoptimised_codegen"},
};

constinit thread_local Heuristics changes_here;

} // namespace

constexpr Heuristics heuristics_for_speed =
    Heuristics::all(std::size(rows)) - Heuristics(Heuristic::split_large_regions,
                                                  Heuristic::long_scalar_loops, Heuristic::short_vectors,
                                                  Heuristic::unoptimised_codegen);

std::string names_of(Heuristics heuristics) {
  std::string names;
  for (const Row& row : rows)
    if (heuristics.has(static_cast<Heuristic>(&row - rows))) names.append(row.name).append(",");
  return names;
}

Outcome<Heuristics> heuristics_named(std::string_view names) {
  return set_named(names, "heuristic", rows, former_names);
}

std::string heuristics_help() {
  std::string help;
  for (const Row& row : rows) {
    std::string line(row.name);
    line.resize(28, ' ');
    help.append(line).append(row.description).append(" (").append(row.file).append(")\n");
  }
  return help;
}

bool note_change(Heuristic heuristic, bool changed) {
  if (changed) changes_here |= heuristic;
  return changed;
}

Heuristics take_changes() {
  return std::exchange(changes_here, {});
}

} // namespace hostcl::compiler
