#pragma once

// Combines the updates that passes/atomics/deferrable_atomics.hpp has found (write combining in software): collects
// them in a table by address, and writes them to memory at the end of the range of work-groups, or when the table has
// no entry left for another address. If addresses hardly ever repeat, the table is suspended (deferral_table.hpp).
//
//   start:                                      start:                       ; of the range
//     ...                                          tags[0 ... entries - 1] = null
//   group:                                      group:
//     %o = atomicrmw add ptr %p, i32 %x   =>       %i = (%p / 4) % entries
//                                                  if (tags[%i] != %p) {
//                                                    if (tags[%i]) atomicrmw add ptr tags[%i], i32 sums[%i]
//                                                    tags[%i] = %p, sums[%i] = 0
//                                                  }
//                                                  sums[%i] += %x
//   end:                                        end:
//     ret                                          for each %i: if (tags[%i]) atomicrmw ...
//
// An address that is the same for the whole range needs only a variable, which becomes a register. Its update of memory
// is left out if the variable still holds the identity element: the program may never have executed the update, and it
// would have no effect.
//
// A floating-point sum depends on the order of its additions, so operands are not summed up: an entry keeps a list of
// operands, and one compare-exchange applies them all, in the program's order.
//
// In: functions made by kernel-entry. Out: no metadata of deferrable updates is left.
// Tests: tests/passes/atomics/deferred_atomics*.ll.

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Whether several updates may become one: the update is relaxed and not volatile, its result is unused, and this pass
/// supports its operation and type.
bool can_combine(const llvm::AtomicRMWInst& update);

} // namespace hostcl::compiler
