#pragma once

// The accesses of a kernel that check-races and check-commands record, and their properties that are known at compile
// time.

#include "compiler/ir/memory_access.hpp"
#include "compiler/settings/checks.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// An access to memory that work-items, or commands, share.
struct SharedAccess : MemoryAccess {
  bool is_copy = false; ///< part of an asynchronous copy

  bool is_local() const;
};

/// The kernel's accesses to memory that work-items share: global and local memory, except group scratch.
llvm::SmallVector<SharedAccess, 32> shared_accesses(llvm::Function& kernel);
/// The kernel's accesses to memory that commands share: buffers, images, and variables in program scope.
llvm::SmallVector<SharedAccess, 32> command_accesses(llvm::Function& kernel);

/// Whether the accessed address is an offset from a parameter or variable, so that a finding can report its position.
bool has_position(const SharedAccess& access);
/// Creates the site of an access.
llvm::Constant* site_of(const SharedAccess& access, Check check);

bool has_fences(llvm::Function& kernel);

/// Whether an atomic operation may release or acquire: bits of compiler/abi/race.hpp. In a kernel with fences, every
/// atomic operation may be part of a release or an acquire.
std::uint32_t order_of(const MemoryAccess& access, bool has_fences);

/// Adds all instructions that may run after `first`, itself included, before an instruction that `ends`.
void add_reachable(const llvm::Instruction& first, llvm::function_ref<bool(const llvm::Instruction&)> ends,
                   llvm::SmallPtrSetImpl<const llvm::Instruction*>& reached);

/// Functions without parameters that check-collectives calls around each asynchronous copy, until check-races removes
/// the calls.
inline constexpr const char *copy_begin = "__hostcl_race_copy_begin", *copy_end = "__hostcl_race_copy_end";
void erase_copy_calls(llvm::Function& function);

/// Writes the condition (i1) that a store does not change memory; null if that cannot be found out.
llvm::Value* changes_nothing(llvm::IRBuilder<>& builder, const SharedAccess& access);

} // namespace hostcl::compiler
