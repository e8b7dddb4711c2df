#pragma once

// The memory operands of an instruction: of a load, a store, an atomic operation, a copy or a fill.

#include "compiler/abi/check.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/AtomicOrdering.h"

namespace llvm {
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// One memory operand. A copy has two of them.
struct MemoryAccess {
  llvm::Instruction* instruction;
  unsigned operand; ///< number of the operand that is the pointer
  llvm::Type* type; ///< of the value in memory; null for copies and fills
  llvm::Align alignment;
  abi::Access kind;
  llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;

  llvm::Value* pointer() const;
  llvm::Value* bytes() const;        ///< the size, an i64
  std::uint64_t known_bytes() const; ///< the size; 0 if it is not constant
  bool reads() const { return kind != abi::Access::write; }
  bool writes() const { return kind != abi::Access::read; }
  bool is_atomic() const { return ordering != llvm::AtomicOrdering::NotAtomic; }
};

/// The memory operands of an instruction; none for calls other than copies and fills.
llvm::SmallVector<MemoryAccess, 2> memory_accesses(llvm::Instruction& instruction);

} // namespace hostcl::compiler
