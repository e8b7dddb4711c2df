#pragma once

// Combines the updates that passes/atomics/deferrable_atomics.hpp has marked, and makes them at the end of
// the range of work-groups, or when a table has no place for one more address. Where addresses hardly ever
// repeat, collecting pauses (deferral_table.hpp).
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
// An address that stays the same for the whole range needs no table but a variable, which becomes a register;
// its update is left out if the variable still holds the identity, for then it may never have been executed.
//
// Sums of floats depend on the order of additions, so their operands are not summed up: an entry keeps a list
// of them, and one compare-exchange makes all their updates, one after the other as in the program.
//
// In: functions made by kernel-entry. Out: no mark is left. Tests: tests/passes/atomics/deferred_atomics*.ll.

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Whether updates like this one can be combined here.
bool can_defer(const llvm::AtomicRMWInst& update);

struct DeferredAtomicsPass : llvm::PassInfoMixin<DeferredAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
