#include "compiler/settings/heuristics.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>

namespace hostcl::compiler {

namespace {

struct Row {
  std::string_view name, file, description;
};

constexpr Row rows[] = {
#define HEURISTIC(name, file, description) {#name, file, description},
#include "compiler/settings/heuristics.inc"
#undef HEURISTIC
};
static_assert(std::size(rows) <= 64);

/// A bit for each heuristic that is off.
std::atomic<std::uint64_t> off = 0;

/// The same for one thread.
constinit thread_local std::uint64_t off_here = 0;

std::uint64_t bit_of(const Row& row) {
  return std::uint64_t{1} << (&row - rows);
}

std::string all_names() {
  std::string names;
  for (const Row& row : rows)
    names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

} // namespace

bool is_on(Heuristic heuristic) {
  const std::uint64_t none = off.load(std::memory_order_relaxed) | off_here;
  return (none >> static_cast<unsigned>(heuristic) & 1) == 0;
}

void forgo_heuristics_here(bool forgo) {
  constexpr std::uint64_t kept = std::uint64_t{1} << static_cast<unsigned>(Heuristic::split_large_regions);
  off_here = forgo ? ~kept : 0;
}

std::string turn_off(std::string_view names) {
  std::uint64_t bits = 0;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const Row* row = std::ranges::find(rows, name, &Row::name);
    if (row == std::end(rows))
      return "no heuristic is called '" + std::string(name) + "'; there are " + all_names();
    bits |= bit_of(*row);
  }
  off = bits;
  return {};
}

std::string heuristics_off() {
  std::string names;
  for (const Row& row : rows)
    if (off & bit_of(row)) names.append(row.name).append(",");
  return names;
}

std::string heuristics_help() {
  std::string help;
  for (const Row& row : rows) {
    std::string line(row.name);
    line.resize(22, ' ');
    help.append(line).append(row.description).append(" (").append(row.file).append(")\n");
  }
  return help;
}

} // namespace hostcl::compiler
