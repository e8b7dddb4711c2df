#pragma once

// Assigns offsets in the group's block of local memory to variables in local memory, from 0 on.
//
//   before:  @k.tile = internal addrspace(3) global [256 x float] undef, align 4
//            store float %x, ptr addrspace(3) @k.tile
//   after:   %local = call ptr addrspace(3) @__hostcl_local_base()
//            %tile = getelementptr inbounds i8, ptr addrspace(3) %local, i64 0
//            store float %x, ptr addrspace(3) %tile
//
// In: everything that the kernel calls is inlined. `local` arguments are not changed here; `kernel-entry` places them
// after the variables.
// Tests: tests/passes/3_group/local_memory*.ll

#include "llvm/IR/PassManager.h"

#include <cstdint>

namespace hostcl::compiler {

/// Bytes of the kernel's variables in local memory, including the scratch memory of work-group functions: a multiple of
/// abi::scratch_alignment. The result is the same before and after the pass; calls must have been inlined.
std::uint64_t static_local_bytes(const llvm::Function& kernel);

} // namespace hostcl::compiler
