#pragma once

// Addresses of all lanes as numbers, for comparisons and conversions to integers.
//
// LLVM is never given two vectors of pointers to compare or to subtract. It looks for a base that both have in common,
// and rewrites the addresses on the way to it as offsets of that base; where a scalar address is among them, its other
// users get a vector instead (LLVM 22, InstCombine's comparisons of GEPs and differences of pointers). Nor is it given a
// plain ptrtoint of a vector, from which it would make such a comparison again:
//
//   icmp eq (gep %a, <8 x i64> %x), (gep %a, <8 x i64> %y)
//     ->  icmp eq <8 x i64> (shl %x, 2), (shl %y, 2)
//   icmp eq <8 x ptr> %p, (gep %a, <8 x i64> %y)
//     ->  %n = call <8 x i64> @__hostcl_addresses.v8p1(<8 x ptr> %p)
//         icmp eq <8 x i64> %n, (add (splat (ptrtoint ptr %a)), (shl %y, 2))
//
// passes/codegen/plain_addresses.hpp makes those calls ptrtoint, after the last pass that would look at them.
//
// Tests: tests/passes/vectorise/memory/vectorise_addresses.ll, tests/kernels/language/pointer_walks.cpp

namespace llvm {
class CastInst;
class ICmpInst;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// The numbers of a vector of pointers, <W x i64>, which LLVM knows nothing about.
llvm::Value* opaque_addresses(Emission& e, llvm::Value* pointers);

/// What the comparison of two pointers gives in each lane.
llvm::Value* compare_addresses(Emission& e, const llvm::ICmpInst& compare);

/// A ptrtoint or ptrtoaddr in each lane.
llvm::Value* numbers_of_addresses(Emission& e, const llvm::CastInst& cast);

} // namespace hostcl::compiler
