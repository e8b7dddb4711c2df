#pragma once

// Calls: LLVM's vector intrinsics, the intrinsics of docs/kernel-ir.md, and calls that must run lane by lane.
// Tests: tests/passes/vectorise/vectorise_calls.ll.
//
// Traps (passes/prepare/lower_traps.hpp) are one call, for the first lane that traps.
//
// Packets of pipes that all lanes reserve and commit together: pipe of bench/, on 2 cores of an AMD EPYC, is 5
// times as fast as with one call for each lane.

namespace llvm {
class CallInst;
}

namespace hostcl::compiler {

class Emission;

void emit_call(Emission& e, llvm::CallInst& call);
/// Calls LLVM's vector form of an intrinsic.
void emit_vector_intrinsic(Emission& e, llvm::CallInst& call);
/// Whether the call does nothing and cannot fault if no lane is active.
bool is_masked_call(const Emission& e, const llvm::CallInst& call);

} // namespace hostcl::compiler
