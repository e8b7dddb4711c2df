#include "compiler/passes/vectorise/records.hpp"

#include "compiler/passes/vectorise/emission.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned fewest_parts = 4;  ///< of records that are worth the scalar form
constexpr unsigned work_per_part = 4; ///< other operations that make up for a gather or scatter
constexpr std::int64_t near = 4;      ///< elements between lanes that wide accesses bridge, see access.cpp

bool is_far_apart(const Instruction& access, const Shapes& shapes) {
  Shape shape = shapes.of(getLoadStorePointerOperand(&access));
  if (!shape.is_affine()) return false;
  Type* type = getLoadStoreType(&access);
  auto size = static_cast<std::int64_t>(access.getDataLayout().getTypeStoreSize(type).getFixedValue());
  return type->isVectorTy() ? shape.stride != size : std::abs(shape.stride) > near * size;
}

} // namespace

bool moves_records(const Function& kernel, const LoopInfo& loops, const Shapes& shapes) {
  if (!loops.empty()) return false;
  unsigned parts = 0, work = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (isa<LoadInst, StoreInst>(instruction)) {
      if (is_far_apart(instruction, shapes)) parts += Emission::elements(getLoadStoreType(&instruction));
    } else if (shapes.of(&instruction).is_varying()) {
      work += Emission::elements(instruction.getType());
    }
  }
  return parts >= fewest_parts && work <= parts * work_per_part;
}

} // namespace hostcl::compiler
