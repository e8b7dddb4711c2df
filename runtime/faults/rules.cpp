#include "runtime/faults/rules.hpp"

#include "runtime/faults/errors.hpp"
#include "runtime/faults/tally.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

namespace hostcl::runtime::faults {

namespace {

/// A name for several functions in a rule.
struct Family {
  std::string_view name;
  std::vector<std::string> patterns, exceptions;
};

std::vector<Family> families() {
  return {
      {"any", {"cl*"}, {"clRetain*", "clRelease*"}},
      {"build", {"clBuildProgram", "clCompileProgram", "clLinkProgram"}, {}},
      {"copy", {"clEnqueueCopy*", "clEnqueueSVMMemcpy", "clEnqueueMemcpyINTEL"}, {}},
      {"create", {"clCreate*", "clCloneKernel", "clSVMAlloc*", "cl*MemAllocINTEL", "clImportMemoryARM"}, {}},
      {"enqueue", {"clEnqueue*"}, {}},
      {"launch", {"clEnqueueNDRangeKernel", "clEnqueueTask"}, {}},
      {"map", {"clEnqueueMap*", "clEnqueueSVMMap"}, {}},
      {"read", {"clEnqueueRead*"}, {}},
      {"write", {"clEnqueueWrite*"}, {}},
  };
}

/// The parts of a text between separators, which may be empty.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Reads WHEN. @returns false if the text has another form, or if it selects no call
bool parse_when(std::string_view text, Rule& rule) {
  if (text == "*") return true;
  if (text.ends_with('%')) {
    text.remove_suffix(1);
    return parse_number(text, rule.percent) && rule.percent >= 0 && rule.percent <= 100;
  }
  const std::size_t dash = text.find('-');
  if (!parse_number(text.substr(0, dash), rule.first) || rule.first == 0) return false;
  if (dash == std::string_view::npos) {
    rule.last = rule.first;
    return true;
  }
  const std::string_view last = text.substr(dash + 1);
  return last.empty() || (parse_number(last, rule.last) && rule.last >= rule.first);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Reads a part after FUNCTIONS. @returns what is wrong, or nothing
std::string parse_part(std::string_view part, Rule& rule) {
  const Rule all;
  if (part == "*" || (!part.empty() && is_digit(part.front()))) {
    if (rule.first != 1 || rule.last != all.last || rule.percent != all.percent)
      return text("'", part, "' is a second choice of calls; a rule has one");
    if (parse_when(part, rule)) return {};
    return text("'", part,
                "' must be the number of a call, from 1, a range such as 3-5 or 3-, or a probability "
                "such as 10%");
  }
  if (part.starts_with("seed")) {
    if (parse_number(part.substr(4), rule.seed)) return {};
    return text("'", part, "' must be 'seed' and a number, such as seed7");
  }
  if (part == "lost") {
    rule.is_lost = true;
    return {};
  }
  if (const auto code = code_of(part)) {
    if (rule.error != CL_SUCCESS) return text("'", part, "' is a second error; a rule has one");
    rule.error = *code;
    return {};
  }
  return text("'", part, "' is neither the number of a call, nor a seed, 'lost', or an error of OpenCL");
}

std::string family_names() {
  std::string names;
  for (const Family& family : families())
    names.append(names.empty() ? "" : ", ").append(family.name);
  return names;
}

/// Reads a rule. @returns what is wrong, or nothing
std::string parse_rule(std::string_view value, std::span<const std::string_view> functions, Rule& rule) {
  rule.text = value;
  std::vector<std::string_view> parts = split(value, ':');
  const std::vector<Family> known = families();
  if (const auto family = std::ranges::find(known, parts[0], &Family::name); family != known.end()) {
    rule.patterns = family->patterns;
    rule.exceptions = family->exceptions;
  } else {
    rule.patterns.emplace_back(parts[0]);
  }
  for (const std::string_view part : std::span(parts).subspan(1))
    if (std::string problem = parse_part(part, rule); !problem.empty()) return problem;
  if (rule.is_lost && rule.error != CL_SUCCESS) return "'lost' and an error exclude each other";
  if (std::ranges::any_of(functions, [&](std::string_view name) { return rule.is_for(name); })) return {};
  if (rule.is_lost) return "'lost' is for functions that enqueue a command, such as enqueue or launch";
  return text("'", parts[0],
              "' names no function of the API that can fail; it must be a function's name, a pattern "
              "such as clCreate*, or one of ",
              family_names());
}

/// A sentence about functions of the rule that may not return its error, or nothing.
std::string warning_about(const Rule& rule, std::span<const std::string_view> functions) {
  if (rule.error == CL_SUCCESS) return {};
  std::string names;
  for (const std::string_view name : functions)
    if (rule.is_for(name) && !may_return(name, rule.error))
      names.append(names.empty() ? "" : ", ").append(name);
  if (names.empty()) return {};
  const bool is_one = names.find(',') == std::string::npos;
  return text("OpenCL does not allow ", names, " to return ", name_of(rule.error),
              is_one ? "; it may return " + errors_of(names) : std::string());
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

} // namespace

bool Rule::is_for(std::string_view function) const {
  if (is_lost && !function.starts_with("clEnqueue")) return false;
  const auto matches_name = [&](std::string_view pattern) { return matches(pattern, function); };
  return std::ranges::any_of(patterns, matches_name) && std::ranges::none_of(exceptions, matches_name);
}

bool Rule::fails(std::uint64_t number) const {
  if (number < first || number > last) return false;
  if (percent >= 100) return true;
  constexpr double range = 18446744073709551616.0; // 2 to the power of 64
  return static_cast<double>(mixed(mixed(seed) ^ number)) < percent / 100 * range;
}

std::vector<Rule> parse_rules(std::string_view value, std::span<const std::string_view> functions,
                              const std::function<void(const std::string&)>& complain) {
  std::vector<Rule> rules;
  std::size_t position = 1;
  for (const std::string_view part : split(value, ',')) {
    const std::string where = text("HOSTCL_FAIL, position ", position, ", rule '", part, "': ");
    position += part.size() + 1;
    Rule rule;
    if (std::string problem = parse_rule(part, functions, rule); !problem.empty()) {
      complain(where + problem + "; the rule is ignored");
    } else if (rules.size() == Tally::most_rules) {
      complain(text(where, "there may be ", Tally::most_rules, " rules; the rule is ignored"));
    } else {
      if (std::string warning = warning_about(rule, functions); !warning.empty()) complain(where + warning);
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

} // namespace hostcl::runtime::faults
