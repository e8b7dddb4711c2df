#pragma once

// Writes the code of deferral tables, in which passes/atomics/deferred_atomics.cpp collects atomic updates by address.
// A table is a direct-mapped cache in the thread's context: an entry with another address is evicted by writing its
// update to memory. If addresses hardly ever repeat, the table is suspended: the next updates go to memory directly,
// and then the table is tried again.

#include "compiler/ir/atomic_update.hpp"

#include <memory>

namespace hostcl::compiler {

/// A table of one entry function. Owned by deferred-atomics while it rewrites that function.
class DeferralTable {
public:
  /// Bytes of a table for updates of this kind.
  static std::uint64_t bytes(const UpdateKind& kind);

  /// @param memory the table's bytes in the thread context, aligned to abi::scratch_alignment
  static std::unique_ptr<DeferralTable> make(const UpdateKind& kind, llvm::Value* memory);

  virtual ~DeferralTable() = default;

  /// Writes the initialisation before `start`: chooses the number of entries by the number of work-items, `items`, and
  /// clears them.
  void begin(llvm::Instruction* start, llvm::Value* items);
  /// Inserts code in front of `update` that adds the operand of `update` to the table. The caller removes `update`.
  void add(llvm::AtomicRMWInst& update);
  /// Writes a loop before `end` that writes all entries to memory.
  void write_back(llvm::Instruction* end);

protected:
  /// Limits for the number of entries; powers of two.
  struct Entries {
    std::uint64_t least, most;
  };
  /// @param element of an array at `memory`; each element begins with a tag
  DeferralTable(const UpdateKind& kind, llvm::Value* memory, Entries limits, llvm::Type* element)
      : kind_(kind), memory_(memory), limits_(limits), element_(element) {}

  /// The address of an entry's tag. The tag is the address in memory to which the entry belongs; null if the entry is
  /// empty.
  llvm::Value* tag_place(llvm::IRBuilder<>& build, llvm::Value* index) const;
  virtual void begin_entry(llvm::IRBuilder<>& build, llvm::Value* index) = 0;
  virtual void add_to_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* operand) = 0;
  virtual void write_entry(llvm::IRBuilder<>& build, llvm::Value* index, llvm::Value* address) = 0;

  const UpdateKind kind_;
  llvm::Value* const memory_;

private:
  struct Update;

  const Entries limits_;
  llvm::Type* const element_;
  llvm::Value* entries_ = nullptr;
  llvm::Value* all_entries_ = nullptr; ///< the mask of indices when the table is in use
  /// The mask of indices. While the table is suspended, the mask is 0 and entry 0 is empty, so every lookup misses.
  llvm::AllocaInst* mask_ = nullptr;
  /// While the table is in use, a score: each update that goes to the table subtracts 1, and an eviction adds 2. If an
  /// eviction raises the score above a limit, the table is suspended. While the table is suspended: the number of
  /// updates that still go to memory directly.
  llvm::AllocaInst* misses_ = nullptr;
};

} // namespace hostcl::compiler
