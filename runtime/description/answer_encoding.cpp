#include "runtime/description/answer_encoding.hpp"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace hostcl::runtime {

namespace json = llvm::json;

namespace {

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

std::string shown(const json::Value& value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

Error not_a(const char* what, const json::Value& value) {
  return fail(CL_INVALID_VALUE, "the value is ", shown(value), "; it must be ", what);
}

Result<std::uint64_t> number(const json::Value& value, std::uint64_t most) {
  std::uint64_t result = 0;
  if (auto natural = value.getAsUINT64()) {
    result = *natural;
  } else if (auto real = value.getAsNumber(); real && *real >= 0 && *real == std::floor(*real)) {
    // Numbers above 2^53 lose their last digits where a program keeps them as floating-point numbers.
    result = *real >= 0x1p64 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(*real);
  } else if (auto text = value.getAsString(); !text || text->getAsInteger(0, result)) {
    return not_a("a number that is not negative", value);
  }
  if (result > most)
    return fail(CL_INVALID_VALUE, "the value is ", shown(value), "; it must be at most ", most);
  return result;
}

template <class T>
Result<AnswerBytes> number_answer(const json::Value& value) {
  TRY(const std::uint64_t result, number(value, std::numeric_limits<T>::max()));
  return answer_of(static_cast<T>(result));
}

Result<AnswerBytes> boolean_answer(const json::Value& value) {
  if (auto truth = value.getAsBoolean()) return answer_of<cl_bool>(*truth ? CL_TRUE : CL_FALSE);
  if (auto digit = value.getAsUINT64(); digit && *digit <= 1) return answer_of(static_cast<cl_bool>(*digit));
  return not_a("true or false", value);
}

/// The answer to a query for a list.
/// @param element makes a Result<T> of an element
template <class T, class Element>
Result<AnswerBytes> list_answer(const json::Value& value, const char* what, Element element) {
  const json::Array* list = value.getAsArray();
  if (!list) return not_a(what, value);
  std::vector<T> values;
  for (const json::Value& one : *list) {
    TRY(const auto made, element(one));
    values.push_back(static_cast<T>(made));
  }
  return answer_of_list(values);
}

Result<AnswerBytes> names_answer(const json::Value& value) {
  if (auto text = value.getAsString()) return answer_of_text(view(*text));
  const json::Array* list = value.getAsArray();
  if (!list) return not_a("a text, or a list of names", value);
  std::string text;
  for (const json::Value& element : *list) {
    auto name = element.getAsString();
    if (!name) return not_a("a list of names", value);
    text += text.empty() ? "" : " ";
    text += view(*name);
  }
  return answer_of_text(text);
}

Result<cl_version> version(const json::Value& value) {
  if (auto text = value.getAsString())
    if (auto parsed = parsed_version(view(*text))) return *parsed;
  if (auto packed = value.getAsUINT64(); packed && *packed <= std::numeric_limits<cl_version>::max())
    return static_cast<cl_version>(*packed);
  return not_a("a version, as \"3.0.0\"", value);
}

/// An element of a list of names and versions: "NAME", "NAME VERSION" or {"name": NAME, "version": VERSION}.
Result<cl_name_version> name_and_version(const json::Value& value) {
  cl_name_version result{};
  std::string_view name;
  if (auto text = value.getAsString()) {
    name = view(*text);
    const std::size_t space = name.rfind(' ');
    if (auto parsed = parsed_version(space == name.npos ? "" : name.substr(space + 1))) {
      result.version = *parsed;
      name = name.substr(0, space);
    }
  } else if (const json::Object* object = value.getAsObject()) {
    name = view(object->getString("name").value_or(""));
    if (const json::Value* given = object->get("version")) {
      TRY(result.version, version(*given));
    }
  } else {
    return not_a("a name, with or without a version, as \"cl_khr_fp64 1.0.0\"", value);
  }
  if (name.empty() || name.size() >= sizeof(result.name))
    return fail(CL_INVALID_VALUE, "the name '", name, "' has ", name.size(),
                " characters; it must have 1 to ", sizeof(result.name) - 1);
  std::memcpy(result.name, name.data(), name.size());
  return result;
}

Result<AnswerBytes> bits_answer(std::span<const NamedValue> names, const json::Value& value) {
  const json::Array* list = value.getAsArray();
  if (!list) return number_answer<cl_bitfield>(value);
  cl_bitfield bits = 0;
  for (const json::Value& element : *list) {
    TRY(const std::uint64_t bit, named_value(names, element));
    bits |= bit;
  }
  return answer_of(bits);
}

} // namespace

Result<std::uint64_t> named_value(std::span<const NamedValue> values, const json::Value& value) {
  auto name = value.getAsString();
  if (!name) return number(value, std::numeric_limits<std::uint64_t>::max());
  const auto found = std::ranges::find(values, view(*name), &NamedValue::name);
  if (found != values.end()) return found->value;
  std::string known;
  for (const NamedValue& one : values)
    known.append(known.empty() ? "" : ", ").append(one.name);
  return fail(CL_INVALID_VALUE, "the name ", view(*name), " is not known; known names are ", known);
}

std::optional<cl_version> parsed_version(std::string_view text) {
  unsigned parts[3] = {0, 0, 0};
  const char* next = text.data();
  const char* const end = next + text.size();
  for (unsigned i = 0; i < 3; ++i) {
    const auto [after, error] = std::from_chars(next, end, parts[i]);
    if (error != std::errc()) return {};
    if (after == end) return i ? std::optional(CL_MAKE_VERSION(parts[0], parts[1], parts[2])) : std::nullopt;
    if (*after != '.') return {};
    next = after + 1;
  }
  return {};
}

Result<AnswerBytes> encoded_answer(const DeviceQuery& query, const json::Value& value) {
  switch (query.type) {
  case AnswerType::boolean:
    return boolean_answer(value);
  case AnswerType::uint32:
    return number_answer<cl_uint>(value);
  case AnswerType::uint64:
    return number_answer<cl_ulong>(value);
  case AnswerType::size:
    return number_answer<std::size_t>(value);
  case AnswerType::sizes:
    return list_answer<std::size_t>(value, "a list of numbers", [](const json::Value& element) {
      return number(element, std::numeric_limits<std::size_t>::max());
    });
  case AnswerType::string:
    if (auto text = value.getAsString()) return answer_of_text(view(*text));
    return not_a("a text", value);
  case AnswerType::names:
    return names_answer(value);
  case AnswerType::version: {
    TRY(const cl_version packed, version(value));
    return answer_of(packed);
  }
  case AnswerType::name_versions:
    return list_answer<cl_name_version>(value, "a list of names", name_and_version);
  case AnswerType::bits:
    return bits_answer(query.values, value);
  case AnswerType::cache_type:
  case AnswerType::local_memory_type: {
    TRY(const std::uint64_t chosen, named_value(query.values, value));
    return answer_of(static_cast<cl_uint>(chosen));
  }
  case AnswerType::partition_types:
    return list_answer<cl_device_partition_property>(
        value, "a list of names",
        [&](const json::Value& element) { return named_value(query.values, element); });
  case AnswerType::handle:
    break;
  }
  return fail(CL_INVALID_VALUE, "no description can give the answer");
}

AnswerBytes answer_of_text(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  AnswerBytes answer(first, first + text.size());
  answer.push_back(std::byte{0});
  return answer;
}

std::string text_in(const AnswerBytes& answer) {
  const auto* first = reinterpret_cast<const char*>(answer.data());
  return {first, first + (answer.empty() ? 0 : answer.size() - 1)};
}

std::uint64_t number_in(const AnswerBytes& answer) {
  if (answer.size() == sizeof(std::uint32_t)) return list_in<std::uint32_t>(answer).front();
  return answer.size() == sizeof(std::uint64_t) ? list_in<std::uint64_t>(answer).front() : 0;
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return names;
    const std::size_t end = std::min(text.find(' '), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

} // namespace hostcl::runtime
