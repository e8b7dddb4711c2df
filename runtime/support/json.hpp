#pragma once

#include <string_view>

namespace hostcl::runtime {

/// Gives `put` the parts of a string of JSON: quotes, and escapes, of which none is longer than two characters. Control
/// characters other than tabs and ends of lines are left out.
template <class Put>
void put_json_string(std::string_view string, Put put) {
  put(std::string_view("\""));
  for (const char& c : string) {
    if (c == '"' || c == '\\') put(std::string_view("\\"));
    if (c == '\t') put(std::string_view("\\t"));
    if (c == '\n') put(std::string_view("\\n"));
    if (static_cast<unsigned char>(c) >= ' ') put(std::string_view(&c, 1));
  }
  put(std::string_view("\""));
}

} // namespace hostcl::runtime
