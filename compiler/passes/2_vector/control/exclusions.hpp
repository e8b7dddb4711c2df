#pragma once

// Simplifies masks of lanes whose value has been compared with several constants, one after the other, as lowered
// switches and chains of `else if` do:
//
//   %else1 = select %mask, (%v != 1), false
//   %else2 = select %else1, (%v != 2), false
//   %three = select %else2, (%v == 3), false     =>     %three = select %mask, (%v == 3), false
//
// InstCombine makes the same simplification, but walks up the chain one comparison at a time for each mask, which takes
// quadratic time in the number of cases.
//
// Tests: tests/passes/2_vector/control/vectorise_exclusions.ll, compiler/tests/exclusions.cpp

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Constant;
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Exclusions {
public:
  /// Simplifies one instruction if it is such a mask. Must be called for all instructions of a function, definitions
  /// before uses.
  void visit(llvm::Instruction& instruction);

private:
  /// A mask that consists of the lanes of another mask in which `value` differs from each of some constants.
  struct Rest {
    llvm::Value* whole = nullptr; ///< the mask without this condition
    llvm::Value* value = nullptr;
    unsigned excluded = 0; ///< the constants are among those whose position in places_ is below this
  };
  using Places = llvm::DenseMap<llvm::Constant*, unsigned>;

  llvm::DenseMap<llvm::Value*, Rest> rests_; ///< by mask
  /// The constants' positions in the order in which they were excluded, by Rest::whole and Rest::value.
  llvm::DenseMap<std::pair<llvm::Value*, llvm::Value*>, Places> places_;
};

} // namespace hostcl::compiler
