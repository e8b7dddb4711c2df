#pragma once

// The types that a module has declared, by their ids, and those that the reader needs beside them.

#include "compiler/front/spirv/types.hpp"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <string>

namespace llvm {
class LLVMContext;
}

namespace hostcl::compiler::spirv {

/// An id as messages name it.
std::string described(Id id);

/// Accessors refuse ids of anything else.
class TypeTable {
public:
  explicit TypeTable(llvm::LLVMContext& context) : context_(context) {}

  /// The id's type; one that OpTypeForwardPointer has declared is completed.
  Type& define_type(Id id, Type type);
  const Type& type(Id id) const;
  bool is_type(Id id) const { return types_by_id_.contains(id); }
  /// A type that values in IR have.
  const Type& value_type(Id id) const;
  /// A type whose values have a size in memory.
  const Type& sized_type(Id id) const;
  /// Integers of that many bits, as many as the type has elements.
  const Type& integers_like(const Type& type, unsigned bits = 32);
  const Type& half_type();
  /// Floats, as many as the type has elements.
  const Type& floats_like(const Type& type);
  /// The pointer's type, of what an untyped pointer points to.
  const Type& pointer_to(const Type& pointer, const Type& content);
  static unsigned address_space(spv::StorageClass storage);

private:
  llvm::LLVMContext& context_;
  std::deque<Type> types_; ///< stable addresses
  llvm::DenseMap<Id, Type*> types_by_id_;
};

} // namespace hostcl::compiler::spirv
