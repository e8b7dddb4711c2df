#pragma once

// Traps end the launch, not the process: each becomes a call of a service that does not return (abi::Services::trap).
//
//   before:   br i1 %bad, label %wrong, label %right
//           wrong:
//             call void @llvm.trap()
//             unreachable
//
//   after:    br i1 %bad, label %wrong, label %right
//           wrong:
//             call void @__hostcl_trap(i64 global ids x 3, ptr addrspace(1) @site, i64 0, i64 0, i64 0, i64 0)
//             br label %right
//
// The branch after the call is never taken. It keeps the kernel's shape: a trap is neither a return, which barriers
// after it would have to know of, nor an exit of the loops around it. A block that several branches lead to is copied
// for each, with what it leads to, so that values which dominate %right still do. In a kernel that traps in any case, a
// return follows the trap.
//
// Traps are llvm.trap, llvm.debugtrap and llvm.ubsantrap, the functions abort(), __assert_fail() and
// __devicelib_assert_fail(), if the program leaves them undefined, and what is left of `unreachable` after something
// that the work-item does before it. A block that is nothing but `unreachable` stays one: LLVM has drawn its
// conclusions from it.
//
// In:  kernels whose calls are inlined, in SSA form, in front of the vectoriser. Functions that stay calls
//      call a function of the host instead (compiler/isolation/trap_handler.hpp), which knows the kernel but not the work-item.
// Tests: tests/passes/prepare/lower_traps*.ll

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

/// The code that clang gives llvm.ubsantrap for unreachable code.
inline constexpr unsigned char unreachable_trap_code = 1;
/// Traps as abort() does. Its argument is a constant text, which may be empty.
inline constexpr llvm::StringLiteral abort_name = "__hostcl_abort";
/// Traps where a call through a pointer finds no function (compiler/modules/indirect_calls.hpp).
inline constexpr llvm::StringLiteral no_function_name = "__hostcl_no_function";

/// Whether calls of the function trap.
bool is_trap(const llvm::Function& function);
/// Whether the instruction is a call of the service.
bool is_trap_call(const llvm::Instruction& instruction);
/// Whether a kernel in the module may call the service.
bool has_traps(const llvm::Module& module);

struct LowerTrapsPass : llvm::PassInfoMixin<LowerTrapsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
