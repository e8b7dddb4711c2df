#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hostcl::runtime {

/// The number of bytes of the UTF-8 sequence at the beginning of a text (The Unicode Standard, table 3-7); 0 if there
/// is no valid sequence.
inline std::size_t utf8_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  auto in = [&](std::size_t i, unsigned first, unsigned last) { return byte(i) >= first && byte(i) <= last; };
  auto continues = [&](std::size_t i) { return in(i, 0x80, 0xbf); };
  if (text.empty()) return 0;
  if (byte(0) < 0x80) return 1;
  if (in(0, 0xc2, 0xdf)) return continues(1) ? 2 : 0;
  if (in(0, 0xe0, 0xef)) {
    const bool is_second = in(1, byte(0) == 0xe0 ? 0xa0 : 0x80, byte(0) == 0xed ? 0x9f : 0xbf);
    return is_second && continues(2) ? 3 : 0;
  }
  const bool is_second = in(1, byte(0) == 0xf0 ? 0x90 : 0x80, byte(0) == 0xf4 ? 0x8f : 0xbf);
  return in(0, 0xf0, 0xf4) && is_second && continues(2) && continues(3) ? 4 : 0;
}

/// Passes a string in JSON syntax to `put`, part by part: quotes, characters, and escapes. Control characters other
/// than tabs and line feeds are left out; bytes that are not UTF-8 become U+FFFD.
template <class Put>
void put_json_string(std::string_view string, Put put) {
  put(std::string_view("\""));
  for (std::size_t i = 0; i < string.size();) {
    const std::string_view c = string.substr(i, utf8_length(string.substr(i)));
    i += c.empty() ? 1 : c.size();
    if (c.empty()) put(std::string_view("\\ufffd"));
    if (c == "\"" || c == "\\") put(std::string_view("\\"));
    if (c == "\t") put(std::string_view("\\t"));
    if (c == "\n") put(std::string_view("\\n"));
    if (!c.empty() && (c.size() > 1 || c[0] >= ' ')) put(c);
  }
  put(std::string_view("\""));
}

/// The string in JSON syntax, as put_json_string() writes it.
inline std::string json_of(std::string_view string) {
  std::string quoted;
  put_json_string(string, [&](std::string_view part) { quoted += part; });
  return quoted;
}

} // namespace hostcl::runtime
