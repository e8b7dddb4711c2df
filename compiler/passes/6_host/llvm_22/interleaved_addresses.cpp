// Works around a fault of LLVM 22 (not reported yet; the test has the text of a report): the pass InterleavedAccess
// replaces a load and the shuffles that take every second, third or fourth element by an instruction of SVE (ld2, ld3,
// ld4), and passes the address to an intrinsic that takes addresses of address space 0 only. If the address is in
// another address space, the IR is invalid. LLVM makes the same fault with stores. This pass casts the addresses of
// loads and stores that LLVM may replace in this way:
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
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether LLVM may make an interleaved access of the load or store. LLVM's own conditions are narrower. An operation
/// on the whole vector may lie between a load and its shuffles. Scalable vectors come from LLVM's loop vectoriser.
bool may_be_interleaved(const Instruction& access) {
  if (!isa<LoadInst, StoreInst>(access)) return false;
  if (isa<ScalableVectorType>(getLoadStoreType(&access))) return true;
  // LLVM uses SVE for vectors of a fixed size only if it knows the length of a register.
  if (!access.getFunction()->hasFnAttribute(Attribute::VScaleRange)) return false;
  if (isa<StoreInst>(access)) return isa<ShuffleVectorInst>(access.getOperand(0));
  return isa<FixedVectorType>(access.getType()) && any_of(access.users(), [](const User* user) {
           return isa<ShuffleVectorInst, BinaryOperator>(user);
         });
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
  if (!function.getParent()->getTargetTriple().isAArch64()) return PreservedAnalyses::all();
  return change_each(function, cast_address);
}

} // namespace hostcl::compiler
