#pragma once

// Tables in which passes/atomics/deferred_atomics.hpp collects updates by address: they are direct-mapped; a
// conflicting entry is evicted, by writing it back. Where addresses hardly ever repeat, the next updates are
// made in memory, until the table is tried again. Each table emits its part of the function that it is made
// for.

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <memory>

namespace hostcl::compiler {

/// The operation and type that updates in one table have in common.
struct UpdateKind {
  explicit UpdateKind(const llvm::AtomicRMWInst& update);
  bool operator==(const UpdateKind&) const = default;

  /// The result of the operation on a value and an operand.
  llvm::Value* apply(llvm::IRBuilder<>& build, llvm::Value* value, llvm::Value* operand) const;
  /// The operand of `operation`: differences are sums of negated operands.
  static llvm::Value* operand_of(llvm::IRBuilder<>& build, llvm::AtomicRMWInst& update);
  /// The operation's identity; for integers only.
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

  /// Makes all entries empty, in front of `start`; their number depends on the number of work-items, `items`.
  void begin(llvm::Instruction* start, llvm::Value* items);
  /// Adds the update's operand to the table, in front of the update.
  void add(llvm::AtomicRMWInst& update);
  /// Writes all entries back, in front of `end`.
  void write_back(llvm::Instruction* end);

protected:
  /// Numbers of entries, powers of two.
  struct Entries {
    std::uint64_t least, most;
  };
  DeferralTable(const UpdateKind& kind, Entries limits) : kind_(kind), limits_(limits) {}

  virtual void clear(llvm::IRBuilder<>& build, llvm::Value* entries) = 0;
  /// The place of an entry's address.
  virtual llvm::Value* tag_place(llvm::IRBuilder<>& build, llvm::Value* index) = 0;
  virtual void begin_entry(llvm::IRBuilder<>& build, llvm::Value* index) = 0;
  virtual void add_to_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* operand) = 0;
  virtual void write_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* address) = 0;

  const UpdateKind kind_;

private:
  struct Update;

  llvm::Value* all_entries(llvm::IRBuilder<>& build) const;
  void look_up(Update& update);
  void take_entry(Update& update);
  void pause(Update& update);
  void update_memory(Update& update);
  void collect(Update& update);

  const Entries limits_;
  llvm::Value* entries_ = nullptr;
  llvm::AllocaInst* mask_ = nullptr; ///< of indices; 0, with entry 0 empty, while updates are made in memory
  llvm::AllocaInst* misses_ = nullptr; ///< entries written back lately, less those found, or 0 if that is
                                       ///< less; how many more updates are to be made in memory
};

} // namespace hostcl::compiler
