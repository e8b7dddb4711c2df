#pragma once

// Calls built-in functions by their mangled names, as clang mangles them for OpenCL (Itanium C++ ABI).

#include "compiler/front/spirv/reader.hpp"

#include <string>

namespace hostcl::compiler::spirv {

/// The declaration of a parameter of a built-in function, as far as its SPIR-V type does not tell it.
struct Parameter {
  const Type* type = nullptr;
  bool is_signed = false;        ///< signedness of integers, or of the integers that a pointer points to
  bool is_const = false;         ///< of the object that a pointer points to
  const Type* content = nullptr; ///< type of the object that a pointer points to, if its type does not say it
  std::string name = {};         ///< mangled name to use instead, such as "12memory_scope"
};

/// An argument of a call, and the parameter that the function declares for it.
struct Argument {
  llvm::Value* value;
  Parameter parameter;
  bool has_components = false; ///< whether the function takes one component of this vector at a time
};

/// An argument of its own type.
Argument argument(const TypedValue& value, bool is_signed = false);

/// The mangled name of a function.
std::string mangled_name(llvm::StringRef function, llvm::ArrayRef<Argument> arguments);

/// Calls a function of the built-in library once, or once for each component if an argument has components.
llvm::Value* call_library(Reader& reader, llvm::StringRef function, llvm::Type* result,
                          llvm::ArrayRef<Argument> arguments);

/// The name of a scalar or vector type in OpenCL C, such as "uint4".
std::string type_name(const Type& type, bool is_signed);

/// The suffix of names of functions that round in one of SPIR-V's rounding modes, such as "_rte".
const char* rounding_name(std::uint32_t mode);

} // namespace hostcl::compiler::spirv
