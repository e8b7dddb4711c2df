#include "compiler/settings/heuristics.hpp"

#include "compiler/settings/names.hpp"

#include <atomic>
#include <cstdint>
#include <iterator>

namespace hostcl::compiler {

namespace {

constexpr std::uint64_t bit_of(Heuristic heuristic) {
  return std::uint64_t{1} << static_cast<unsigned>(heuristic);
}

struct Row {
  std::string_view name;
  std::uint64_t bits;
  std::string_view file, description;
};

constexpr Row rows[] = {
#define HEURISTIC(name, file, description) {#name, bit_of(Heuristic::name), file, description},
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

/// A bit for each heuristic that is off in the process.
std::atomic<std::uint64_t> off = 0;

/// A bit for each heuristic that is off in this thread.
constinit thread_local std::uint64_t off_here = 0;

/// A bit for each heuristic that has changed the kernel that this thread compiles.
constinit thread_local std::uint64_t changes_here = 0;

} // namespace

bool is_on(Heuristic heuristic) {
  const std::uint64_t none = off.load(std::memory_order_relaxed) | off_here;
  return (none & bit_of(heuristic)) == 0;
}

bool note_change(Heuristic heuristic, bool changed) {
  if (changed) changes_here |= bit_of(heuristic);
  return changed;
}

std::string take_changes() {
  std::string names;
  for (const Row& row : rows)
    if (changes_here & row.bits) names.append(" ").append(row.name);
  changes_here = 0;
  return names;
}

void forgo_heuristics_here(bool forgo) {
  constexpr std::uint64_t of_compiler =
      bit_of(Heuristic::split_large_regions) | bit_of(Heuristic::long_scalar_loops) |
      bit_of(Heuristic::short_vectors) | bit_of(Heuristic::unoptimised_codegen);
  off_here = forgo ? ~of_compiler : 0;
}

Outcome<> turn_off(std::string_view names) {
  Outcome<std::uint64_t> bits = bits_named(names, "heuristic", rows, former_names);
  if (bits) off = bits.value;
  return {bits.status, std::move(bits.log), {}};
}

std::string heuristics_off() {
  std::string names;
  for (const Row& row : rows)
    if (off & row.bits) names.append(row.name).append(",");
  return names;
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

} // namespace hostcl::compiler
