#pragma once

// Shadows of SSA values for HOSTCL_CHECK=uninitialised: integers of the same size, computed beside the values, lane by
// lane.
//
//   and, or, xor, shifts, selects, comparisons for equality, casts, byte swaps: exact, bit by bit
//   other integer arithmetic: a bit is uninitialised if the same bit of either operand is
//   floating-point arithmetic, and calls: all bits of a lane, if the same lane of an operand has an uninitialised bit
//   phis, elements of vectors and structures: like the values
//
// Lanes that a shuffle leaves undefined count as initialised, because clang pads vectors of three with them.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

class ShadowMemory;

/// Whether the value is the initial value that `mark-uninitialised` has given a variable.
bool is_marked_uninitialised(const llvm::Value& value);
/// Writes a call whose result is such an initial value.
llvm::Value* uninitialised_value(llvm::IRBuilder<>& builder, llvm::Type* type, const llvm::Twine& name);

/// The shadows of one function's values.
class ShadowValues {
public:
  ShadowValues(llvm::Function& function, ShadowMemory& memory);

  /// The shadow of a value; the constant zero if the value depends on nothing that may be uninitialised.
  llvm::Value* of(llvm::Value& value);
  /// Writes the shadow of an instruction. The operands' shadows must have been written before, except those of phis.
  void compute(llvm::Instruction& instruction);
  /// Completes the shadows of phis, after all instructions have shadows.
  void finish();
  /// Sets the shadow of a loaded value, which the caller knows.
  void set(llvm::Value& value, llvm::Value* shadow) { known_[&value] = shadow; }
  /// Whether the value may depend on something uninitialised.
  bool is_affected(const llvm::Value& value) const { return affected_.contains(&value); }

  /// Writes the test whether any bit of a shadow is set (i1); null if none can be set.
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
  /// The shadow in which all bits of a lane are set if the same lane of any operand has a bit set.
  llvm::Value* by_lanes(llvm::ArrayRef<llvm::Value*> operands, llvm::Type* type, llvm::IRBuilder<>& builder);
  /// The shadow in which all bits are set if `wrong`.
  llvm::Value* spread(llvm::Value* wrong, llvm::Type* type, llvm::IRBuilder<>& builder);
  llvm::Value* or_(llvm::Value* left, llvm::Value* right, llvm::IRBuilder<>& builder);
  llvm::Value* and_(llvm::Value* left, llvm::Value* right, llvm::IRBuilder<>& builder);

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::SmallPtrSet<const llvm::Value*, 32> affected_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> known_;
};

} // namespace hostcl::compiler
