#pragma once

// Types of a SPIR-V module, with properties that LLVM's types do not have.

#include "compiler/front/spirv/words.hpp"

namespace llvm {
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler::spirv {

struct Type {
  enum class Kind {
    nothing, ///< OpTypeVoid
    boolean,
    integer,
    floating,
    bfloat, ///< bfloat16 of SPV_KHR_bfloat16: stored as a 16-bit integer, computed as float
    e4m3,   ///< Float8E4M3EXT of SPV_EXT_float8: stored as an 8-bit integer
    e5m2,   ///< Float8E5M2EXT
    vector,
    matrix, ///< cooperative matrix: in IR, a vector of its components, one row after the other
    array,
    structure,
    pointer,
    function,
    image,
    sampler,
    sampled_image, ///< an image with a sampler; it has no type in IR
    opaque,        ///< events, queues, pipes and similar types
  };

  Kind kind = Kind::nothing;
  llvm::Type* ir = nullptr;
  /// The element of a vector, matrix, array or pointer; the result of a function; the image of a sampled image.
  const Type* element = nullptr;
  std::uint64_t count = 0;             ///< number of elements of a vector or array, of components of a matrix
  std::uint32_t rows = 0, columns = 0; ///< of a matrix
  std::uint32_t use = 0;  ///< of a matrix: its operand of a product, 0 (A), 1 (B) or 2 (the accumulator)
  bool is_signed = false; ///< whether the producer has declared an integer type as signed
  std::vector<const Type*> members = {};            ///< of a structure; parameters of a function
  spv::StorageClass storage = spv::StorageClassMax; ///< of a pointer
  // For images:
  spv::Dim dim = spv::DimMax;
  bool is_depth = false, is_array = false, is_multisampled = false;
  spv::AccessQualifier access = spv::AccessQualifierReadOnly;
  spv::Op op = spv::OpNop;   ///< instruction that declares the type
  unsigned depth = 0;        ///< nesting depth of types within it
  std::uint64_t scalars = 1; ///< number of scalars in a value of the type

  bool is(Kind other) const { return kind == other; }
  /// A floating-point type that the reader represents by integers.
  bool is_short_float() const { return kind == Kind::bfloat || kind == Kind::e4m3 || kind == Kind::e5m2; }
  /// The type of the elements of a vector or matrix; for other types, the type itself.
  const Type& scalar() const { return kind == Kind::vector || kind == Kind::matrix ? *element : *this; }
};

/// A value in IR, with its SPIR-V type.
struct TypedValue {
  llvm::Value* value = nullptr;
  const Type* type = nullptr;
};

/// A value of the kind as a part of an error message, such as "an integer".
const char* kind_name(Type::Kind kind);

} // namespace hostcl::compiler::spirv
