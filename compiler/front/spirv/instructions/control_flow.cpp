// Reads blocks and the instructions that end them.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/functions.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/IR/CFG.h"
#include "llvm/IR/MDBuilder.h"

#include <set>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns whether a switch in `from` goes to the block only for values that have no case.
bool is_default_of(const BasicBlock& from, const BasicBlock& block) {
  const auto* choice = dyn_cast<SwitchInst>(from.getTerminator());
  return choice && choice->getDefaultDest() == &block &&
         none_of(choice->cases(), [&](const auto& each) { return each.getCaseSuccessor() == &block; });
}

MDNode* hint(Reader& r, StringRef name, std::optional<std::uint32_t> number = {}) {
  SmallVector<Metadata*, 2> parts = {MDString::get(r.context(), name)};
  if (number) parts.push_back(ConstantAsMetadata::get(r.ir().getInt32(*number)));
  return MDNode::get(r.context(), parts);
}

} // namespace

void read_label(Reader& r, Operands in) {
  r.begin_block(in.id());
}

Value* read_phi(Reader& r, const Type& type, Operands in) {
  PHINode* phi = r.ir().CreatePHI(type.ir, static_cast<unsigned>(in.size() / 2));
  std::vector<std::pair<Id, Id>> incoming;
  while (!in.empty()) {
    const Id value = in.id();
    incoming.emplace_back(value, in.id());
  }
  r.add_phi(phi, type, std::move(incoming));
  return phi;
}

/// Reads OpLoopMerge and OpLoopControlINTEL (SPV_INTEL_unstructured_loop_controls). OpLoopMerge begins with a merge
/// block and a continue target. Both are ignored: the branches show what a loop is, and some producers name wrong
/// blocks. The hints that follow are read.
void read_loop_merge(Reader& r, Operands in) {
  if (in.op() == spv::OpLoopMerge) {
    in.id();
    in.id();
  }
  const std::uint32_t control = in.word();
  SmallVector<Metadata*, 4> hints = {nullptr};
  if (control & spv::LoopControlDontUnrollMask) hints.push_back(hint(r, "llvm.loop.unroll.disable"));
  // The operands of the control bits follow in the order of the bits.
  for (const auto mask : {spv::LoopControlDependencyLengthMask, spv::LoopControlMinIterationsMask,
                          spv::LoopControlMaxIterationsMask, spv::LoopControlIterationMultipleMask,
                          spv::LoopControlPeelCountMask})
    if (control & mask) in.word();
  const std::uint32_t count = control & spv::LoopControlPartialCountMask ? in.word() : 0;
  if (count > 1)
    hints.push_back(hint(r, "llvm.loop.unroll.count", count));
  else if (control & spv::LoopControlUnrollMask)
    hints.push_back(hint(r, "llvm.loop.unroll.enable"));
  if (hints.size() == 1) return;
  MDNode* loop = MDNode::getDistinct(r.context(), hints);
  loop->replaceOperandWith(0, loop);
  r.set_loop_hints(loop);
}

void read_branch(Reader& r, Operands in) {
  r.ir().CreateBr(r.block(in.id()));
  r.end_block();
}

void read_branch_conditional(Reader& r, Operands in) {
  const TypedValue condition = r.scalar_boolean(in.id());
  BasicBlock *if_true = r.block(in.id()), *if_false = r.block(in.id());
  BranchInst* branch = r.ir().CreateCondBr(condition.value, if_true, if_false);
  if (in.size() >= 2) {
    const std::uint32_t weights[] = {in.word(), in.word()};
    branch->setMetadata(LLVMContext::MD_prof, MDBuilder(r.context()).createBranchWeights(weights));
  }
  r.end_block();
}

void read_switch(Reader& r, Operands in) {
  const TypedValue selector = r.scalar_integer(in.id());
  SwitchInst* chosen = r.ir().CreateSwitch(selector.value, r.block(in.id()));
  const unsigned bits = selector.type->ir->getIntegerBitWidth();
  const auto is_less = [](const APInt& a, const APInt& b) { return a.ult(b); };
  // Not a DenseSet, as that reserves two values for itself and a literal may be any number.
  std::set<APInt, decltype(is_less)> seen(is_less);
  while (!in.empty()) {
    const APInt value = in.integer(bits);
    BasicBlock* target = r.block(in.id());
    if (!seen.insert(value).second) refuse("two of its literals are the same");
    chosen->addCase(ConstantInt::get(r.context(), value), target);
  }
  r.end_block();
}

void read_return(Reader& r, Operands) {
  if (!r.function().getReturnType()->isVoidTy()) refuse("the function returns a value");
  r.ir().CreateRetVoid();
  r.end_block();
}

void read_return_value(Reader& r, Operands in) {
  const TypedValue value = r.operand(in.id());
  if (r.function().getReturnType() != value.type->ir) refuse("the function returns a value of another type");
  r.ir().CreateRet(value.value);
  r.end_block();
}

void read_unreachable(Reader& r, Operands) {
  r.ir().CreateUnreachable();
  r.end_block();
}

void trap_where_unreachable(Function& function) {
  for (BasicBlock& block : function) {
    auto* end = dyn_cast<UnreachableInst>(block.getTerminator());
    if (!end || (pred_empty(&block) && !block.isEntryBlock())) continue;
    const bool is_alone = &block.front() == end;
    if (is_alone &&
        all_of(predecessors(&block), [&](BasicBlock* from) { return is_default_of(*from, block); }))
      continue;
    const auto* last = is_alone ? nullptr : dyn_cast<CallInst>(end->getPrevNode());
    if (last && last->getCalledFunction() && is_trap(*last->getCalledFunction())) continue;
    IRBuilder<> builder(end);
    builder.CreateIntrinsic(Intrinsic::ubsantrap, {}, {builder.getInt8(unreachable_trap_code)});
  }
}

void write_abort(Reader& r, StringRef text) {
  // The text is in the constant address space: variables in the global address space count as variables of
  // the program.
  Constant* data = ConstantDataArray::getString(r.context(), text);
  auto* copy =
      new GlobalVariable(r.module(), data->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, data,
                         "abort.text", nullptr, GlobalValue::NotThreadLocal, constant_space);
  FunctionCallee abort = r.module().getOrInsertFunction(abort_name, r.ir().getVoidTy(), copy->getType());
  r.ir().CreateCall(abort, {copy});
  r.ir().CreateUnreachable();
}

void read_abort(Reader& r, Operands in) { // SPV_KHR_abort
  const Type& type = r.value_type(in.id());
  const auto* text = dyn_cast<ConstantDataArray>(r.of_type(in.id(), type));
  const bool is_text = text && text->getElementType()->isIntegerTy(8);
  write_abort(r, is_text ? text->getRawDataValues().split('\0').first : StringRef());
  r.end_block();
}

} // namespace hostcl::compiler::spirv
