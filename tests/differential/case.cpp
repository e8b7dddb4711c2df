#include "differential/case.hpp"

#include <cstdio>

namespace differential {

std::string header_of(const Geometry& geometry) {
  std::string line = "// range:";
  auto add = [&](const char* name, const std::array<std::size_t, 3>& sizes) {
    line += std::string(" ") + name;
    for (unsigned d = 0; d < geometry.dimensions; ++d)
      line += ' ' + std::to_string(sizes[d]);
  };
  line += " dimensions " + std::to_string(geometry.dimensions);
  add("global", geometry.global);
  add("local", geometry.local);
  add("offset", geometry.offset);
  return line + '\n';
}

std::optional<Geometry> geometry_of(const std::string& text) {
  Geometry geometry;
  const char* at = text.c_str();
  int used = 0;
  if (std::sscanf(at, "// range: dimensions %u%n", &geometry.dimensions, &used) != 1 ||
      geometry.dimensions < 1 || geometry.dimensions > 3)
    return std::nullopt;
  at += used;
  for (auto [name, sizes] : {std::pair{" global%n", &geometry.global},
                             {" local%n", &geometry.local},
                             {" offset%n", &geometry.offset}}) {
    used = 0;
    std::sscanf(at, name, &used);
    if (used == 0) return std::nullopt;
    at += used;
    for (unsigned d = 0; d < geometry.dimensions; ++d) {
      if (std::sscanf(at, " %zu%n", &(*sizes)[d], &used) != 1) return std::nullopt;
      at += used;
    }
  }
  return geometry;
}

std::string Case::text() const {
  return header_of(geometry) + print(kernel);
}

} // namespace differential
