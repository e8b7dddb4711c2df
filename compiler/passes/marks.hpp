#pragma once

// Names of the attributes, metadata and module flags that passes leave for each other (docs/kernel-marks.md).

#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler {

/// The attribute of a kernel that runs an enqueued block. Its first parameter is the block literal, those that
/// follow are local pointers.
inline constexpr llvm::StringRef block_kernel_mark = "hostcl.block_kernel";

} // namespace hostcl::compiler
