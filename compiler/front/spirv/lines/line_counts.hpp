#pragma once

// Coverage of programs from SPIR-V (HOSTCL_COVERAGE), from the source lines of instructions. line_counts.cpp says what
// a count means.

#include "compiler/jobs/program_requests.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Module;
} // namespace llvm

namespace hostcl::compiler::spirv {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

/// Makes a module count how often each line and each side of each branch runs, and adds the description of the counters
/// to the named metadata metadata::coverage_data. If no instruction has a line, the description says that there are no
/// counts.
/// @param texts the sources that the module has, by the names in debug locations
/// @param branching the blocks that end with a branch of the source; the reader makes other branches, too
void count_lines(llvm::Module& module, const CompileIlRequest& request, llvm::ArrayRef<Header> texts,
                 const Blocks& branching);

} // namespace hostcl::compiler::spirv
