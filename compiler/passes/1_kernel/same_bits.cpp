// Gives all floating-point operations of a kernel results that do not depend on the CPU, for HOSTCL_BITS=same
// (docs/maths.md):
//
//  - The code generator fuses fmuladd only if the CPU has such an instruction:
//      %r = call float @llvm.fmuladd.f32(float %x, float %y, float %z)
//        =>   %p = fmul float %x, %y
//             %r = fadd float %p, %z
//  - Which zero minnum and maxnum of 0 and -0 return depends on the CPU's instruction. The pass makes them return the
//    first operand:
//      %r = call float @llvm.minnum.f32(float %x, float %y)
//        =>   %m = select (fcmp olt %y, %x), %y, %x
//             %r = select (fcmp uno %x, %x), %y, %m
//  - Fast-math flags and similar attributes permit rewriting that depends on the vector width and on the costs of the
//    CPU's instructions. They are dropped.
//  - Floating-point atomics get metadata::serial: the operands of several lanes are applied to memory one after the
//    other, and are not combined before.
//  - CPUs differ in when they flush a subnormal result to zero (x86 after rounding, AArch64 before). The module flag
//    hostcl.flush_denormals is dropped: -cl-denorms-are-zero permits flushing, but does not require it.
//
// Calls of llvm.fma stay as they are: they round once on every CPU.
//
// In: a module of one kernel, with the library linked. The pass runs again after vectorisation, for the minnum and
// maxnum that the vectoriser has made of sub-group operations. Tests: tests/passes/1_kernel/same_bits.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/metadata.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

void drop_flag(llvm::Module& module, StringRef flag) {
  NamedMDNode* flags = module.getModuleFlagsMetadata();
  if (!flags) return;
  const SmallVector<MDNode*> all(flags->operands());
  flags->clearOperands();
  for (MDNode* node : all)
    if (cast<MDString>(node->getOperand(1))->getString() != flag) flags->addOperand(node);
}

/// Drops the attributes of the result and the parameters that exclude NaN, infinity and other values.
template <class FunctionOrCall>
void drop_value_classes(FunctionOrCall& function) {
  AttributeMask classes;
  classes.addAttribute(Attribute::NoFPClass);
  function.removeRetAttrs(classes);
  for (unsigned i = 0; i < function.arg_size(); ++i)
    function.removeParamAttrs(i, classes);
}

void drop_fast_math(Function& function) {
  for (const char* attribute : {"no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math",
                                "unsafe-fp-math", "approx-func-fp-math"})
    function.removeFnAttr(attribute);
  drop_value_classes(function);
  for (Instruction& instruction : instructions(function)) {
    if (isa<FPMathOperator>(instruction)) instruction.copyFastMathFlags(FastMathFlags());
    if (auto* call = dyn_cast<CallBase>(&instruction)) drop_value_classes(*call);
  }
}

/// y if it precedes x or x is NaN, else x.
Value* chosen(IRBuilder<>& build, CmpInst::Predicate precedes, Value* x, Value* y) {
  Value* chosen = build.CreateSelect(build.CreateFCmp(precedes, y, x), y, x);
  return build.CreateSelect(build.CreateFCmpUNO(x, x), y, chosen);
}

/// The instructions that replace an intrinsic, or null.
Value* replacement(IntrinsicInst& call) {
  IRBuilder<> build(&call);
  switch (call.getIntrinsicID()) {
  case Intrinsic::fmuladd:
    return build.CreateFAdd(build.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
                            call.getArgOperand(2));
  case Intrinsic::minnum:
    return chosen(build, CmpInst::FCMP_OLT, call.getArgOperand(0), call.getArgOperand(1));
  case Intrinsic::maxnum:
    return chosen(build, CmpInst::FCMP_OGT, call.getArgOperand(0), call.getArgOperand(1));
  default:
    return nullptr;
  }
}

void fix_results(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update && update->isFloatingPointOperation())
      update->setMetadata(metadata::serial, MDNode::get(function.getContext(), {}));
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    Value* value = call ? replacement(*call) : nullptr;
    if (!value) continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses same_bits_pass(llvm::Module& module, ModuleAnalysisManager&) {
  drop_flag(module, metadata::flush_denormals);
  for (Function& function : module) {
    drop_fast_math(function);
    fix_results(function);
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler
