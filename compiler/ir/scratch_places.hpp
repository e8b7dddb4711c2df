#pragma once

// Alignment of objects in a thread's scratch memory. Its parts begin at multiples of abi::scratch_alignment; objects
// with a larger alignment need padding.

#include <cstdint>

namespace llvm {
class IRBuilderBase;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// The padding that an object with this alignment, such as `__attribute__((aligned(256)))`, needs at an address that is
/// a multiple of abi::scratch_alignment only.
std::uint64_t padding_for(std::uint64_t alignment);

/// Rounds `address`, a multiple of abi::scratch_alignment, up to a multiple of `alignment`.
llvm::Value* aligned_up(llvm::IRBuilderBase& builder, llvm::Value* address, std::uint64_t alignment);

} // namespace hostcl::compiler
