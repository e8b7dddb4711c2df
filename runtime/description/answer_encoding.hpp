#pragma once

// Converts values in JSON to answers of clGetDeviceInfo(), and answers to numbers, lists and texts.

#include "runtime/description/description.hpp"

#include <cstring>

namespace llvm::json {
class Value;
}

namespace hostcl::runtime {

/// The answer to a query, from its value in a description. Fails with CL_INVALID_VALUE if the query cannot have this
/// value; the sentence names the value and the rule.
Result<AnswerBytes> encoded_answer(const DeviceQuery& query, const llvm::json::Value& value);

/// The value with this name, or the number if `value` is one. Fails with CL_INVALID_VALUE if no value has the name.
Result<std::uint64_t> named_value(std::span<const NamedValue> values, const llvm::json::Value& value);

/// The cl_version of a text such as "3.0" or "3.0.1"; no value for other texts.
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
/// The number in an answer of 4 or 8 bytes; 0 for answers of other sizes.
std::uint64_t number_in(const AnswerBytes& answer);
/// The names in a text, which are separated by spaces.
std::vector<std::string> names_in(std::string_view text);

} // namespace hostcl::runtime
