#pragma once

// Writes JSON as text, one value after the other.

#include "runtime/support/json.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

namespace hostcl::runtime::profile {

class JsonWriter {
public:
  /// Writes an element of an array, or the whole text.
  void value(std::string_view string) {
    separate();
    put_json_string(string, [this](std::string_view part) { text_ += part; });
  }
  void value(const char* string) { value(std::string_view(string)); }
  void value(bool is) { raw(is ? "true" : "false"); }
  void value(std::integral auto number) { raw(std::to_string(number)); }
  /// Writes six significant digits; null for infinity and NaN.
  void value(double number) {
    char digits[32];
    if (!std::isfinite(number)) return raw("null");
    const auto end =
        std::to_chars(std::begin(digits), std::end(digits), number, std::chars_format::general, 6).ptr;
    raw({digits, static_cast<std::size_t>(end - digits)});
  }
  void member(std::string_view name, auto&& content) {
    key(name);
    value(content);
  }
  /// @param content JSON
  void member_text(std::string_view name, std::string_view content) {
    key(name);
    raw(content);
  }
  /// Calls `inside`, which writes the members.
  void object(auto&& inside) { enclosed("{", "}", inside); }
  void object(std::string_view name, auto&& inside) {
    key(name);
    object(inside);
  }
  void array(std::string_view name, auto&& inside) {
    key(name);
    enclosed("[", "]", inside);
  }
  void array(auto&& inside) { enclosed("[", "]", inside); }

  const std::string& text() const { return text_; }

private:
  void raw(std::string_view content) {
    separate();
    text_ += content;
  }
  void key(std::string_view name) {
    value(name);
    text_ += ':';
    is_first_ = true;
  }
  void enclosed(std::string_view open, std::string_view close, auto&& inside) {
    raw(open);
    is_first_ = true;
    inside();
    text_ += close;
    is_first_ = false;
  }
  void separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
};

} // namespace hostcl::runtime::profile
