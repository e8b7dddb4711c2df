#pragma once

// Masks of lanes whose value has been compared with several constants, one after the other:
//
//   %else1 = select %mask, (%v != 1), false
//   %else2 = select %else1, (%v != 2), false
//   %three = select %else2, (%v == 3), false     =>     %three = select %mask, (%v == 3), false
//
// InstCombine finds the same, but goes up the chain one comparison at a time, for each mask anew.
//
// Tests: tests/passes/vectorise/control/vectorise_exclusions.ll, compiler/tests/exclusions.cpp

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Constant;
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Exclusions {
public:
  /// Simplifies one instruction. It is called for the instructions of a function in an order in which
  /// definitions come before uses.
  void visit(llvm::Instruction& instruction);

private:
  /// The lanes of a mask in which a value equals none of some numbers.
  struct Rest {
    llvm::Value* whole = nullptr; ///< the mask without this condition
    llvm::Value* value = nullptr;
    unsigned excluded = 0; ///< the numbers are among those whose places are below this
  };
  using Places = llvm::DenseMap<llvm::Constant*, unsigned>;

  llvm::DenseMap<llvm::Value*, Rest> rests_; ///< by the mask
  /// Numbers in the order in which they were excluded, by the mask and the value.
  llvm::DenseMap<std::pair<llvm::Value*, llvm::Value*>, Places> places_;
};

} // namespace hostcl::compiler
