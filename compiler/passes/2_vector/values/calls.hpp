#pragma once

// Writes calls for all lanes: LLVM's vector intrinsics, functions of the driver that take all lanes at once, and calls
// for the first active lane.
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

/// Calls LLVM's vector form of an intrinsic.
void emit_vector_intrinsic(Emission& e, llvm::CallInst& call);
/// Calls the driver's function that takes all lanes at once (ManyForm).
void emit_for_all_lanes(Emission& e, llvm::CallInst& call);
/// Writes a call for the first active lane only: a call that does not return, or one that a single lane makes for all.
void emit_for_first_lane(Emission& e, llvm::CallInst& call);

} // namespace hostcl::compiler
