#pragma once

// What profiles report about a kernel's machine code. Launches do not need it.

#include "compiler/compiler.hpp"
#include "compiler/kernel_statistics.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace hostcl::compiler {

struct KernelNotes {
  std::string remark; ///< why the code runs one work-item at a time; empty if it does not
  std::optional<KernelStatistics> statistics; ///< only with Settings::statistics
};

/// Every KernelCode that a compiler::Executable returns is a NotedCode. noted() relies on this.
struct NotedCode : KernelCode {
  KernelNotes notes;
  /// A pointer for the caller of the compiler: the profile keeps its KernelRecord here. Initially null. The
  /// caller owns the object to which it points; NotedCode does not delete it.
  mutable std::atomic<void*> user_data = nullptr;
};

inline const NotedCode& noted(const KernelCode& code) {
  return static_cast<const NotedCode&>(code);
}

} // namespace hostcl::compiler
