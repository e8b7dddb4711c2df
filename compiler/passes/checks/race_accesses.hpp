#pragma once

// The accesses of a kernel that check-races records (races.hpp), and what is known of them before it runs.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace hostcl::compiler {

/// An access to memory that work-items or commands share.
struct SharedAccess {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  llvm::Value* bytes; ///< i64
  llvm::Align alignment;
  llvm::Value* written = nullptr; ///< the value of a plain store
  bool writes = false, is_atomic = false;
  bool is_copy = false; ///< an asynchronous copy's
};

bool is_shared(const llvm::Value& pointer);

llvm::SmallVector<SharedAccess, 32> shared_accesses(llvm::Function& kernel);
/// The same for memory that commands share: that of buffers and images, and variables in program scope.
llvm::SmallVector<SharedAccess, 32> command_accesses(llvm::Function& kernel);

/// The parameter that is the image of the accessed pixel; null for all others, and for pixels of further levels.
const llvm::Argument* image_of(const SharedAccess& access);

/// A number whose lowest bit is the size of granules that this access asks for: of pixels, whose formats are not known, none.
std::uint64_t granule_bits(const SharedAccess& access);

/// The parameter or variable that is accessed, if there is one. Pixels belong to the parameter that is their image.
const llvm::Value* named_root(const SharedAccess& access);
/// Whether the address of what is accessed is that of the parameter or variable, and some bytes.
bool has_position(const SharedAccess& access);

bool has_fences(llvm::Function& kernel);

llvm::Value& atomic_object(llvm::Instruction& instruction);

/// What an atomic operation may order, in a kernel with fences or without: bits of race_abi.hpp.
std::uint32_t order_of(const llvm::Instruction& instruction, bool has_fences);

/// Erases the calls around asynchronous copies.
void erase_copy_calls(llvm::Function& function);

/// Whether a store changes nothing; null if it cannot be told.
llvm::Value* changes_nothing(llvm::IRBuilder<>& builder, const SharedAccess& access);

} // namespace hostcl::compiler
