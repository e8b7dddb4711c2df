#pragma once

// Writes the atomic operations of all lanes: read-modify-write operations (atomics.cpp) and compare-exchanges
// (compare_exchange.cpp). The results are those of some serial order of the work-items, as OpenCL requires.

namespace llvm {
class AtomicCmpXchgInst;
class AtomicRMWInst;
} // namespace llvm

namespace hostcl::compiler {

class AppendStores;
class Emission;

/// @param appends is told of each atomic counter that gives consecutive indices to the lanes
void emit_atomic(Emission& e, llvm::AtomicRMWInst& atomic, AppendStores& appends);
void emit_compare_exchange(Emission& e, llvm::AtomicCmpXchgInst& exchange);

} // namespace hostcl::compiler
