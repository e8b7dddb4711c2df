#pragma once

// Answers of clGetDeviceInfo() from values in JSON, and what other units need to read from such answers.

#include "runtime/description/description.hpp"

#include <cstring>

namespace llvm::json {
class Value;
}

namespace hostcl::runtime {

/// The answer to a query that a description gives as `value`. The sentence of an error names the value and the rule.
Result<AnswerBytes> encoded_answer(const DeviceQuery& query, const llvm::json::Value& value);

/// The value with this name, or the number. Fails if there is no such name.
Result<std::uint64_t> named_value(std::span<const NamedValue> values, const llvm::json::Value& value);

/// "3.0" or "3.0.1" as cl_version; empty if the text is no version.
std::optional<cl_version> parsed_version(std::string_view text);

template <class T>
AnswerBytes answer_of(const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return {first, first + sizeof(value)};
}
template <class T>
AnswerBytes answer_of_list(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::byte*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}
/// The text with its terminating zero.
AnswerBytes answer_of_text(std::string_view text);

/// The elements of an answer. An answer of a single number is a list of one element.
template <class T>
std::vector<T> list_in(const AnswerBytes& answer) {
  std::vector<T> values(answer.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), answer.data(), values.size() * sizeof(T));
  return values;
}
/// The text without its terminating zero.
std::string text_in(const AnswerBytes& answer);
/// A number of 4 or 8 bytes.
std::uint64_t number_in(const AnswerBytes& answer);
/// The names in a text, which are separated by spaces.
std::vector<std::string> names_in(std::string_view text);

} // namespace hostcl::runtime
