#include "runtime/build_options.hpp"

#include <algorithm>
#include <array>

namespace hostcl::runtime {

namespace {

template <class Visit>
void for_each_token(std::string_view options, Visit visit) {
  while (!options.empty()) {
    auto first = options.find_first_not_of(" \t\n");
    if (first == options.npos) return;
    options.remove_prefix(first);
    auto end = std::min(options.size(), options.find_first_of(" \t\n"));
    visit(options.substr(0, end));
    options.remove_prefix(end);
  }
}

} // namespace

bool requires_uniform(std::string_view options) {
  bool uniform = true, requested = false;
  for_each_token(options, [&](std::string_view token) {
    constexpr std::string_view standard = "-cl-std=";
    if (token == "-cl-uniform-work-group-size") requested = true;
    if (token.starts_with(standard)) uniform = token.substr(standard.size()).starts_with("CL1.");
  });
  return uniform || requested;
}

std::string link_part(std::string_view options) {
  static constexpr std::array<std::string_view, 6> shared = {
      "-cl-denorms-are-zero", "-cl-no-signed-zeros",   "-cl-unsafe-math-optimizations",
      "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"};
  std::string result;
  for_each_token(options, [&](std::string_view token) {
    if (std::ranges::find(shared, token) != shared.end()) result.append(token).append(" ");
  });
  return result;
}

} // namespace hostcl::runtime
