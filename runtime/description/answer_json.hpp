#pragma once

// Converts answers of clGetDeviceInfo() to values in JSON, as descriptions of devices have them (AnswerType).

#include "runtime/description/queries.hpp"

#include <string>

namespace llvm {
class StringRef;
namespace json {
class Object;
}
} // namespace llvm

namespace hostcl::runtime {

/// The name of a value; an empty text if it has none.
llvm::StringRef name_of(std::span<const NamedValue> values, std::uint64_t value);

using QueryDevice = decltype(clGetDeviceInfo)*;

/// The answers of a device of any driver, without those that a description cannot have.
llvm::json::Object described_answers(QueryDevice query_device, cl_device_id device);
/// The same as a text.
std::string described_answers_text(QueryDevice query_device, cl_device_id device);

} // namespace hostcl::runtime
