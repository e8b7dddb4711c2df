#pragma once

// Lowers the calls that hide conversions of vectors of pointers to integers from LLVM's optimisations:
//
//   before:  %n = call <8 x i64> @__hostcl_addresses.v8p1(<8 x ptr addrspace(1)> %p)
//   after:   %n = ptrtoint <8 x ptr addrspace(1)> %p to <8 x i64>
//
// In: any module, after the last run of InstCombine (vectorise/memory/address_numbers.hpp explains why).
// Out: no such function. Test: tests/passes/codegen/plain_addresses.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class Type;
}

namespace hostcl::compiler {

/// Declares the function for a type, which must be a vector of pointers.
llvm::Function* declare_addresses(llvm::Module& module, llvm::Type* pointers);

} // namespace hostcl::compiler
