#pragma once

// bfloat16, the upper half of a float: the type of SPV_KHR_bfloat16, and the 16-bit integers of
// SPV_INTEL_bfloat16_conversion.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// Rounds a number to the nearest bfloat16, ties to even.
/// @param floats float, or the vector of floats with as many elements
/// @param towards_zero converts the number to float, and `back` a float to the number's type, to see whether
/// the first conversion has rounded
llvm::Value* bfloat_of(Reader& r, const TypedValue& number, const Type& floats,
                       llvm::function_ref<llvm::Value*()> towards_zero,
                       llvm::function_ref<llvm::Value*(llvm::Value*)> back);

} // namespace hostcl::compiler::spirv
