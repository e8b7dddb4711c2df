#pragma once

// Works around a fault of LLVM 22's InstCombine (not reported yet; the test has the text of a report): hides
// conversions of vectors of pointers to integers from it. For a comparison of two such vectors, InstCombine looks for a
// base that both have in common and rewrites the addresses as offsets of the base. If a scalar address is among them,
// InstCombine replaces it by a vector for all its users, which is invalid. The vectoriser therefore writes calls
// (2_vector/memory/address_numbers.hpp), and the pass lowers them:
//
//   before:  %n = call <8 x i64> @__hostcl_addresses.v8p1(<8 x ptr addrspace(1)> %p)
//   after:   %n = ptrtoint <8 x ptr addrspace(1)> %p to <8 x i64>
//
// In: any module, after the last run of InstCombine. Out: no such function.
// When the run FAULT of tests/passes/6_host/llvm_22/plain_addresses_fault.ll fails, LLVM is mended: the vectoriser may write
// ptrtoint, and the pass may go.

#include "llvm/IR/PassManager.h"

namespace llvm {
class Type;
}

namespace hostcl::compiler {

/// Declares the function for a type, which must be a vector of pointers.
llvm::Function* declare_addresses(llvm::Module& module, llvm::Type* pointers);

} // namespace hostcl::compiler
