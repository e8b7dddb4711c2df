#pragma once

// Converts the addresses of all lanes to integers, for comparisons and for ptrtoint.
//
// LLVM must not see a comparison or difference of two vectors of pointers, because InstCombine breaks the users of
// scalar addresses that the vectors are computed from (passes/6_host/llvm_22/plain_addresses.hpp). LLVM must not see an
// ordinary ptrtoint of a vector either, because it would turn the ptrtoint into such a comparison again. So the
// vectoriser compares integers, and hides the conversion in a call, which becomes a ptrtoint after the last run of
// InstCombine:
//
//   icmp eq (gep %a, <8 x i64> %x), (gep %a, <8 x i64> %y)
//     ->  icmp eq <8 x i64> (shl %x, 2), (shl %y, 2)
//   icmp eq <8 x ptr> %p, (gep %a, <8 x i64> %y)
//     ->  %n = call <8 x i64> @__hostcl_addresses.v8p1(<8 x ptr> %p)
//         icmp eq <8 x i64> %n, (add (splat (ptrtoint ptr %a)), (shl %y, 2))
//
// Tests: tests/passes/2_vector/memory/vectorise_addresses.ll, tests/kernels/language/pointer_walks.cpp

namespace llvm {
class CastInst;
class ICmpInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// The addresses of a vector of pointers as <W x i64>, by a call that LLVM cannot look into.
llvm::Value* opaque_addresses(Emission& e, llvm::Value* pointers);

/// Writes the comparison of two pointers for all lanes.
llvm::Value* compare_addresses(Emission& e, const llvm::ICmpInst& compare);

/// Writes a ptrtoint or ptrtoaddr for all lanes.
llvm::Value* numbers_of_addresses(Emission& e, const llvm::CastInst& cast);

} // namespace hostcl::compiler
