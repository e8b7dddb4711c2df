#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/check.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/values/source_places.hpp"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;
using hostcl::compiler::Intrinsic;

namespace {

constexpr StringRef callback_name = "__hostcl_trap", in_call_name = "__hostcl_trap_in_call";
/// Functions of C and of SYCL's device library that end a program. Those of assertions begin with the parameters
/// (expression, file, line, function).
constexpr StringRef ending_functions[] = {"abort", abort_name, no_function_name, "__assert_fail",
                                          "__devicelib_assert_fail"};

bool is_unreachable_alone(const BasicBlock& block) {
  return isa<UnreachableInst>(&*block.getFirstNonPHIOrDbgOrLifetime());
}

SmallVector<Value*, 4> texts_of(CallInst& call) {
  constexpr unsigned expression = 0, file = 1, line = 2, function = 3, count = 4;
  if (call.arg_size() < count) return {};
  for (unsigned text : {expression, file, function})
    if (!call.getArgOperand(text)->getType()->isPointerTy()) return {};
  if (!call.getArgOperand(line)->getType()->isIntegerTy()) return {};
  IRBuilder<> builder(&call);
  SmallVector<Value*, 4> texts;
  for (unsigned i = 0; i < count; ++i) {
    Value* value = call.getArgOperand(i);
    texts.push_back(i == line ? builder.CreateZExtOrTrunc(value, builder.getInt64Ty())
                              : builder.CreatePtrToInt(value, builder.getInt64Ty()));
  }
  return texts;
}

/// The constant text that is the argument of a call of abort_name; empty if there is none.
StringRef text_of_abort(const CallInst& call) {
  const auto* variable = dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  const auto* text = variable && variable->hasInitializer()
                         ? dyn_cast<ConstantDataArray>(variable->getInitializer())
                         : nullptr;
  return text && text->isCString() ? text->getAsCString() : "";
}

std::string what_of(const Instruction& trap) {
  constexpr const char* unreachable = "code that is declared unreachable";
  const auto* call = dyn_cast<CallInst>(&trap);
  if (!call) return unreachable;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::trap:
    return "a trap";
  case llvm::Intrinsic::debugtrap:
    return "a breakpoint";
  case llvm::Intrinsic::ubsantrap: {
    const auto code = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
    return code == unreachable_trap_code ? unreachable : "undefined behaviour";
  }
  default:
    break;
  }
  const StringRef name = call->getCalledFunction()->getName();
  if (name == no_function_name) return "a call through a pointer that is not a function of the call's type";
  if (name != "abort" && name != abort_name) return "an assertion";
  const StringRef text = name == abort_name && call->arg_size() == 1 ? text_of_abort(*call) : "";
  return text.empty() ? "abort()" : ("abort(): " + text).str();
}

const Function* called_trap(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && is_trap(*callee) ? callee : nullptr;
}

CallInst* first_trap(BasicBlock& block) {
  const auto found = find_if(block, [](const Instruction& each) { return called_trap(each) != nullptr; });
  return found == block.end() ? nullptr : cast<CallInst>(&*found);
}

/// The instruction that traps in the block: a call, or an `unreachable` after other instructions. Null if the block
/// does not trap.
Instruction* trap_in(BasicBlock& block) {
  if (!isa<UnreachableInst>(block.getTerminator()) || is_unreachable_alone(block)) return nullptr;
  CallInst* call = first_trap(block);
  return call ? call : block.getTerminator();
}

/// Ends each block with `unreachable` after its first call that traps, also if the called function is not declared
/// noreturn. @returns whether anything may trap
bool cut_after_traps(Function& function) {
  bool has_traps = false;
  for (BasicBlock& block : function) {
    CallInst* call = first_trap(block);
    if (call && !isa<UnreachableInst>(call->getNextNode())) changeToUnreachable(call->getNextNode());
    has_traps |= trap_in(block) != nullptr;
  }
  if (has_traps) removeUnreachableBlocks(function);
  return has_traps;
}

Value* global_id(IRBuilder<>& builder, unsigned dimension) {
  Module& module = *builder.GetInsertBlock()->getModule();
  const auto query = [&](Intrinsic intrinsic) {
    return builder.CreateCall(declare_intrinsic(module, intrinsic), {builder.getInt32(dimension)});
  };
  Value* first = builder.CreateMul(query(Intrinsic::group_id), query(Intrinsic::enqueued_local_size));
  return builder.CreateAdd(builder.CreateAdd(first, query(Intrinsic::local_id)),
                           query(Intrinsic::global_offset));
}

/// The constant abi::TrapSite.
Constant* site_of(const Instruction& trap) {
  Module& module = *const_cast<Module*>(trap.getModule());
  const SourcePlace place = source_place(trap);
  Type* i32 = Type::getInt32Ty(module.getContext());
  Constant* site =
      ConstantStruct::getAnon({text_in(module, what_of(trap)), text_in(module, place.file_name()),
                               text_in(module, place.source_line()), ConstantInt::get(i32, place.line),
                               ConstantInt::get(i32, place.column)});
  static_assert(sizeof(abi::TrapSite) == 3 * 8 + 2 * 4);
  return new GlobalVariable(module, site->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, site,
                            metadata::trap);
}

Function& declare_callback(Module& module, Type* site) {
  LLVMContext& context = module.getContext();
  Type* i64 = Type::getInt64Ty(context);
  auto* type = FunctionType::get(Type::getVoidTy(context), {i64, i64, i64, site, i64, i64, i64, i64}, false);
  auto& callback = *cast<Function>(module.getOrInsertFunction(callback_name, type).getCallee());
  callback.setDoesNotThrow();
  callback.addFnAttr(Attribute::Cold);
  return callback;
}

/// Replaces the block's trap by a call of the callback and a branch to `next`, or by a return if `next` is null.
void lower(BasicBlock& block, BasicBlock* next) {
  Instruction& trap = *trap_in(block);
  auto* ending = dyn_cast<CallInst>(&trap);
  SmallVector<Value*, 4> texts;
  if (ending && !ending->getCalledFunction()->isIntrinsic()) texts = texts_of(*ending);
  const bool has_texts = !texts.empty();
  IRBuilder<> builder(&trap);
  texts.resize(4, builder.getInt64(0));
  SmallVector<Value*, 8> arguments;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    arguments.push_back(global_id(builder, dimension));
  Constant* site = site_of(trap);
  arguments.push_back(site);
  append_range(arguments, texts);
  CallInst* call = builder.CreateCall(&declare_callback(*block.getModule(), site->getType()), arguments);
  call->setMemoryEffects(has_texts ? MemoryEffects::inaccessibleMemOnly() | MemoryEffects::readOnly()
                                   : MemoryEffects::inaccessibleMemOnly());
  Instruction* end = next ? cast<Instruction>(builder.CreateBr(next)) : builder.CreateRetVoid();
  while (&block.back() != end)
    block.back().eraseFromParent();
}

/// The blocks from which all paths end in a trap. Blocks from which all paths end in a bare `unreachable` are kept
/// apart: they do not trap.
class Doomed {
public:
  explicit Doomed(Function& function) {
    for (BasicBlock* block : post_order(&function)) {
      if (is_unreachable_alone(*block)) {
        unreachable_.insert(block);
      } else if (trap_in(*block)) {
        blocks_.insert(block);
      } else if (!succ_empty(block) && all_of(successors(block), [&](BasicBlock* next) {
                   return has(*next) || unreachable_.contains(next);
                 })) {
        (any_of(successors(block), [&](BasicBlock* next) { return has(*next); }) ? blocks_ : unreachable_)
            .insert(block);
      }
    }
  }

  bool has(const BasicBlock& block) const { return blocks_.contains(&block); }
  /// A successor of the block from which not all paths end in a trap or in `unreachable`; null if there is none.
  BasicBlock* other_way(BasicBlock& from) const {
    for (BasicBlock* next : successors(&from))
      if (!has(*next) && !unreachable_.contains(next)) return next;
    return nullptr;
  }

private:
  SmallPtrSet<const BasicBlock*, 8> blocks_, unreachable_;
};

/// Copies the blocks that can be reached from `first`, for the branch from `from` to `first`. They contain no loop,
/// because all paths end in a trap. @returns the copies, beginning with the copy of `first`
SmallVector<BasicBlock*, 8> copy_for(BasicBlock& from, BasicBlock& first) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock*, 8> copies;
  for (BasicBlock* block : to_vector(depth_first(&first)))
    map[block] = copies.emplace_back(CloneBasicBlock(block, map, "", from.getParent()));
  remapInstructionsInBlocks(copies, map);
  const SmallPtrSet<BasicBlock*, 8> own(copies.begin(), copies.end());
  for (BasicBlock* copy : copies)
    for (PHINode& phi : make_early_inc_range(copy->phis())) {
      if (copy == copies.front()) {
        phi.replaceAllUsesWith(phi.getIncomingValueForBlock(&from));
        phi.eraseFromParent();
        continue;
      }
      phi.removeIncomingValueIf([&](unsigned i) { return !own.contains(phi.getIncomingBlock(i)); },
                                /*DeletePHIIfEmpty=*/false);
    }
  return copies;
}

/// Gives the branch from `from` to `first` a copy of the blocks after it; the copy branches to `next` after the trap.
void lower_branch(BasicBlock& from, BasicBlock& first, BasicBlock& next) {
  const SmallVector<BasicBlock*, 8> copies = copy_for(from, first);
  Instruction* branch = from.getTerminator();
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    if (branch->getSuccessor(i) != &first) continue;
    first.removePredecessor(&from, /*KeepOneInputPHIs=*/true);
    branch->setSuccessor(i, copies.front());
  }
  for (BasicBlock* copy : copies) {
    if (!trap_in(*copy)) continue;
    lower(*copy, &next);
    for (PHINode& phi : next.phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&from), copy);
  }
}

/// Lowers the traps of a function that is still called: they call the host function that needs no launch.
void lower_in_call(Function& function) {
  Module& module = *function.getParent();
  for (BasicBlock& block : function) {
    Instruction* trap = trap_in(block);
    if (!trap) continue;
    Constant* site = site_of(*trap);
    IRBuilder<> builder(trap);
    FunctionCallee host = module.getOrInsertFunction(in_call_name, builder.getVoidTy(), site->getType());
    CallInst* call = builder.CreateCall(host, {site});
    call->setDoesNotReturn();
    call->setDoesNotThrow();
    call->addFnAttr(Attribute::Cold);
    if (isa<CallInst>(trap)) trap->eraseFromParent();
  }
}

} // namespace

bool is_trap(const Function& function) {
  switch (function.getIntrinsicID()) {
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap:
  case llvm::Intrinsic::ubsantrap:
    return true;
  default:
    return function.isDeclaration() && is_contained(ending_functions, function.getName());
  }
}

bool is_trap_call(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == callback_name;
}

bool has_traps(const Module& module) {
  return any_of(ArrayRef{callback_name, in_call_name}, [&](StringRef name) {
    const Function* function = module.getFunction(name);
    return function && !function->use_empty();
  });
}

PreservedAnalyses lower_traps_pass(Function& function, FunctionAnalysisManager&) {
  if (!cut_after_traps(function)) return PreservedAnalyses::all();
  if (!is_kernel_body(function)) {
    lower_in_call(function);
    return PreservedAnalyses::none();
  }
  const Doomed doomed(function);
  if (doomed.has(function.getEntryBlock())) {
    for (BasicBlock& block : function)
      if (trap_in(block)) lower(block, nullptr);
    return PreservedAnalyses::none();
  }
  SmallVector<std::pair<BasicBlock*, BasicBlock*>, 8> branches;
  for (BasicBlock& block : function) {
    if (doomed.has(block)) continue;
    SmallPtrSet<const BasicBlock*, 4> seen;
    for (BasicBlock* next : successors(&block))
      if (doomed.has(*next) && seen.insert(next).second) branches.emplace_back(&block, next);
  }
  for (auto [from, first] : branches)
    lower_branch(*from, *first, *doomed.other_way(*from));
  removeUnreachableBlocks(function);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
