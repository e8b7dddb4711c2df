#pragma once

// Writes loads, stores and private variables in the forms that access.hpp lists. Contiguous, strided, gathered and
// scattered accesses are masked; contiguous and strided ones therefore need no active lane (is_masked()). A short
// vector is loaded as one block per lane. If a form depends on a condition, both this form and the gather or scatter
// are written:
//
//   br %condition, %row, %scattered
//   row:        %a = masked.load(%first, %mask)
//   scattered:  %b = masked.gather(%pointers, %mask)
//   joined:     phi [%a, %row], [%b, %scattered]
//
// A private variable has one copy for each lane, one after the other, so an access at a uniform index is strided.
// Arrays that shapes/private_arrays.hpp has interleaved are contiguous instead.
//
// Tests: tests/passes/2_vector/memory/vectorise_memory.ll, vectorise_likely.ll, vectorise_strided.ll.

#include "compiler/passes/2_vector/memory/access.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/passes/2_vector/memory/nontemporal_stores.hpp"
#include "compiler/passes/2_vector/memory/permuted_access.hpp"

namespace hostcl::compiler {

class AppendStores;

class MemoryAccesses {
public:
  /// @param loops the loops of the emission's source
  MemoryAccesses(Emission& e, const llvm::LoopInfo& loops, AppendStores& appends)
      : e_(e),
        affine_(e),
        forms_(e, affine_),
        permuted_(e, affine_),
        nontemporal_(e, loops),
        appends_(appends) {}

  void write_load(llvm::LoadInst& load);
  void write_store(llvm::StoreInst& store);
  void write_variable(llvm::AllocaInst& variable);

  /// Whether the load or store has no effect and cannot fault if no lane is active.
  bool is_masked(const llvm::Instruction& access);
  /// Whether a masked access may be to a page that is not mapped yet, or not writable yet. With an empty mask this
  /// costs much time on some CPUs, although it causes no page fault.
  bool may_lie_on_missing_page(const llvm::Instruction& access);
  /// Whether the access is written in two forms because its stride is a guess.
  bool is_guessed(const llvm::Instruction& access);

private:
  llvm::Value* load_guessed(llvm::LoadInst& load, const Access& access, llvm::Value* pointers);
  void store_guessed(llvm::StoreInst& store, const Access& access, llvm::Value* pointers);
  void store_wide(llvm::StoreInst& store, llvm::Value* first, std::int64_t stride);

  Emission& e_;
  AffineTests affine_;
  AccessForms forms_;
  PermutedAccesses permuted_;
  NontemporalStores nontemporal_;
  AppendStores& appends_;
};

} // namespace hostcl::compiler
