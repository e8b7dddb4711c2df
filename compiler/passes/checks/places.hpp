#pragma once

// Where pointers point to: the object that each was derived from, and how far from its start, as values of the kernel
// beside the pointer itself.
//
//   %p = getelementptr float, ptr addrspace(1) %a, i64 %i        low(a), size(a), offset 4 * %i
//   %q = phi [ %p, ... ], [ %tile, ... ]                         a phi for each of the three
//   %r = load ptr addrspace(1), ptr %list                        what the host knows of the address, offset 0
//
// An object is a parameter's (the host says its size in abi::Launch::objects), a variable in private, local, constant or
// program-scope memory, or one that is found by its address. Casts and generic pointers keep it.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class GEPOperator;
class IntToPtrInst;
} // namespace llvm

namespace hostcl::compiler {

/// The object around a pointer, and the pointer's place in it: all are i64. An access of n bytes is right if
/// (offset - low) + n does not exceed size.
struct Place {
  llvm::Value* low = nullptr;    ///< where the object begins, counted from its root
  llvm::Value* size = nullptr;   ///< bytes of the object
  llvm::Value* offset = nullptr; ///< where the pointer points to, counted from its root
  /// The size if kernels may read or write the object, else zero; null if they may.
  llvm::Value *readable = nullptr, *writable = nullptr;
  /// The value that it was derived from, if that is the same however it was computed: a parameter, a variable, a load,
  /// or any other; null if it is one of several.
  const llvm::Value* root = nullptr;

  /// Whether every access lies in it.
  bool is_all_memory() const;
  /// Bytes from the start of the object to where the pointer points to.
  llvm::Value* position(llvm::IRBuilder<>& builder) const {
    return builder.CreateSub(offset, low, "position");
  }
  /// Accesses of so many bytes are right whose position is below it.
  llvm::Value* limit(llvm::IRBuilder<>& builder, std::uint64_t bytes) const;
  /// The object as such an access may use it.
  Place for_access(bool reads, bool writes) const;
};

class Places {
public:
  explicit Places(llvm::Function& function);

  /// Writes what computes the place, after what computes the pointer.
  Place of(llvm::Value& pointer);

private:
  Place compute(llvm::Value& pointer);
  Place of_address(llvm::GEPOperator& address);
  Place of_phi(llvm::PHINode& phi);
  Place of_select(llvm::SelectInst& select);
  Place of_integer(llvm::IntToPtrInst& address, llvm::Value& base);
  Place of_root(llvm::Value& root);
  Place of_parameter(llvm::Argument& parameter);
  Place of_found(llvm::Value& root);
  Place of_variable(llvm::Value& root, std::uint64_t bytes);
  Place anywhere(llvm::Value& root);
  /// The one root of a pointer; null if there are several.
  const llvm::Value* one_root(llvm::Value& pointer);

  llvm::Function& function_;
  llvm::IRBuilder<> entry_; ///< where what depends on parameters alone is written
  llvm::DenseMap<llvm::Value*, Place> known_;
};

} // namespace hostcl::compiler
