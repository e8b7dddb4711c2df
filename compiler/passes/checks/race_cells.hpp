#pragma once

// The functions hostcl.race.* that checked kernels call for each access (races.hpp): they record it, unless it may race.

#include "llvm/IR/Module.h"

namespace hostcl::compiler {

/// One kind of plain access to consecutive granules.
struct CellAccess {
  bool writes = false, local = false;
  bool beside_atomics = false; ///< the kernel has atomic operations
  unsigned granules = 1;
  unsigned granule_shift = 2; ///< a granule has 1 << this bytes
};

/// `i1 (ptr group, i64 address, i64 record)`: returns whether the access may race, and has recorded it if not.
llvm::Function* cell_function(llvm::Module& module, const CellAccess& access);

} // namespace hostcl::compiler
