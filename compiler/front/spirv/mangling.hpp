#pragma once

// Mangles names of built-in functions as clang does for OpenCL (Itanium C++ ABI), since the built-in library
// has these names.

#include "compiler/front/spirv/types.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace hostcl::compiler::spirv {

/// The declaration of a parameter of a built-in function, as far as its SPIR-V type does not tell it.
struct Parameter {
  const Type* type = nullptr;
  bool is_signed = false;        ///< signedness of integers, or of the integers that a pointer points to
  bool is_const = false;         ///< of the object that a pointer points to
  bool is_volatile = false;      ///< of the object that a pointer points to
  const Type* content = nullptr; ///< type of the object that a pointer points to, if its type does not say it
  const char* name = nullptr;    ///< mangled name to use instead, such as "12memory_scope"
};

/// Builds a mangled name, one parameter after the other.
class MangledName {
public:
  explicit MangledName(llvm::StringRef function);
  MangledName& add(const Parameter& parameter);
  MangledName& add(const Type& type, bool is_signed = false);
  /// The mangled name of a function with these parameters, or without any.
  std::string str() const;

private:
  void append(const std::string& written);
  std::string text_;
  /// Compound types in the order in which they were written.
  llvm::SmallVector<std::string, 4> substitutions_;
  bool has_parameters_ = false;
};

/// The name of a scalar or vector type in OpenCL C, such as "uint4".
std::string type_name(const Type& type, bool is_signed);

/// The suffix of names of functions that round in one of SPIR-V's rounding modes, such as "_rte".
const char* rounding_name(std::uint32_t mode);

} // namespace hostcl::compiler::spirv
