#pragma once

// The types that a module declares, by id, and further types that the reader needs.

#include "compiler/front/spirv/types.hpp"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace llvm {
class LLVMContext;
}

namespace hostcl::compiler::spirv {

/// The accessors refuse the module if the id is not what they return.
class TypeTable {
public:
  explicit TypeTable(llvm::LLVMContext& context) : context_(context) {}

  /// Defines a type. A type that OpTypeForwardPointer has declared is completed.
  Type& define_type(Id id, Type type);
  const Type& type(Id id) const;
  bool is_type(Id id) const { return types_by_id_.contains(id); }
  /// A type that values in IR may have.
  const Type& value_type(Id id) const;
  /// A type whose values have a size in memory.
  const Type& sized_type(Id id) const;
  /// The integer type of this many bits, or the vector of them with as many elements as `type`.
  const Type& integers_like(const Type& type, unsigned bits = 32);
  const Type& half_type();
  /// The type float or double, by its bits, or the vector of them with as many elements as `type`.
  const Type& floats_like(const Type& type, unsigned bits = 32);
  /// The vector of `count` elements that have the element type of `type`, which is a vector or matrix.
  const Type& shorter(const Type& type, unsigned count);
  /// The type of a pointer to `content`, for an untyped pointer.
  const Type& pointer_to(const Type& pointer, const Type& content);
  static unsigned address_space(spv::StorageClass storage);

private:
  /// The type `scalar` if the type `shape` is a scalar; otherwise a vector of `scalar` with as many elements as
  /// `shape`.
  const Type& with_shape(const Type& shape, Type scalar);

  llvm::LLVMContext& context_;
  std::deque<Type> types_; ///< a deque, because addresses must not change
  llvm::DenseMap<Id, Type*> types_by_id_;
};

} // namespace hostcl::compiler::spirv
