#pragma once

// Shadows of SSA values for the check `uninitialised`, beside the values: integers of the same size, lane by lane.
//
//   and, or, xor, shifts, selects, comparisons for equality, casts, swaps of bytes: exact, bit by bit
//   other arithmetic on integers: a bit that either operand has
//   floating-point numbers, and calls: all bits of a lane, if the lane of an operand has any
//   phis, elements of vectors and structures: as the values
//
// Lanes that a shuffle leaves open count as written: clang fills up vectors of three with them.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

class ShadowMemory;

/// Whether it is a value that `mark-uninitialised` has made.
bool is_marked_uninitialised(const llvm::Value& value);
llvm::Function* declare_uninitialised(llvm::Module& module, llvm::Type* type);

class ShadowValues {
public:
  ShadowValues(llvm::Function& function, ShadowMemory& memory);

  /// The shadow; the constant zero for values that depend on nothing unwritten.
  llvm::Value* of(llvm::Value& value);
  /// Computes the shadow of an instruction whose operands have theirs, but for phis'.
  void compute(llvm::Instruction& instruction);
  /// Completes phis, when all instructions have shadows.
  void finish();
  /// Sets it where only the caller knows it: for what is read from memory.
  void set(llvm::Value& value, llvm::Value* shadow) { known_[&value] = shadow; }
  /// Whether the value may depend on something uninitialised.
  bool is_affected(const llvm::Value& value) const { return affected_.contains(&value); }

  /// An i1: whether any bit is set; null if none can be.
  llvm::Value* any(llvm::IRBuilder<>& builder, llvm::Value* shadow);
  llvm::Type* type_for(llvm::Type* type) const;

private:
  void find_affected(ShadowMemory& memory);
  llvm::Value* shadow_for(llvm::Instruction& instruction, llvm::IRBuilder<>& builder);
  llvm::Value* for_binary(llvm::BinaryOperator& operation, llvm::IRBuilder<>& builder);
  llvm::Value* for_shift(llvm::BinaryOperator& shift, llvm::IRBuilder<>& builder);
  llvm::Value* for_comparison(llvm::ICmpInst& comparison, llvm::IRBuilder<>& builder);
  llvm::Value* for_select(llvm::SelectInst& select, llvm::IRBuilder<>& builder);
  llvm::Value* for_cast(llvm::CastInst& cast, llvm::IRBuilder<>& builder);
  llvm::Value* for_shuffle(llvm::ShuffleVectorInst& shuffle, llvm::IRBuilder<>& builder);
  llvm::Value* for_call(llvm::CallBase& call, llvm::IRBuilder<>& builder);
  llvm::Value* for_sub_group(llvm::CallBase& call, llvm::IRBuilder<>& builder);
  /// All bits of a lane that depends on one with a bit.
  llvm::Value* by_lanes(llvm::ArrayRef<llvm::Value*> operands, llvm::Type* type, llvm::IRBuilder<>& builder);
  /// All bits of a type if `wrong`.
  llvm::Value* spread(llvm::Value* wrong, llvm::Type* type, llvm::IRBuilder<>& builder);
  llvm::Value* or_(llvm::Value* left, llvm::Value* right, llvm::IRBuilder<>& builder);
  llvm::Value* and_(llvm::Value* left, llvm::Value* right, llvm::IRBuilder<>& builder);

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::SmallPtrSet<const llvm::Value*, 32> affected_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> known_;
};

} // namespace hostcl::compiler
