// Works around a fault of LLVM 22 (not reported yet; the test has the text of a report): the pass InterleavedAccess
// replaces a load and the shuffles that take every second, third or fourth element by an instruction of SVE (ld2, ld3,
// ld4), and passes the address to an intrinsic that takes addresses of address space 0 only. If the address is in
// another address space, the IR is invalid. Stores have the same fault. This pass casts the addresses of such accesses:
//
//   before:  %v = load <16 x float>, ptr addrspace(1) %p
//   after:   %q = addrspacecast ptr addrspace(1) %p to ptr
//            %v = load <16 x float>, ptr %q
//
// All address spaces are the same on the host, so nothing else changes.
//
// In: any function, just before code generation. Out: no access in another address space that LLVM may replace.
// When the run FAULT of tests/passes/6_host/llvm_22/interleaved_addresses_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether LLVM may make an interleaved access of the load or store. LLVM's own conditions are narrower. An operation
/// on the whole vector may lie between a load and its shuffles.
bool may_be_interleaved(const Instruction& access) {
  if (isa<LoadInst>(access))
    return isa<FixedVectorType>(access.getType()) && any_of(access.users(), [](const User* user) {
             return isa<ShuffleVectorInst, BinaryOperator>(user);
           });
  return isa<StoreInst>(access) && isa<ShuffleVectorInst>(access.getOperand(0));
}

bool cast_address(Instruction& instruction) {
  if (!may_be_interleaved(instruction)) return false;
  const unsigned place = isa<StoreInst>(instruction) ? StoreInst::getPointerOperandIndex() : 0;
  Value* address = instruction.getOperand(place);
  IRBuilder<> build(&instruction);
  if (address->getType() == build.getPtrTy()) return false;
  instruction.setOperand(place, build.CreateAddrSpaceCast(address, build.getPtrTy()));
  return true;
}

} // namespace

PreservedAnalyses interleaved_addresses_pass(Function& function, FunctionAnalysisManager&) {
  if (!function.hasFnAttribute(Attribute::VScaleRange)) return PreservedAnalyses::all();
  return change_each(function, cast_address);
}

} // namespace hostcl::compiler
