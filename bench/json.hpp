#pragma once

// Fields of the JSON objects that the programs of this folder print, one object per line.

#include <string>

namespace bench {

inline std::string json_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (result += '\\') += c;
    else
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

inline std::string text_field(const char* key, const std::string& text) {
  return '"' + std::string(key) + "\": " + json_string(text);
}

} // namespace bench
