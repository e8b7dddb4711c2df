#pragma once

// Pointer provenance: computes, beside each pointer, the bounds of the object from which it was derived and its offset,
// as values of the kernel.
//
//   %p = getelementptr float, ptr addrspace(1) %a, i64 %i        low(a), size(a), offset 4 * %i
//   %q = phi [ %p, ... ], [ %tile, ... ]                         a phi for each of the three
//   %r = load ptr addrspace(1), ptr %list                        the object that the host finds by the address
//
// An object belongs to a parameter (the host gives its size in abi::Launch::objects), is a variable in private, local,
// constant or program-scope memory, or is found by its address. Casts and generic pointers keep the object.

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class GEPOperator;
class IntToPtrInst;
} // namespace llvm

namespace hostcl::compiler {

/// The bounds of a pointer's object, and the pointer's offset, all i64. The offset and `low` are relative to the root.
/// An access of n bytes is in bounds if (offset - low) + n does not exceed size.
struct Provenance {
  llvm::Value* low = nullptr;    ///< start of the object, in bytes from the root
  llvm::Value* size = nullptr;   ///< bytes of the object
  llvm::Value* offset = nullptr; ///< address of the pointer, in bytes from the root
  /// The value from which the pointer was derived: a parameter, a variable, a load, or any other value; null if there
  /// are several.
  const llvm::Value* root = nullptr;
  /// The object's size if kernels may read (or write) the object, otherwise 0; null if they always may.
  llvm::Value *readable = nullptr, *writable = nullptr;

  /// Whether the object comprises all memory, so that every access is in bounds.
  bool is_all_memory() const;
  /// The offset from the start of the object.
  llvm::Value* position(llvm::IRBuilder<>& builder) const {
    return builder.CreateSub(offset, low, "position");
  }
  /// An access of this many bytes is in bounds if its position is below the limit.
  llvm::Value* limit(llvm::IRBuilder<>& builder, std::uint64_t bytes) const;
  /// The provenance for an access of this kind: its size is 0 if the access is not allowed.
  Provenance for_access(bool reads, bool writes) const;
};

/// Writes and caches the places of one function's pointers.
class ProvenanceAnalysis {
public:
  explicit ProvenanceAnalysis(llvm::Function& function);

  /// Writes the computation of the provenance, right after the computation of the pointer.
  Provenance of(llvm::Value& pointer);

private:
  Provenance compute(llvm::Value& pointer);
  Provenance of_address(llvm::GEPOperator& address);
  Provenance of_phi(llvm::PHINode& phi);
  Provenance of_select(llvm::SelectInst& select);
  Provenance of_integer(llvm::IntToPtrInst& address, llvm::Value& base);
  Provenance of_root(llvm::Value& root);
  Provenance of_parameter(llvm::Argument& parameter);
  Provenance of_found(llvm::Value& root);
  Provenance of_variable(llvm::Value& root, std::uint64_t bytes);
  Provenance anywhere(llvm::Value& root);

  llvm::Function& function_;
  llvm::IRBuilder<> entry_; ///< for values that depend on parameters only
  llvm::DenseMap<llvm::Value*, Provenance> known_;
};

} // namespace hostcl::compiler
