#include "compiler/passes/2_vector/choose/width.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/options.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the atomic's address depends on data, so that it must be executed lane by lane. Atomics on local memory do
/// not count: they become ordinary instructions, which cost the same in scalar code.
bool is_scattered_atomic(const Instruction& instruction) {
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerAddressSpace() != local_space && is_data_dependent(*update->getPointerOperand());
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return exchange && is_data_dependent(*exchange->getPointerOperand());
}

struct Census {
  unsigned by_size[65] = {}; ///< instructions that become vector instructions, by the bits of an element
  unsigned scattered_atomics = 0;
  unsigned narrow = 0; ///< loads and stores of integers of at most 16 bits
  bool wide = false;   ///< whether there are other accesses, private variables or floating-point values
  bool bytes = true; ///< whether all accesses are of bytes, and no byte is converted from or to another type
};

/// Whether the instruction converts a byte from or to another type.
bool converts_bytes(const Instruction& instruction) {
  const auto* cast = dyn_cast<CastInst>(&instruction);
  return cast && (cast->getSrcTy()->isIntOrIntVectorTy(8) || cast->getDestTy()->isIntOrIntVectorTy(8));
}

Census count_instructions(const Function& kernel) {
  Census census;
  for (const Instruction& instruction : instructions(kernel)) {
    census.scattered_atomics += is_scattered_atomic(instruction);
    const bool is_access = isa<LoadInst, StoreInst>(instruction);
    Type* type = is_access ? getLoadStoreType(&instruction) : instruction.getType();
    const unsigned bits = type->getScalarSizeInBits();
    const bool is_real = type->isFPOrFPVectorTy();
    census.bytes &= is_access ? bits == 8 : !converts_bytes(instruction);
    if (is_access && type->isIntegerTy() && bits <= 16)
      ++census.narrow;
    else
      census.wide |= is_access || isa<AllocaInst>(instruction) || is_real;
    const bool counts =
        is_access || is_real || (isa<BinaryOperator>(instruction) && !type->isIntOrIntVectorTy(64));
    if (counts && bits >= 8 && bits <= 64) ++census.by_size[bits];
  }
  return census;
}

bool has_loops(const Function& kernel) {
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> back_edges;
  FindFunctionBackedges(kernel, back_edges);
  return !back_edges.empty();
}

/// Straight-line code on nothing but bytes or 16-bit numbers.
bool is_narrow(const Census& census, const Function& kernel) {
  return census.narrow != 0 && !census.wide && !has_loops(kernel);
}

} // namespace

bool computes_narrow_numbers(const Function& kernel) {
  return is_narrow(count_instructions(kernel), kernel);
}

/// Chooses one vector register of the widest type that the kernel computes much with, or several registers if they hide
/// latency (interleave_count). Addresses do not count, because they mostly stay scalar. Exceptions:
/// - Straight-line code on nothing but 8-bit or 16-bit integers gets one register of 16-bit elements; wider values take
///   two registers. If bytes are only compared and selected, it gets one register of bytes: a median of nine is 2.1
///   times as fast on a Rocket Lake Xeon.
/// - A kernel that does little but atomics at scattered addresses is not vectorised: histogram_global of bench/ is 1.6
///   times as fast on Zen 4.
unsigned choose_width(const Function& kernel, const VectoriseOptions& options,
                      const TargetTransformInfo& target) {
  const unsigned vector_bits = options.cpu.vector_bits;
  const unsigned of_words = std::clamp(vector_bits / 32, 4u, 16u);
  if (!options.switches.is_on(Heuristic::width_choice)) return of_words;
  const Census census = count_instructions(kernel);
  const unsigned wide = census.by_size[64], middle = census.by_size[32];
  const unsigned work = wide + middle + census.by_size[16] + census.by_size[8];
  const unsigned width = std::clamp(vector_bits / (wide > middle ? 64 : 32), 4u, 16u);
  const bool is_scattered = work < census.scattered_atomics * operations_per_atomic;
  note_change(Heuristic::width_choice, width != of_words || is_scattered || is_narrow(census, kernel));
  if (uses_sub_groups(kernel)) return width;
  if (is_scattered) return 1;
  if (is_narrow(census, kernel)) return std::max(vector_bits / (census.bytes ? 8 : 16), 4u);
  if (!options.switches.is_on(Heuristic::interleaving)) return width;
  const unsigned vectors = interleave_count(kernel, target, width, options);
  note_change(Heuristic::interleaving, vectors != 1);
  return width * vectors;
}

} // namespace hostcl::compiler
