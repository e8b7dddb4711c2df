#pragma once

// What is known of a kernel's code beside what launches need, for profiles.

#include "compiler/compiler.hpp"
#include "compiler/kernel_statistics.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace hostcl::compiler {

struct KernelNotes {
  std::string remark;                         ///< why it runs one work-item at a time, if it does
  std::optional<KernelStatistics> statistics; ///< where kernels are described (settings/statistics.hpp)
};

/// All code that executables give out is of this class.
struct NotedCode : KernelCode {
  KernelNotes notes;
  /// For its user, who owns what it points to; null at first.
  mutable std::atomic<void*> user_data = nullptr;
};

inline const NotedCode& noted(const KernelCode& code) {
  return static_cast<const NotedCode&>(code);
}

} // namespace hostcl::compiler
