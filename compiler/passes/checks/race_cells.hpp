#pragma once

// Writes the functions hostcl.race.* that checked kernels call for each ordinary access (races.cpp). A function records
// the access in shadow memory, unless it may race; it is the fast path of the race check.

#include "llvm/IR/Module.h"

namespace hostcl::compiler {

/// A kind of ordinary access to consecutive granules (compiler/abi/race.hpp), for which there is a function.
struct CellAccess {
  bool writes = false, local = false;
  bool beside_atomics = false; ///< the kernel has atomic operations
  unsigned granules = 1;
  unsigned granule_shift = 2; ///< log2 of a granule's bytes
};

/// The function `i1 (ptr group, i64 address, i64 record)` for this kind of access. It returns true if the access may
/// race; otherwise it records the access.
llvm::Function* cell_function(llvm::Module& module, const CellAccess& access);

} // namespace hostcl::compiler
