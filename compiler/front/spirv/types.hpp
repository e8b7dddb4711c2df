#pragma once

// Types of a SPIR-V module, with what LLVM's types do not say.

#include "compiler/front/spirv/words.hpp"

namespace llvm {
class Type;
}

namespace hostcl::compiler::spirv {

struct Type {
  enum class Kind {
    nothing, ///< OpTypeVoid
    boolean,
    integer,
    floating,
    bfloat, ///< bfloat16 of SPV_KHR_bfloat16, in an integer of 16 bits: floats are computed with
    vector,
    array,
    structure,
    pointer,
    function,
    image,
    sampler,
    sampled_image, ///< an image and a sampler; has no type in IR
    opaque,        ///< events, queues, pipes and their kin
  };

  Kind kind = Kind::nothing;
  llvm::Type* ir = nullptr;
  const Type* element =
      nullptr;             ///< of a vector, array or pointer; a function's result; a sampled image's image
  std::uint64_t count = 0; ///< elements of a vector or array
  bool is_signed = false;  ///< of an integer type: the producer said so
  std::vector<const Type*> members = {};            ///< of a structure; a function's parameters
  spv::StorageClass storage = spv::StorageClassMax; ///< of a pointer
  // Of an image.
  spv::Dim dim = spv::DimMax;
  bool is_depth = false, is_array = false, is_multisampled = false;
  spv::AccessQualifier access = spv::AccessQualifierReadOnly;
  spv::Op op = spv::OpNop;   ///< the instruction that declares it
  unsigned depth = 0;        ///< of types within
  std::uint64_t scalars = 1; ///< in a value of the type

  bool is(Kind other) const { return kind == other; }
  /// The type of a vector's elements, or the type itself.
  const Type& scalar() const { return kind == Kind::vector ? *element : *this; }
};

} // namespace hostcl::compiler::spirv
