#pragma once

// bfloat16, the upper half of a float: of SPV_KHR_bfloat16, and as 16-bit integers of SPV_INTEL_bfloat16_conversion.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Whether both are scalars, or vectors of one length.
bool has_shape_of(const Type& a, const Type& b);

/// The number as a float, or a vector of them.
TypedValue float_of_bfloat(Reader& r, const TypedValue& number);

/// A number rounded to the nearest bfloat16, to even ones between two.
/// @param floats the type of as many floats
/// @param towards_zero makes a float of it, and `back` the number of a float, to see whether it was rounded
llvm::Value* bfloat_of(Reader& r, const TypedValue& number, const Type& floats,
                       llvm::function_ref<llvm::Value*()> towards_zero,
                       llvm::function_ref<llvm::Value*(llvm::Value*)> back);

} // namespace hostcl::compiler::spirv
