// Finds group-size-agnostic kernels: kernels whose results do not depend on how work-items are divided into groups, so
// that the launch may run them in groups of a size of its own choice:
//
//   int j = get_global_id(0), i = get_global_id(1);
//   for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
//
// The pass applies if no work-item can tell which others are in its group (group_visibility.hpp), and none waits for
// another: the kernel has no barrier, and no loop with a volatile access or an atomic whose result is used. Such a
// kernel gets the attribute "hostcl.group_rows": how many rows of work-items its groups should have.
// - 1 if only the width of a row matters.
// - 64 if a loop loads vectors that are the same for all rows, as b above. The rows then reuse these vectors from a
//   near cache (5_loops/cache_tiling.cpp), and unroll-and-jam loads them once for several rows.
// - 16 if an access is contiguous along the rows but strided along the lanes, as in a transposition: 16 rows use up
//   each cache line.
// - 4 if the kernel computes nothing but 8-bit or 16-bit integers (choose/width.hpp).
// The launch chooses the group size by this attribute (abi/group_size.hpp).
//
// Gains on an Emerald Rapids Xeon, one thread: a product of matrices of 1024 x 1024 in groups of 256 x 1, or with none
// given, is 5 times as fast, and in groups of 1 x 64 40 times; a copy in groups of 1 x 64 11 times. On a Sapphire
// Rapids Xeon, in groups of 16 x 16: a median of nine bytes 3.4, a blur of bytes 1.7.
//
// Tests: tests/passes/2_vector/choose/group_size_agnostic.ll, tests/kernels/groups/group_size_agnostic.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/2_vector/choose/column_access.hpp"
#include "compiler/passes/2_vector/choose/width.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/group_visibility.hpp"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the kernel calls functions that are not inlined. These may query the group.
bool calls_functions(const Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call && (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration());
  });
}

/// Whether the instruction may observe a concurrent write of another work-item, so that a loop around the instruction
/// may wait for that write.
bool sees_others(const Instruction& instruction) {
  if (instruction.isVolatile()) return true;
  return instruction.isAtomic() && !instruction.use_empty();
}

/// Whether a work-item may wait in a loop for another one. In a different grouping both could be lanes of one vector,
/// and the loop would never end.
bool may_wait(const Function& kernel, const CycleInfo& cycles) {
  return any_of(instructions(kernel), [&](const Instruction& instruction) {
    return sees_others(instruction) && cycles.getCycle(instruction.getParent());
  });
}

bool is_group_size_agnostic(const Function& kernel, FunctionAnalysisManager& analyses) {
  return !sees_groups(kernel, Launches::of_any_shape) && !calls_functions(kernel) &&
         !may_wait(kernel, analyses.getResult<CycleAnalysis>(const_cast<Function&>(kernel)));
}

} // namespace

PreservedAnalyses group_size_agnostic_pass(Function& function, FunctionAnalysisManager& analyses,
                                           const Switches& switches) {
  // With checks, groups stay as the application gave them: reports of checks name the group.
  if (!switches.is_on(Heuristic::group_size_agnostic) || switches.has_checks() || !is_kernel_body(function) ||
      !is_group_size_agnostic(function, analyses))
    return PreservedAnalyses::all();
  unsigned rows = suitable_rows(function, analyses.getResult<LoopAnalysis>(function),
                                reads_columns(function, switches) ? 1 : 0);
  if (rows == 1 && switches.is_on(Heuristic::width_choice) && computes_narrow_numbers(function))
    rows = rows_of_narrow_numbers;
  function.addFnAttr(metadata::group_rows, std::to_string(rows));
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
