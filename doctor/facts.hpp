#pragma once

// What functions of run_isolated() return, by name.

#include "llvm/Support/JSON.h"

#include <string>

namespace hostcl::doctor {

/// Empty if there is no such text.
inline std::string text_in(const llvm::json::Object& facts, llvm::StringRef name) {
  return facts.getString(name).value_or("").str();
}

/// 0 if there is no such number.
inline std::int64_t number_in(const llvm::json::Object& facts, llvm::StringRef name) {
  return facts.getInteger(name).value_or(0);
}

} // namespace hostcl::doctor
