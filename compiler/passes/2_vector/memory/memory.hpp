#pragma once

// Writes loads, stores and private variables in the forms of the plan. Contiguous, strided, gathered and scattered
// accesses are masked; contiguous and strided ones therefore need no active lane. A short vector is loaded as one block
// per lane. If a form depends on a condition, both this form and the gather or scatter are written:
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
  MemoryAccesses(Emission& e, AppendStores& appends)
      : e_(e), affine_(e), permuted_(e, affine_), nontemporal_(e), appends_(appends) {}

  /// Writes a load or store at an address that is not uniform, unless it is written lane by lane.
  void write(llvm::Instruction& access);
  /// Writes a store to a uniform address: the last active lane's value stays.
  void write_last(llvm::StoreInst& store);
  void write_variable(llvm::AllocaInst& variable);

private:
  // Each function writes the access in one form. @returns the loaded lanes; null for stores
  llvm::Value* write_wide(llvm::Instruction& access, llvm::Value* first, std::int64_t stride);
  llvm::Value* write_permuted(llvm::Instruction& access, const Window& window);
  llvm::Value* write_guessed(llvm::Instruction& access, const Recipe& recipe, llvm::Value* pointers);
  llvm::Value* write_unknown(llvm::Instruction& access, const Recipe& recipe, llvm::Value* pointer);

  Emission& e_;
  AffineTests affine_;
  PermutedAccesses permuted_;
  NontemporalStores nontemporal_;
  AppendStores& appends_;
};

} // namespace hostcl::compiler
