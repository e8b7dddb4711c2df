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

/// Where a function of run_isolated() runs.
enum class In {
  child,
  this_process ///< no process can be started: whatever it changes stays
};

/// Seconds that a child may take, unless run_isolated() is called with another limit. The option --patience sets it.
inline unsigned patience = 20;

/// Calls the function in a child, which may take some time, or else in this process.
Answer run_isolated(llvm::function_ref<llvm::json::Value(In)> function, unsigned seconds = patience);

} // namespace hostcl::doctor
