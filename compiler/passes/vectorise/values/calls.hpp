#pragma once

// Calls: LLVM's vector intrinsics, the intrinsics of docs/kernel-ir.md, and calls that must run lane by lane.
// Tests: tests/passes/vectorise/vectorise_calls.ll.
//
// Traps (passes/prepare/lower_traps.hpp) are one call, for the first lane that traps.
//
// Packets of pipes that all lanes reserve and commit together (pipe_lanes): pipe of bench/ is 8 times, pipe_filter 4.4
// times as fast as with one call for each lane on a Xeon with AVX-512, pipe 5 times on 2 cores of an AMD EPYC. Huge angles
// that all lanes reduce together (huge_angles): sines 4.6, the noise of shaders 4.2, oscillators 4.1 times as fast there.

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
