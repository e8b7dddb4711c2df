#pragma once

// Precompiles the headers in front of each program. Parsing them takes most of the time for a small program,
// but so does making a precompiled header. So one is only made when a process builds many programs with the
// same options.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace hostcl::compiler {

/// A precompiled header for the command line `line`, which is clang's without the program. Null until the
/// line has been used often enough, and if it cannot be made.
/// @param files contains the headers
std::shared_ptr<const llvm::SmallVectorImpl<char>>
precompiled_prefix(llvm::ArrayRef<std::string> line, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace hostcl::compiler
