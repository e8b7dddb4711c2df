#pragma once

#include <cstddef>
#include <string>

namespace cluster {

/// The first of the elements of part `part` of `parts`, which are as equal as can be.
inline std::size_t part_begin(std::size_t elements, std::size_t parts, std::size_t part) {
  return elements * part / parts;
}

/// The number that follows --NAME= among a program's arguments.
inline std::size_t number_of(int count, char** arguments, const std::string& name, std::size_t otherwise) {
  for (int i = 1; i < count; ++i)
    if (const std::string text = arguments[i]; text.starts_with("--" + name + "="))
      return std::stoul(text.substr(name.size() + 3));
  return otherwise;
}

} // namespace cluster
