#pragma once

// Finds addresses that no two work-items share, as &sums[get_global_id(0)].

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Whether `address` is a sum of multiples of ids, of all those that `kernel` asks for, and so most likely
/// different for each work-item. This is for decisions about speed alone: multiples can be zero or coincide.
/// Test: tests/passes/atomics/deferrable_atomics.ll
bool differs_between_work_items(const llvm::Value& address, const llvm::Function& kernel);

} // namespace hostcl::compiler
