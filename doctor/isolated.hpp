#pragma once

// Calls code of other libraries in a child process, because a library may crash, end the process or never return while
// it is loaded.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace hostcl::doctor {

/// The result of run_isolated().
struct Answer {
  llvm::json::Value value = nullptr; ///< what the function returned
  std::string failure{}; ///< why there is no value: "it was ended by signal 11 (Segmentation fault)"
  std::string output{};  ///< what the child wrote to standard output and standard error

  const llvm::json::Object& object() const; ///< the value if it is a JSON object; otherwise an empty object
};

/// Where a function of run_isolated() runs.
enum class In {
  child,
  this_process ///< no process can be started, so what the function changes stays changed
};

/// Seconds that a child may take, unless run_isolated() is called with another limit. The option --patience sets it.
inline unsigned patience = 20;

/// Calls the function in a child process, which is killed after `seconds`. If no child can be started, calls the
/// function in this process.
Answer run_isolated(llvm::function_ref<llvm::json::Value(In)> function, unsigned seconds = patience);

} // namespace hostcl::doctor
