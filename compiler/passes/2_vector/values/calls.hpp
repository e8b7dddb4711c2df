#pragma once

// Writes calls for all lanes: LLVM's vector intrinsics, the intrinsics of docs/kernel-ir.md, functions of the driver
// that take all lanes at once, and calls that must be executed lane by lane.
//
// A trap (passes/1_kernel/lower_traps.hpp) is one call, for the first active lane.
//
// Gains of calls for all lanes at once: reserving and committing packets of pipes (pipe_lanes), pipe of bench/ is 8
// times, pipe_filter 4.4 times as fast as with one call for each lane on a Xeon with AVX-512, pipe 5 times on 2 cores
// of an AMD EPYC. Argument reduction of huge angles (huge_angles): sines 4.6, the noise of shaders 4.2, oscillators 4.1
// times as fast there.
//
// Tests: tests/passes/2_vector/vectorise_calls.ll.

namespace llvm {
class CallInst;
}

namespace hostcl::compiler {

class Emission;

void emit_call(Emission& e, llvm::CallInst& call);
/// Calls LLVM's vector form of an intrinsic.
void emit_vector_intrinsic(Emission& e, llvm::CallInst& call);
/// Whether the call has no effect and cannot fault if no lane is active.
bool is_masked_call(const Emission& e, const llvm::CallInst& call);

} // namespace hostcl::compiler
