#pragma once

// Tells debuggers where private variables are while one thread runs the work-items of a group one after the other. A
// variable is on the stack, or its address is in a variable on the stack, which each region sets for the work-item that
// it runs.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DbgVariableRecord;
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// The descriptions of one kernel's variables.
class DebugPlaces {
public:
  /// Takes all descriptions of variables out of the kernel, because regions copy its code in parts; describe() adds
  /// them again.
  explicit DebugPlaces(llvm::Function& kernel);

  /// Whether any variable is described.
  bool has_variables() const { return !declarations_.empty(); }

  /// Records that a variable has moved from the stack to the context.
  void note_moved(llvm::AllocaInst& variable, llvm::BasicBlock& group);

  /// The stack variable that holds a moved variable's address for the current work-item; null if the variable is not
  /// described.
  llvm::AllocaInst* address_of(const llvm::AllocaInst& variable) const {
    return addresses_.lookup(&variable);
  }

  /// Adds the descriptions of all variables at the end of the block.
  void describe(llvm::BasicBlock& group);

private:
  llvm::SmallVector<llvm::DbgVariableRecord*, 16> declarations_;         ///< in no block until describe()
  llvm::DenseMap<const llvm::AllocaInst*, llvm::AllocaInst*> addresses_; ///< of moved variables
};

} // namespace hostcl::compiler
