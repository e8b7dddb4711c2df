#pragma once

// Places in a thread's scratch memory, whose parts begin at multiples of abi::scratch_alignment, for objects with a
// larger alignment.

#include <cstdint>

namespace llvm {
class IRBuilderBase;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Bytes that an object needs in addition to its size when its place is a multiple of
/// abi::scratch_alignment and it must have a larger alignment, as `__attribute__((aligned(256)))` asks for.
std::uint64_t padding_for(std::uint64_t alignment);

/// The first multiple of `alignment` from `address` on, which is a multiple of abi::scratch_alignment.
llvm::Value* aligned_up(llvm::IRBuilderBase& builder, llvm::Value* address, std::uint64_t alignment);

} // namespace hostcl::compiler
