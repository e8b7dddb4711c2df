#include "compiler/passes/analysis/walks.hpp"

#include "compiler/passes/analysis/linear_forms.hpp"
#include "compiler/passes/spaces.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <cstdlib>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::int64_t cache_line = 64;

} // namespace

bool is_group_uniform(const Value& value, const BasicBlock& at, LinearForms& forms) {
  constexpr unsigned differs = (on_local_id * 7) | on_memory | on_item;
  return (forms.of(value, at).dependence() & differs) == 0;
}

bool walks_side_by_side(const Loop& loop, LinearForms& forms, std::int64_t farthest) {
  bool side_by_side = false, apart = false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto* load = dyn_cast<LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() == local_space) continue;
      const auto stride = forms.of(*load->getPointerOperand(), *block).stride(0);
      const auto step = forms.step(*load->getPointerOperand(), loop);
      if (!stride) continue;
      const bool stays = step && std::abs(*step) < cache_line;
      side_by_side |= *stride != 0 && std::abs(*stride) <= farthest && !stays;
      apart |= std::abs(*stride) >= cache_line && stays;
    }
  return side_by_side && !apart;
}

} // namespace hostcl::compiler
