#include "compiler/settings/checks.hpp"

#include "compiler/settings/names.hpp"

#include <iterator>

namespace hostcl::compiler {

namespace {

constexpr std::uint64_t bit_of(Check check) {
  return std::uint64_t{1} << static_cast<unsigned>(check);
}

struct Row {
  std::string_view name;
  std::uint64_t bits;
};

constexpr Row rows[] = {
#define CHECK(name, description) {#name, bit_of(Check::name)},
#include "compiler/settings/checks.inc"
#undef CHECK
    // The checks that report nothing in correct kernels. A divergent branch before a barrier may be correct,
    // if none of the work-items reaches the barrier; and so may a list whose order depends on work-groups.
    // The check of commands costs more than most users want to pay along with the other checks.
    {"all", ~(bit_of(Check::commands) | bit_of(Check::divergence) | bit_of(Check::order))},
};
constexpr std::size_t checks = std::size(rows) - 1;
static_assert(checks <= 64);

} // namespace

constinit std::atomic<std::uint64_t> check_bits = 0;

std::string_view name_of(Check check) {
  return rows[static_cast<std::size_t>(check)].name;
}

Outcome<> set_checks(std::string_view names) {
  Outcome<std::uint64_t> bits = bits_named(names, "check", rows);
  if (bits) check_bits = bits.value;
  return {bits.status, std::move(bits.log), {}};
}

std::string checks_on() {
  std::string list;
  for (std::size_t i = 0; i < checks; ++i)
    if (check_bits & rows[i].bits) list.append(rows[i].name).append(",");
  return list;
}

} // namespace hostcl::compiler
