#pragma once

// Atomic operations of all lanes: read-modify-write operations (atomics.cpp) and compare-exchanges
// (compare_exchange.cpp). Results are those of some serial order of the work-items.

namespace llvm {
class AtomicCmpXchgInst;
class AtomicRMWInst;
} // namespace llvm

namespace hostcl::compiler {

class AppendStores;
class Emission;

/// @param appends gets to know of the places that the atomic hands out
void emit_atomic(Emission& e, llvm::AtomicRMWInst& atomic, AppendStores& appends);
void emit_compare_exchange(Emission& e, llvm::AtomicCmpXchgInst& exchange);

} // namespace hostcl::compiler
