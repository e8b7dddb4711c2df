// The themes that are asked for by name, and what their statements share.

#include "differential/generator.hpp"

#include <algorithm>
#include <stdexcept>

namespace differential {

std::span<const Generator::NamedTheme> Generator::named_themes() {
  static constexpr NamedTheme themes[] = {
      {"unset", &Generator::unset, true, true},
      {"walks", &Generator::walk, false, false},
      {"layouts", &Generator::layout, false, false},
      {"swizzles", &Generator::swizzle, false, false},
      {"narrow", &Generator::narrow, false, false},
      {"jumps", &Generator::jumps, false, false},
      {"structures", &Generator::structure, false, false},
      {"attributes", &Generator::hinted, false, false},
      {"queries", &Generator::query, false, false, 40},
      {"locks", &Generator::lock, true, false},
      {"graphs", &Generator::graph, true, true},
      {"images", &Generator::image, false, false},
      {"pipes", &Generator::through_pipe, false, false},
      {"children", &Generator::child, false, false},
      {"sub_groups", &Generator::sub_groups, true, true, 75},
      {"overlaps", &Generator::overlap, false, false, 40},
      {"grids", &Generator::grid, false, false, 70},
      {"strides", &Generator::strides, false, false, 70},
      {"tables", &Generator::filled_table, false, true, 75},
      {"exits", &Generator::exits, false, true, 75},
      {"reductions", &Generator::reduction, true, true, 75},
      {"products", &Generator::product, false, false, 80},
      {"iterations", &Generator::iterations, true, true, 50},
  };
  return themes;
}

std::vector<std::string> Generator::theme_names() {
  std::vector<std::string> names;
  for (const NamedTheme& theme : named_themes())
    names.emplace_back(theme.name);
  return names;
}

Generator::Generator(std::uint64_t seed, const std::string& theme) : random_(seed) {
  if (theme.empty()) return;
  const auto found =
      std::ranges::find_if(named_themes(), [&](const NamedTheme& row) { return theme == row.name; });
  if (found == named_themes().end()) throw std::invalid_argument("no theme is called " + theme);
  named_ = &*found;
  // The same seed is another kernel in each theme.
  random_.seed(seed * 100 + static_cast<std::uint64_t>(found - named_themes().begin()));
}

std::string Generator::leave(const std::string& value) {
  const Variable* variable =
      target([](const Variable& v) { return v.type.kind == 'u' && v.type.bits == 64 && v.type.count == 1; });
  if (variable && chance(50)) return variable->name + " += " + value + ";";
  return "out64[(n - 1 - i) * 4 + " + number(4) + "] " + any_of({"^", "+"}) + "= " + value + ";";
}

std::string Generator::declared(const std::string& name, const std::string& text) {
  views_.emplace(name, text);
  return name;
}

} // namespace differential
