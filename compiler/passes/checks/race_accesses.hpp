#pragma once

// The accesses of a kernel that check-races and check-commands record, and their properties that are known at compile
// time.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace hostcl::compiler {

/// An access to memory that work-items, or commands, share.
struct SharedAccess {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  llvm::Value* bytes; ///< i64
  llvm::Align alignment;
  llvm::Value* written = nullptr; ///< for a store: the stored value
  bool writes = false, is_atomic = false;
  bool is_copy = false; ///< part of an asynchronous copy
};

/// Whether the pointer is to memory that work-items share: global or local memory, except group scratch.
bool is_shared(const llvm::Value& pointer);

/// The kernel's accesses to memory that work-items share.
llvm::SmallVector<SharedAccess, 32> shared_accesses(llvm::Function& kernel);
/// The kernel's accesses to memory that commands share: buffers, images, and variables in program scope.
llvm::SmallVector<SharedAccess, 32> command_accesses(llvm::Function& kernel);

/// The image parameter of an accessed pixel; null for other accesses, and for pixels of mipmap levels.
const llvm::Argument* image_of(const SharedAccess& access);

/// A number whose lowest set bit is the granule size that the access needs; 0 for pixels, whose format is unknown.
std::uint64_t granule_bits(const SharedAccess& access);

/// The accessed parameter or variable; null if it is unknown. For a pixel it is the image parameter.
const llvm::Value* named_root(const SharedAccess& access);
/// Whether the accessed address is an offset from the parameter or variable, so that a finding can report its position.
bool has_position(const SharedAccess& access);

bool has_fences(llvm::Function& kernel);

/// The pointer operand of an atomic instruction.
llvm::Value& atomic_object(llvm::Instruction& instruction);

/// Whether an atomic operation may release or acquire: bits of compiler/abi/race.hpp. In a kernel with fences, every
/// atomic operation may be part of a release or an acquire.
std::uint32_t order_of(const llvm::Instruction& instruction, bool has_fences);

/// Erases the calls that check-collectives has written around asynchronous copies.
void erase_copy_calls(llvm::Function& function);

/// Writes the condition (i1) that a store does not change memory; null if that cannot be found out.
llvm::Value* changes_nothing(llvm::IRBuilder<>& builder, const SharedAccess& access);

} // namespace hostcl::compiler
