#pragma once

// Fields of the JSON objects that the programs of this folder print, one object per line.

#include <cstdio>
#include <string>
#include <vector>

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

inline std::string numbers_field(const char* key, const std::vector<double>& numbers) {
  std::string result = '"' + std::string(key) + "\": [";
  for (const double number : numbers) {
    char text[32];
    std::snprintf(text, sizeof text, "%s%.6g", result.ends_with('[') ? "" : ", ", number);
    result += text;
  }
  return result + ']';
}

} // namespace bench
