#pragma once

// The headers in front of every program, precompiled. Parsing them is most of the time that a small program
// takes, but so is making a precompiled header: it pays when a process builds many programs with the same
// options.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace hostcl::compiler {

/// A precompiled header for command lines that equal `line` (clang's, without a program to compile), once
/// such a line has been seen often enough; null before, and where it cannot be made. `files` holds the
/// headers.
std::shared_ptr<const llvm::SmallVectorImpl<char>>
precompiled_prefix(llvm::ArrayRef<std::string> line, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace hostcl::compiler
