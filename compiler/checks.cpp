#include "compiler/checks.hpp"

#include "compiler/compiler.hpp"

#include <algorithm>

namespace hostcl::compiler {

namespace {

constexpr std::string_view names[] = {
#define CHECK(name, description) #name,
#include "compiler/checks.inc"
#undef CHECK
};
static_assert(std::size(names) <= 32);

constexpr std::uint32_t bit_of(Check check) {
  return std::uint32_t{1} << static_cast<unsigned>(check);
}

/// "all" stands for the checks that report nothing in right kernels. A branch that parts work-items in front of a barrier
/// may be right, if none of them reaches the barrier after all.
constexpr std::uint32_t all_bits = ((std::uint32_t{1} << std::size(names)) - 1) & ~bit_of(Check::divergence);

std::string all_names() {
  std::string list = "all";
  for (std::string_view name : names)
    list.append(", ").append(name);
  return list;
}

} // namespace

constinit std::atomic<std::uint32_t> check_bits = 0;

std::string_view name_of(Check check) {
  return names[static_cast<std::size_t>(check)];
}

std::string set_checks(std::string_view wanted) {
  std::uint32_t bits = 0;
  while (!wanted.empty()) {
    const std::string_view name = wanted.substr(0, wanted.find(','));
    wanted.remove_prefix(std::min(name.size() + 1, wanted.size()));
    const auto* found = std::ranges::find(names, name);
    if (name == "all")
      bits |= all_bits;
    else if (found != std::end(names))
      bits |= std::uint32_t{1} << (found - names);
    else
      return "no check is called '" + std::string(name) + "'; there are " + all_names();
  }
  check_bits = bits;
  return {};
}

std::string checks_on() {
  std::string list;
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (check_bits >> i & 1) list.append(names[i]).append(",");
  return list;
}

} // namespace hostcl::compiler
