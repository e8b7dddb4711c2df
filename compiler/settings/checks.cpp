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
    // "all" leaves out the checks that may report something in a correct kernel. These are `divergence`, because a
    // divergent branch before a barrier is correct if no work-item reaches the barrier, and `order`, because the
    // results of a kernel may depend on the order of work-groups, for example the order of a list. "all" also leaves
    // out `commands`, because it costs more than most users want to pay along with the other checks.
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
