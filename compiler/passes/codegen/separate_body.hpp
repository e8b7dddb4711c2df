#pragma once

// Outlines the body of a loop that has very many inner loops, or very much code, to save compilation time. The loop
// over groups is such a loop if a kernel has many regions between barriers:
//
//   for (group = first; group != last; ++group)         for (group = first; group != last; ++group)
//     for (chunk ...) ...                          =>     k.entry.body(group, ...);
//     for (chunk ...) ...
//     ... 100 more
//
// Without it, ScalarEvolution looks, for each inner loop, at the conditions of all others in the outer loop; and values
// that are the same for all groups, such as constants in registers, would be live across all inner loops.
//
// In: the function of a range of groups. `separate-loops` runs before loops are optimised, `separate-code` before code
// generation. Test: tests/passes/group/separate_body.cl

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

class SeparateBodyPass : public llvm::PassInfoMixin<SeparateBodyPass> {
public:
  enum class Of { many_loops, much_code };
  explicit SeparateBodyPass(Of of) : of_(of) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  Of of_;
};

} // namespace hostcl::compiler
