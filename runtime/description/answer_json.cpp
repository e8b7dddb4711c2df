#include "runtime/description/answer_json.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace hostcl::runtime {

namespace json = llvm::json;

namespace {

using Bytes = std::vector<std::byte>;

template <class T>
std::vector<T> list_in(const Bytes& answer) {
  std::vector<T> list(answer.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), answer.data(), list.size() * sizeof(T));
  return list;
}

std::uint64_t number_in(const Bytes& answer) {
  std::uint64_t number = 0; // hosts are little-endian, so a shorter number is in the low bytes
  std::memcpy(&number, answer.data(), std::min(answer.size(), sizeof number));
  return number;
}

llvm::StringRef text_in(const Bytes& answer) {
  return llvm::StringRef(reinterpret_cast<const char*>(answer.data()), answer.size()).take_until([](char c) {
    return c == '\0';
  });
}

std::string version_text(cl_version version) {
  return llvm::formatv("{0}.{1}.{2}", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version),
                       CL_VERSION_PATCH(version));
}

/// The names of the bits; the number if a bit has no name.
json::Value bits(std::span<const NamedValue> names, std::uint64_t value) {
  json::Array list;
  std::uint64_t known = 0;
  for (const NamedValue& bit : names)
    if (value & bit.value) {
      known |= bit.value;
      list.push_back(name_of(names, bit.value));
    }
  return known == value ? json::Value(std::move(list)) : json::Value(value);
}

json::Value names_and_versions(const Bytes& answer) {
  json::Array list;
  for (const cl_name_version& entry : list_in<cl_name_version>(answer)) {
    const llvm::StringRef all(entry.name, sizeof entry.name);
    std::string text = all.take_until([](char c) { return c == '\0'; }).str();
    if (entry.version) text += " " + version_text(entry.version);
    list.push_back(json::fixUTF8(text));
  }
  return list;
}

/// The answer's value in a description; null if a description cannot have the value.
json::Value described(const DeviceQuery& query, const Bytes& answer) {
  switch (query.type) {
  case AnswerType::boolean:
    return number_in(answer) != 0;
  case AnswerType::uint32:
  case AnswerType::uint64:
  case AnswerType::size:
    return number_in(answer);
  case AnswerType::sizes:
    return json::Array(list_in<std::size_t>(answer));
  case AnswerType::string:
    return json::fixUTF8(text_in(answer));
  case AnswerType::names: {
    json::Array list;
    for (llvm::StringRef name : llvm::split(text_in(answer), ' '))
      if (!name.empty()) list.push_back(json::fixUTF8(name));
    return list;
  }
  case AnswerType::version:
    return version_text(static_cast<cl_version>(number_in(answer)));
  case AnswerType::name_versions:
    return names_and_versions(answer);
  case AnswerType::bits:
    return bits(query.values, number_in(answer));
  case AnswerType::cache_type:
  case AnswerType::local_memory_type:
    if (const llvm::StringRef name = name_of(query.values, number_in(answer)); !name.empty()) return name;
    return nullptr;
  case AnswerType::partition_types: {
    json::Array list;
    for (const auto type : list_in<cl_device_partition_property>(answer))
      if (const auto name = name_of(query.values, static_cast<std::uint64_t>(type)); !name.empty())
        list.push_back(name);
    return list;
  }
  case AnswerType::handle:
    break;
  }
  return nullptr;
}

} // namespace

llvm::StringRef name_of(std::span<const NamedValue> values, std::uint64_t value) {
  const auto found = llvm::find_if(values, [&](const NamedValue& one) { return one.value == value; });
  return found == values.end() ? llvm::StringRef() : llvm::StringRef(found->name.data(), found->name.size());
}

json::Object described_answers(QueryDevice query_device, cl_device_id device) {
  json::Object answers;
  for (const DeviceQuery& query : device_queries()) {
    std::size_t size = 0;
    if (query.rule == AnswerRule::host || query_device(device, query.number, 0, nullptr, &size) != CL_SUCCESS)
      continue;
    Bytes answer(size);
    if (size && query_device(device, query.number, size, answer.data(), nullptr) != CL_SUCCESS) continue;
    if (json::Value value = described(query, answer); value.kind() != json::Value::Null)
      answers[llvm::StringRef(query.name.data(), query.name.size())] = std::move(value);
  }
  return answers;
}

std::string described_answers_text(QueryDevice query_device, cl_device_id device) {
  return llvm::formatv("{0}", json::Value(described_answers(query_device, device)));
}

} // namespace hostcl::runtime
