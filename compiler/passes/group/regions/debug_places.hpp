#pragma once

// Where debuggers find private variables while work-items take turns on one thread: on the stack, or at an address that
// a variable on the stack has, which each region sets for each work-item.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DIExpression;
class DILocalVariable;
class DILocation;
class Function;
} // namespace llvm

namespace hostcl::compiler {

class DebugPlaces {
public:
  /// Takes what the kernel's code says of variables: it is copied in parts, and says so no more.
  explicit DebugPlaces(llvm::Function& kernel);

  /// Whether debuggers look for any variable.
  bool has_variables() const { return !declarations_.empty(); }

  /// Notes that a variable is not on the stack.
  void note_moved(llvm::AllocaInst& variable, llvm::BasicBlock& group);

  /// Where the address of a moved variable is stored for the work-item that runs next; null if no debugger looks for it.
  llvm::AllocaInst* address_of(const llvm::AllocaInst& variable) const {
    return addresses_.lookup(&variable);
  }

  /// Describes all variables once, at the end of the block.
  void describe(llvm::BasicBlock& group) const;

private:
  struct Declaration {
    llvm::AllocaInst* variable;
    llvm::DILocalVariable* described;
    llvm::DIExpression* expression;
    const llvm::DILocation* location;
  };
  llvm::SmallVector<Declaration, 16> declarations_;
  llvm::DenseMap<const llvm::AllocaInst*, llvm::AllocaInst*> addresses_; ///< of moved variables
};

} // namespace hostcl::compiler
