#include "compiler/passes/switch_parameters.hpp"

#include "llvm/ADT/StringExtras.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr const char *no = "no-", *check = "check-";

/// Appends each of the names, which have commas after them, with `prefix` before it.
void append(std::string& text, StringRef prefix, const std::string& names) {
  for (StringRef name : split(StringRef(names).drop_back(names.empty() ? 0 : 1), ','))
    if (!name.empty()) text += (text.empty() ? "" : ";") + prefix.str() + name.str();
}

} // namespace

std::string text_of(const Switches& switches) {
  std::string text;
  append(text, no, names_of(switches.off));
  append(text, check, names_of(switches.checks));
  return text;
}

bool take_switch(StringRef parameter, Switches& switches) {
  if (parameter.consume_front(no)) {
    const auto heuristic = heuristics_named(parameter);
    switches.off |= heuristic.value;
    return heuristic && !parameter.empty();
  }
  if (!parameter.consume_front(check) || parameter.empty()) return false;
  const auto checks = checks_named(parameter);
  switches.checks |= checks.value;
  return static_cast<bool>(checks);
}

Expected<Switches> parse_switches(StringRef text) {
  Switches switches;
  if (text.empty()) return switches;
  for (StringRef parameter : split(text, ';'))
    if (!take_switch(parameter, switches))
      return createStringError("'" + parameter + "' is neither no-HEURISTIC nor check-CHECK");
  return switches;
}

} // namespace hostcl::compiler
