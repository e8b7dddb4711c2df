#pragma once

// The shadow of memory for the check `uninitialised`: a bit for each bit, 1 if that is uninitialised, at an address that
// is computed beside the pointer's.
//
//   %p = getelementptr float, ptr addrspace(1) %a, i64 %i   %a.shadow = inttoptr (call @__hostcl_shadow_address(ptrtoint %a))
//                                                           %p.shadow = getelementptr float, %a.shadow, i64 %i
//   %x = alloca [4 x float]                                 %x.shadow = alloca [4 x i32], all bits 1
//   @k.tile in local memory                                 @k.shadow.tile; the group's first work-item sets its bits,
//                                                           followed by a barrier
//   a local parameter                                       after its own memory
//
// Where pointers to private or local memory are lost from sight, because they lie in memory or go to calls, the variable
// counts as written. So does memory that is not a buffer's.
//
// lower-shadow-addresses makes `xor abi::shadow_bit` of the calls when all checks are written. No pass looks into a call:
// what arithmetic becomes of `xor`, such as a choice of an address and the constant, cannot be told from accesses of the
// kernel, and these were checked for races and bounds.
//
// Tests: tests/passes/checks/uninitialised/check_uninitialised_*.ll, lower_shadow_addresses.ll

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class GEPOperator;
} // namespace llvm

namespace hostcl::compiler {

/// The type of the shadow of a value: integers in place of floating-point numbers and addresses.
llvm::Type* shadow_type(llvm::Type* type, const llvm::DataLayout& layout);

/// Where the function's code begins, after its variables: those that are made later, because an initialiser comes before
/// them, are moved.
llvm::BasicBlock::iterator after_variables(llvm::Function& function);

class ShadowMemory {
public:
  /// Gives private and local variables their shadows, and zeros as contents.
  explicit ShadowMemory(llvm::Function& function);

  /// The pointer to the shadow of what the pointer points to; null for memory that counts as written.
  llvm::Value* of(llvm::Value& pointer);
  /// Whether the pointer leads to memory with a shadow.
  bool has_shadow(llvm::Value& pointer);
  /// Whether the shadow there may be set to "uninitialised": that of known variables and of global memory.
  bool takes_unwritten(llvm::Value& pointer);

private:
  using Roots = llvm::SmallSetVector<llvm::Value*, 4>;
  enum class Kind { variable, found, written };

  Kind kind_of(llvm::Value& root) const;
  Roots roots_of(llvm::Value& pointer) const;
  void find_variables();
  void drop_mixed();
  void shadow_private_memory();
  void shadow_local_memory();
  void set_place(llvm::IRBuilder<>& builder, llvm::Value& pointer);
  llvm::Value* compute(llvm::Value& pointer);
  llvm::Value* of_address(llvm::GEPOperator& address);
  llvm::Value* of_root(llvm::Value& root);
  llvm::Value* shadow_of_local(llvm::Value& variable, llvm::IRBuilder<>& builder, llvm::Value*& bytes);

  llvm::Function& function_;
  llvm::IRBuilder<> entry_;                 ///< where what depends on parameters alone is written
  llvm::SetVector<llvm::Value*> variables_; ///< private and local ones that have a shadow
  llvm::DenseMap<llvm::Value*, llvm::Value*> known_;
};

/// Whether a value is the address of a shadow, in the form that it has before lower-shadow-addresses.
bool is_shadow_address(const llvm::Value& value);

/// Whether a pointer is one into a shadow, which other checks have nothing to do with.
bool is_in_shadow(const llvm::Value& pointer);

struct LowerShadowAddressesPass : llvm::PassInfoMixin<LowerShadowAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
