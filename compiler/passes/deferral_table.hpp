#pragma once

// Tables in which passes/deferred_atomics.hpp collects updates by address: direct-mapped, tags first
// compared, the entry in the way written back. Each emits its part of the function that it is made for.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace hostcl::compiler {

/// What updates that can share a table have in common.
struct UpdateKind {
  explicit UpdateKind(const llvm::AtomicRMWInst& update);
  bool operator==(const UpdateKind&) const = default;

  /// The operation on a value and an operand.
  llvm::Value* apply(llvm::IRBuilder<>& build, llvm::Value* value, llvm::Value* operand) const;
  /// The operand of `operation`: differences are sums of negated operands.
  static llvm::Value* operand_of(llvm::IRBuilder<>& build, llvm::AtomicRMWInst& update);
  /// What changes nothing; of integers only.
  llvm::Constant* identity() const;

  llvm::AtomicRMWInst::BinOp operation;
  llvm::Type* type;
};

class DeferralTable {
public:
  /// Bytes of a table for updates of this kind.
  static std::uint64_t bytes(const UpdateKind& kind);

  /// @param memory the table's bytes, aligned like scratch memory
  static std::unique_ptr<DeferralTable> make(const UpdateKind& kind, llvm::Value* memory);

  virtual ~DeferralTable() = default;

  /// Makes all entries empty.
  virtual void clear(llvm::IRBuilder<>& build) = 0;
  /// Adds what the update would have done, in front of it.
  void add(llvm::AtomicRMWInst& update);
  /// Writes all entries back, in front of `end`.
  void write_back(llvm::Instruction* end);

protected:
  DeferralTable(const UpdateKind& kind, std::uint64_t entries) : kind_(kind), entries_(entries) {}

  /// Where the address of an entry is.
  virtual llvm::Value* tag_place(llvm::IRBuilder<>& build, llvm::Value* index) = 0;
  virtual void begin_entry(llvm::IRBuilder<>& build, llvm::Value* index) = 0;
  virtual void add_to_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* operand) = 0;
  virtual void write_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* address) = 0;

  const UpdateKind kind_;
  const std::uint64_t entries_; ///< a power of two
};

} // namespace hostcl::compiler
