#pragma once

// Precompiles the headers in front of each program. Parsing these headers takes most of the build time of a
// small program, but making a precompiled header takes as long. So a precompiled header is only made when a
// process builds many programs with the same options.

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace hostcl::compiler {

/// A precompiled header for `line`, clang's command line without the program. Null until the command line has
/// been used often enough, and if the header cannot be made.
/// @param files contains the headers
std::shared_ptr<const llvm::SmallVectorImpl<char>>
precompiled_prefix(llvm::ArrayRef<std::string> line, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace hostcl::compiler
