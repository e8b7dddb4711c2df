#include "compiler/settings/checks.hpp"

#include "compiler/settings/names.hpp"

namespace hostcl::compiler {

namespace {

constexpr std::size_t count = 0
#define CHECK(name, description) +1
#include "compiler/settings/checks.inc"
#undef CHECK
    ;

struct Row {
  std::string_view name;
  Checks members;
};

constexpr Row rows[] = {
#define CHECK(name, description) {#name, Check::name},
#include "compiler/settings/checks.inc"
#undef CHECK
    // The checks that report nothing in correct kernels. A divergent branch before a barrier may be correct,
    // if none of the work-items reaches the barrier; and so may a list whose order depends on work-groups.
    // The check of commands costs more than most users want to pay along with the other checks.
    {"all", Checks::all(count) - Checks(Check::commands, Check::divergence, Check::order)},
};

} // namespace

std::string_view name_of(Check check) {
  return rows[static_cast<std::size_t>(check)].name;
}

std::string names_of(Checks set) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i)
    if (set.has(static_cast<Check>(i))) list.append(rows[i].name).append(",");
  return list;
}

Outcome<Checks> checks_named(std::string_view names) {
  return set_named(names, "check", rows);
}

} // namespace hostcl::compiler
