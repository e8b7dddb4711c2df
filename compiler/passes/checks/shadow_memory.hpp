#pragma once

// Shadow memory for HOSTCL_CHECK=uninitialised (as in MemorySanitizer): each bit of memory has a shadow bit, which is 1
// if the bit is uninitialised. The address of the shadow is computed beside the pointer.
//
//   %p = getelementptr float, ptr addrspace(1) %a, i64 %i   %n = call @__hostcl_shadow_address(ptrtoint %a)
//                                                           %a.shadow = inttoptr %n
//                                                           %p.shadow = getelementptr float, %a.shadow, i64 %i
//   %x = alloca [4 x float]                                 %x.shadow = alloca [4 x i32], all bits 1
//   @k.tile in local memory                                 @k.shadow.tile; the group's first work-item sets its bits,
//                                                           followed by a barrier
//   a local parameter                                       after its own memory
//
// If the address of a private or local variable escapes, because it is stored or passed to a call, the variable counts
// as initialised. So does memory that does not belong to a buffer.
//
// lower-shadow-addresses lowers the calls after all checks have been written, to an XOR with the mask that the driver
// provides (code/host_functions.hpp); the mask depends on the size of the address space. Until then the calls hide the
// arithmetic from LLVM: it could turn the `xor` into a select between an address and a constant, for instance, and the
// accesses to the shadow could then not be distinguished from accesses of the kernel, and would be checked for races and
// bounds.
//
// Tests: tests/passes/checks/uninitialised/check_uninitialised_*.ll, lower_shadow_addresses.ll

#include "compiler/passes/checks/pointers.hpp"

#include "llvm/ADT/DenseMap.h"

namespace hostcl::compiler {

/// The shadow type of a type: the same with integers in place of floating-point numbers and pointers.
llvm::Type* shadow_type(llvm::Type* type, const llvm::DataLayout& layout);

/// The position after the function's variables in the entry block. Allocas that follow other instructions, such as
/// initialisers, are first moved before it.
llvm::BasicBlock::iterator after_variables(llvm::Function& function);

/// The shadow memory of one function.
class ShadowMemory {
public:
  /// Creates the shadows of private and local variables, and fills the variables with zeros.
  explicit ShadowMemory(llvm::Function& function);

  /// The pointer to the shadow of the pointer's memory; null for memory that counts as initialised.
  llvm::Value* of(llvm::Value& pointer);
  /// Whether the pointer may point to memory that has a shadow.
  bool has_shadow(llvm::Value& pointer);
  /// Whether the shadow may be set to "uninitialised": only of known variables and of global memory.
  bool takes_unwritten(llvm::Value& pointer);

private:
  enum class Kind { variable, found, written };

  Kind kind_of(llvm::Value& root) const;
  PointerRoots roots_of(llvm::Value& pointer) const;
  void find_variables();
  void drop_mixed();
  void shadow_private_memory();
  void shadow_local_memory();
  llvm::Value* compute(llvm::Value& pointer);
  llvm::Value* of_root(llvm::Value& root);
  llvm::Value* shadow_of_local(llvm::Value& variable, llvm::IRBuilder<>& builder, llvm::Value*& bytes);

  llvm::Function& function_;
  llvm::IRBuilder<> entry_;                 ///< for values that depend on parameters only
  llvm::SetVector<llvm::Value*> variables_; ///< private and local variables that have a shadow
  llvm::DenseMap<llvm::Value*, llvm::Value*> known_;
};

/// Whether a value is a call that computes the address of a shadow, before lower-shadow-addresses.
bool is_shadow_address(const llvm::Value& value);

/// Whether an integer is the address of a pointer and never becomes a pointer again, except into shadow memory: checks
/// report the address, or test low bits that are the same in a copy of the buffer (abi::order_copy_alignment).
bool is_checked_address(const llvm::User& number);

/// Whether a pointer points into shadow memory. Other checks ignore such accesses.
bool is_in_shadow(const llvm::Value& pointer);

} // namespace hostcl::compiler
