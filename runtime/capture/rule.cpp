#include "runtime/capture/rule.hpp"

#include "runtime/support/lock.hpp"
#include "runtime/support/options.hpp"

#include <charconv>
#include <map>
#include <mutex>

#include <fnmatch.h>

namespace hostcl::runtime::capture {

namespace {

struct Counts {
  Lock lock; ///< guards launches
  std::map<std::string, std::uint64_t> launches;
};

Counts& counts() {
  static auto* instance =
      new Counts; // never destroyed, because threads may run launches while the process exits
  return *instance;
}

Lock& counts_lock() {
  return counts().lock;
}
[[maybe_unused]] const bool is_held_over_fork = held_over_fork<counts_lock>();

bool parse_number(std::string_view digits, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() && number > 0;
}

} // namespace

std::uint64_t Rule::count(const std::string& kernel_name) const {
  if (fnmatch(kernel.c_str(), kernel_name.c_str(), 0) != 0) return 0;
  std::scoped_lock guard(counts().lock);
  const std::uint64_t number = ++counts().launches[kernel_name];
  return number >= first && number <= last ? number : 0;
}

std::optional<Rule> parsed_rule(std::string_view value) {
  Rule rule;
  const std::size_t colon = value.find(':');
  if (colon == 0) return std::nullopt;
  rule.folder = absolute_name(value.substr(0, colon));
  if (colon == std::string_view::npos) return rule;
  value.remove_prefix(colon + 1);
  const std::size_t second = value.find(':');
  rule.kernel = value.substr(0, second);
  if (rule.kernel.empty()) return std::nullopt;
  if (second == std::string_view::npos) return rule;
  value.remove_prefix(second + 1);
  const std::size_t dash = value.find('-');
  if (!parse_number(value.substr(0, dash), rule.first)) return std::nullopt;
  rule.last = rule.first;
  if (dash != std::string_view::npos && !parse_number(value.substr(dash + 1), rule.last)) return std::nullopt;
  if (rule.last < rule.first) return std::nullopt;
  return rule;
}

} // namespace hostcl::runtime::capture
