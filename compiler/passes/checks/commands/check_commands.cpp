// Records accesses to memory that commands share, for HOSTCL_CHECK=commands: the host compares the accesses of commands
// that nothing orders.
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   call void @__hostcl_command_access(i64 %address, i64 4, i32 1, ptr @site)
//            store float %x, ptr addrspace(1) %p
//
// Recorded are accesses to global memory, to pixels, and to constant memory that does not belong to the program; not
// recorded are accesses through generic pointers of unknown address space. A compare-exchange is recorded after it has
// run, because a failed one only reads.
//
// In:  kernels in SSA form whose calls are inlined, before the vectoriser. Until here they have the attribute
//      sanitize_thread, so that no pass adds an access.
// Tests: tests/passes/checks/check_commands.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/race_accesses.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Writes the description of an access for the host. @param builder must be after the instruction if it is a
/// compare-exchange
Value* how_of(IRBuilder<>& builder, const SharedAccess& access, bool orders) {
  const std::uint32_t atomic =
      access.is_atomic() ? abi::command_is_atomic | (orders ? abi::command_orders : 0) : 0;
  Value* writes = builder.getInt32(atomic | abi::command_writes);
  if (isa<AtomicCmpXchgInst>(access.instruction))
    return builder.CreateSelect(builder.CreateExtractValue(access.instruction, 1), writes,
                                builder.getInt32(atomic));
  return access.writes() ? writes : builder.getInt32(atomic);
}

void tell(const SharedAccess& access, bool has_fences) {
  const bool is_exchange = isa<AtomicCmpXchgInst>(access.instruction);
  IRBuilder<> builder(is_exchange ? access.instruction->getNextNode() : access.instruction);
  builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
  Value* address = builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty());
  call_host(builder, "__hostcl_command_access", builder.getVoidTy(),
            {address, builder.CreateZExtOrTrunc(access.bytes(), builder.getInt64Ty()),
             how_of(builder, access, order_of(access, has_fences) != 0), site_of(access, Check::commands)});
}

} // namespace

PreservedAnalyses check_commands_pass(Function& function, FunctionAnalysisManager&,
                                      const Switches& switches) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  const bool fences = has_fences(function);
  for (const SharedAccess& access : command_accesses(function))
    tell(access, fences);
  if (!switches.is_checked(Check::races)) function.removeFnAttr(Attribute::SanitizeThread);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
