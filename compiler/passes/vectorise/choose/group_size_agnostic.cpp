#include "compiler/passes/vectorise/choose/group_size_agnostic.hpp"

#include "compiler/passes/analysis/group_visibility.hpp"
#include "compiler/passes/analysis/linear_forms.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/metadata.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/passes/vectorise/choose/column_access.hpp"
#include "compiler/passes/vectorise/choose/width.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned rows_of_lines = 16;   ///< a cache line holds this many 32-bit elements
constexpr unsigned rows_of_vectors = 64; ///< for rows that load the same vectors

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

/// How neighbouring work-items access memory, if lanes lie along dimension `x` and rows along the other one of 0 and 1.
class RowAccess {
public:
  RowAccess(const LoopInfo& loops, unsigned x)
      : loops_(loops), forms_(&loops, Wrapping::ignored), x_(x), y_(1 - x) {}

  /// The number of rows that suits the kernel's loads and stores.
  unsigned suitable_rows(const Function& kernel) {
    unsigned rows = 1;
    for (const Instruction& instruction : instructions(kernel)) {
      if (instruction.isAtomic() || !isa<LoadInst, StoreInst>(instruction)) continue;
      const Value& address = *getLoadStorePointerOperand(&instruction);
      if (address.getType()->getPointerAddressSpace() != private_space)
        rows = std::max(rows, rows_that_share(instruction, forms_.of(address, *instruction.getParent())));
    }
    return rows;
  }

private:
  unsigned rows_that_share(const Instruction& access, const LinearForm& address) const {
    const auto size = static_cast<std::int64_t>(
        access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access)).getFixedValue());
    const auto along_x = address.stride(x_), along_y = address.stride(y_);
    const bool are_lines = along_y == size && along_x != size && along_x != 0;
    const bool are_vectors = isa<LoadInst>(access) && along_x != 0 && along_y == 0;
    if (are_vectors && loops_.getLoopFor(access.getParent())) return rows_of_vectors;
    return are_lines ? rows_of_lines : 1;
  }

  const LoopInfo& loops_;
  LinearForms forms_;
  unsigned x_, y_;
};

bool is_group_size_agnostic(const Function& kernel, FunctionAnalysisManager& analyses) {
  return !sees_groups(kernel, Launches::of_any_shape) && !calls_functions(kernel) &&
         !may_wait(kernel, analyses.getResult<CycleAnalysis>(const_cast<Function&>(kernel)));
}

} // namespace

PreservedAnalyses GroupSizeAgnosticPass::run(Function& function, FunctionAnalysisManager& analyses) {
  // With checks, groups stay as the application gave them: reports of checks name the group.
  if (!is_on(Heuristic::group_size_agnostic) || has_checks() || !is_kernel_body(function) ||
      !is_group_size_agnostic(function, analyses))
    return PreservedAnalyses::all();
  RowAccess access(analyses.getResult<LoopAnalysis>(function), reads_columns(function) ? 1 : 0);
  unsigned rows = access.suitable_rows(function);
  if (rows == 1 && computes_narrow_numbers(function)) rows = rows_of_narrow_numbers;
  function.addFnAttr(metadata::group_rows, std::to_string(rows));
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
