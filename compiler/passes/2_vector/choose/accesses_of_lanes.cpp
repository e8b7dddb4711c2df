#include "compiler/passes/2_vector/choose/accesses_of_lanes.hpp"

#include "compiler/passes/2_vector/lane_builder.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/capabilities.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the CPU has a gather or scatter instruction for the access. Gathers of 8 and 16 bits load words of 32 bits.
bool has_instruction(const Instruction& access, const Capabilities& cpu) {
  constexpr unsigned bits_with_scatters = 512;
  if (isa<LoadInst>(access)) return cpu.gathers;
  return cpu.vector_bits >= bits_with_scatters && getLoadStoreType(&access)->getScalarSizeInBits() >= 32;
}

} // namespace

unsigned accesses_of_lanes(const Function& kernel, const Shapes& shapes, unsigned width,
                           const Capabilities& cpu) {
  unsigned accesses = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (!isa<LoadInst, StoreInst>(instruction) || has_instruction(instruction, cpu)) continue;
    if (shapes.of(getLoadStorePointerOperand(&instruction)).is_varying())
      accesses += width * LaneBuilder::elements(getLoadStoreType(&instruction));
  }
  return accesses;
}

} // namespace hostcl::compiler
