#pragma once

// Atomic updates (`atomicrmw`): how several of them combine to one, and the metadata by which passes tell each other
// what may be done with them.

#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

/// The update that computes the same new value as the instruction, from an old value and an operand.
std::optional<llvm::AtomicRMWInst::BinOp> update_by(const llvm::Instruction& instruction);

/// The reduction that combines the operands of several updates into the operand of one; nothing for updates such as
/// exchanges, whose operands cannot be combined.
std::optional<llvm::RecurKind> combination_of(llvm::AtomicRMWInst::BinOp operation);

/// Whether several updates may become one: the update is relaxed and not volatile, its result is unused, and its
/// operation and type are ones that passes combine.
bool can_combine(const llvm::AtomicRMWInst& update);

/// Whether the update's operands must not be combined with each other before they are applied to memory
/// (metadata::serial, which exchange-loops sets).
bool is_serial(const llvm::AtomicRMWInst& update);

/// The offset of the update's table in the context, in bytes; nothing if the update is not deferrable
/// (metadata::deferrable, which deferrable-atomics sets).
std::optional<std::uint64_t> deferral_table(const llvm::AtomicRMWInst& update);

/// The ordering of an access or fence; of a compare-exchange, the stronger of both. Not atomic for other instructions.
llvm::AtomicOrdering ordering_of(const llvm::Instruction& instruction);

/// Whether the instruction is a load, a store or an atomic operation on local memory.
bool accesses_local(const llvm::Instruction& instruction);

/// The operation and type that updates have in common if they can be combined.
struct UpdateKind {
  explicit UpdateKind(const llvm::AtomicRMWInst& update);
  bool operator==(const UpdateKind&) const = default;

  /// The result of the operation on a value and an operand.
  llvm::Value* apply(llvm::IRBuilder<>& build, llvm::Value* value, llvm::Value* operand) const;
  /// The operand to apply with `operation`. It is the update's own operand, except for `atomicrmw sub`: subtractions
  /// are collected as additions, so their operand is negated.
  static llvm::Value* operand_of(llvm::IRBuilder<>& build, llvm::AtomicRMWInst& update);
  /// The identity element of the operation; for integers only.
  llvm::Constant* identity() const;

  llvm::AtomicRMWInst::BinOp operation;
  llvm::Type* type;
};

} // namespace hostcl::compiler
