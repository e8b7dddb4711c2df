#pragma once

// Code of others is called in a child process: a library may crash, end the process or never return while it is loaded.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace hostcl::doctor {

struct Answer {
  llvm::json::Value value = nullptr; ///< what the function returned
  std::string failure{};             ///< why there is none: "it was ended by signal 11 (Segmentation fault)"
  std::string output{};              ///< what was written to standard output and standard error meanwhile

  const llvm::json::Object& object() const; ///< empty if the value is none
};

/// Calls the function in a child, which may take some time. Where no process can be started the function is called in
/// this one.
Answer run_isolated(llvm::function_ref<llvm::json::Value()> function, unsigned seconds = 30);

} // namespace hostcl::doctor
