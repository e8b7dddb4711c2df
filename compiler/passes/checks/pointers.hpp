#pragma once

// What the checks need to know of a pointer: the variables, parameters and other values from which it is derived, and
// where code for its shadow or its bounds can be written.

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// Bytes of a variable; nothing for other values, and for variables whose size is not constant.
std::optional<std::uint64_t> size_of_variable(const llvm::Value& value);

using PointerRoots = llvm::SmallSetVector<llvm::Value*, 4>;
/// The values from which a pointer is derived, through phis and selects.
/// @param base_of returns the pointer from which a pointer is derived by a cast or an address computation; null for
/// other pointers
PointerRoots roots_of(llvm::Value& pointer, llvm::Value* (*base_of)(llvm::Value&));
/// The pointer operand of a cast of pointers or an address computation; null for other values.
llvm::Value* operand_of_address(llvm::Value& pointer);

/// A builder before the instruction that computes the value. For other values: where `entry` is.
llvm::IRBuilder<> builder_before(llvm::Value& value, const llvm::IRBuilder<>& entry);
/// A builder at the first position at which the value is available. For variables and parameters: where `entry` is.
llvm::IRBuilder<> builder_behind(llvm::Value& value, const llvm::IRBuilder<>& entry);

/// Whether a value is the descriptor of an image parameter (image-values).
bool is_image(const llvm::Value& value);
/// The image to which a pointer to a pixel points; null for other pointers, and for pixels of mipmap levels.
const llvm::Argument* image_of(const llvm::Value& pointer);

} // namespace hostcl::compiler
