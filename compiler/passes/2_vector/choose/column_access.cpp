#include "compiler/passes/2_vector/choose/column_access.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr double gathers_per_scatter = 3; ///< a scatter takes about as long as this many gathers
constexpr unsigned rows_of_lines = 16;    ///< a cache line holds this many 32-bit elements
constexpr unsigned rows_of_vectors = 64;  ///< for rows that load the same vectors

bool asks_for_rows(const Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    return is_call_of(instruction, Intrinsic::local_id) && dimension_of(cast<CallBase>(instruction)) == 1;
  });
}

/// Visits the kernel's loads and stores outside of private memory, with the way in which neighbours along the
/// dimensions `x` and 1 - `x` access memory.
void for_each_access(const Function& kernel, const LoopInfo& loops, unsigned x,
                     function_ref<void(const Instruction& access, Along along_x, Along along_y)> visit) {
  LinearForms forms(&loops, Wrapping::ignored);
  for (const Instruction& instruction : instructions(kernel))
    if (const Value* address = getLoadStorePointerOperand(&instruction);
        address && !instruction.isAtomic() && address->getType()->getPointerAddressSpace() != private_space)
      visit(instruction, along(x, instruction, forms), along(1 - x, instruction, forms));
}

} // namespace

Along along(unsigned dimension, const Instruction& access, LinearForms& forms) {
  const auto stride = forms.of(*getLoadStorePointerOperand(&access), *access.getParent()).stride(dimension);
  return stride == 0 ? Along::uniform : stride == bytes_of(access) ? Along::contiguous : Along::other;
}

bool reads_columns(const Function& kernel, const Switches& switches) {
  if (!switches.is_on(Heuristic::columns) || !asks_for_rows(kernel)) return false;
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  const BlockFrequencies frequencies(kernel, loops);
  double scattered_x = 0, scattered_y = 0;
  for_each_access(kernel, loops, 0, [&](const Instruction& access, Along along_x, Along along_y) {
    const bool is_store = isa<StoreInst>(access);
    const double often = frequencies.of(*access.getParent()) * (is_store ? gathers_per_scatter : 1);
    const auto is_scattered = [&](Along way) {
      return way == Along::other || (way == Along::uniform && is_store);
    };
    scattered_x += is_scattered(along_x) ? often : 0;
    scattered_y += is_scattered(along_y) ? often : 0;
  });
  return scattered_x > 2 * scattered_y;
}

unsigned suitable_rows(const Function& kernel, const LoopInfo& loops, unsigned x) {
  unsigned rows = 1;
  for_each_access(kernel, loops, x, [&](const Instruction& access, Along along_x, Along along_y) {
    if (along_y == Along::contiguous && along_x == Along::other) rows = std::max(rows, rows_of_lines);
    if (along_y == Along::uniform && along_x != Along::uniform && isa<LoadInst>(access) &&
        loops.getLoopFor(access.getParent()))
      rows = rows_of_vectors;
  });
  return rows;
}

} // namespace hostcl::compiler
