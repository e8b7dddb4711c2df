#pragma once

// Facts: the JSON object in which a function of run_isolated() returns its results (isolated.hpp). This header reads
// members of such an object by name.

#include "llvm/Support/JSON.h"

#include <string>

namespace hostcl::doctor {

/// The text with this name; empty if there is none.
inline std::string text_in(const llvm::json::Object& facts, llvm::StringRef name) {
  return facts.getString(name).value_or("").str();
}

/// The number with this name; 0 if there is none.
inline std::int64_t number_in(const llvm::json::Object& facts, llvm::StringRef name) {
  return facts.getInteger(name).value_or(0);
}

} // namespace hostcl::doctor
