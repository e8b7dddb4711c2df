#pragma once

// Names of built-in functions as clang mangles them for OpenCL (Itanium C++ ABI), which is how the library has them.

#include "compiler/front/spirv/types.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace hostcl::compiler::spirv {

/// How a parameter of a built-in function is declared, as far as the SPIR-V type does not say it.
struct Parameter {
  const Type* type = nullptr;
  bool is_signed = false;        ///< of integers, or of those that it points to
  bool is_const = false;         ///< what it points to
  bool is_volatile = false;      ///< what it points to
  const Type* content = nullptr; ///< what it points to, if not what the type says
  const char* name = nullptr;    ///< written instead of all this, such as "12memory_scope"
};

/// Builds a mangled name parameter by parameter.
class MangledName {
public:
  explicit MangledName(llvm::StringRef function);
  MangledName& add(const Parameter& parameter);
  MangledName& add(const Type& type, bool is_signed = false);
  /// The mangled name of a function of these parameters, or of none.
  std::string str() const;

private:
  void append(const std::string& written);
  std::string text_;
  llvm::SmallVector<std::string, 4>
      substitutions_; ///< compound types in the order in which they were written
  bool has_parameters_ = false;
};

/// OpenCL C's name of a scalar or vector type, such as "uint4".
std::string type_name(const Type& type, bool is_signed);

/// What a function's name ends in that rounds in one of SPIR-V's modes, such as "_rte".
const char* rounding_name(std::uint32_t mode);

} // namespace hostcl::compiler::spirv
