#pragma once

// An alias analysis: a pointer to local memory and a pointer to global or constant memory never alias.
//
// Without it, a sum in global memory is loaded and stored in each iteration of a loop that reads local memory: forces
// in boxes, which are added up in a structure of four floats, take 2.0 times as long and maxima of columns 2.3 times.
// The other seven users gain less: the median is 1.03 (an Emerald Rapids Xeon).
//
// Tests: tests/passes/values/address_space_aliases.ll

#include "compiler/ir/spaces.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/AliasAnalysis.h"

namespace hostcl::compiler {

class AddressSpaceAliasResult : public llvm::AAResultBase {
public:
  llvm::AliasResult alias(const llvm::MemoryLocation& a, const llvm::MemoryLocation& b, llvm::AAQueryInfo&,
                          const llvm::Instruction*) {
    auto is_local = [](unsigned space) { return space == local_space; };
    auto is_other = [](unsigned space) { return space == global_space || space == constant_space; };
    const unsigned of_a = a.Ptr->getType()->getPointerAddressSpace(),
                   of_b = b.Ptr->getType()->getPointerAddressSpace();
    const bool differ = (is_local(of_a) && is_other(of_b)) || (is_other(of_a) && is_local(of_b));
    // LLVM queries the other alias analyses first; if this one is queried, they had no answer.
    return note_change(Heuristic::address_spaces, differ) ? llvm::AliasResult::NoAlias
                                                          : llvm::AliasResult::MayAlias;
  }
  /// Never invalid, because the result depends on types only.
  bool invalidate(llvm::Function&, const llvm::PreservedAnalyses&,
                  llvm::FunctionAnalysisManager::Invalidator&) {
    return false;
  }
};

struct AddressSpaceAliases : llvm::AnalysisInfoMixin<AddressSpaceAliases> {
  using Result = AddressSpaceAliasResult;
  Result run(llvm::Function&, llvm::FunctionAnalysisManager&) { return Result(); }

private:
  friend llvm::AnalysisInfoMixin<AddressSpaceAliases>;
  inline static llvm::AnalysisKey Key;
};

} // namespace hostcl::compiler
