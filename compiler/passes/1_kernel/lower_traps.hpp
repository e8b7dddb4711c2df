#pragma once

// Lowers traps to host callbacks, so that a trap ends the launch instead of the process. The callback
// (abi::HostCallbacks::trap) does not return.
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
// The branch after the call is never taken. It keeps the control flow simple: if the trap ended in a return, barriers
// after it would no longer be reached by all work-items, and if it ended in `unreachable`, the loops around it would
// have another exit. A block that is reached by several branches, and everything that it leads to, is copied for each
// branch: otherwise values that dominate %right would no longer dominate it. In a kernel that traps on every path, a
// return follows the trap.
//
// Traps are llvm.trap, llvm.debugtrap and llvm.ubsantrap; the functions abort(), __assert_fail() and
// __devicelib_assert_fail() if the program leaves them undefined; and an `unreachable` that follows other instructions
// of its block. A block that holds nothing but `unreachable` stays: LLVM has already used it to simplify the branches
// that lead to the block.
//
// In:  kernels whose calls are inlined, in SSA form, before the vectoriser. Functions that are still called get a call
//      of a host function instead (compiler/isolation/trap_handler.hpp), which knows the kernel but not the work-item.
// Tests: tests/passes/1_kernel/lower_traps*.ll

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

/// The argument of llvm.ubsantrap that clang uses for unreachable code.
inline constexpr unsigned char unreachable_trap_code = 1;
/// The name of a function that traps as abort() does. Its argument is a constant text, which may be empty.
inline constexpr llvm::StringLiteral abort_name = "__hostcl_abort";
/// The name of a function that traps because a call through a pointer has found no function of the program
/// (compiler/modules/indirect_calls.hpp).
inline constexpr llvm::StringLiteral no_function_name = "__hostcl_no_function";

/// Whether a call of the function is a trap that this pass lowers.
bool is_trap(const llvm::Function& function);
/// Whether the instruction is a call of the callback, `__hostcl_trap`.
bool is_trap_call(const llvm::Instruction& instruction);
/// Whether the module calls the callback, or the host function for traps in called functions.
bool has_traps(const llvm::Module& module);

} // namespace hostcl::compiler
