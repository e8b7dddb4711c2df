// Checks for uses of uninitialised values (HOSTCL_CHECK=uninitialised, as MemorySanitizer does). Copying such a value
// is allowed; it is reported if it decides something: as a branch's condition, an address or a divisor, or if it is
// stored to global memory, printed, or passed to a function that is still called.
//
// `mark-uninitialised` gives private variables that become SSA values an initial value that no pass can fold:
//
//   before:  %x = alloca i32                     after:   %x = alloca i32
//            %v = load i32, ptr %x                        %u = call i32 @__hostcl_uninitialised.i32()
//                                                         store i32 %u, ptr %x        also at the start of its lifetime
//
// `check-uninitialised` computes a shadow for each value that may be uninitialised: each bit has a shadow bit, which is
// 1 if the bit depends on an uninitialised bit. Memory has shadows as well (shadow_memory.hpp).
//
//   before:  %v = load i32, ptr addrspace(1) %p
//            %w = and i32 %v, %m
//            store i32 %w, ptr addrspace(1) %q
//
//   after:   %v = load i32, ptr addrspace(1) %p
//            %v.shadow = load i32, ptr addrspace(1) %p.shadow
//            %w = and i32 %v, %m
//            %w.shadow = and i32 %v.shadow, %m            for other operations see ShadowValues
//            %wrong = icmp ne i32 %w.shadow, 0
//            if %wrong a report (findings.hpp)
//            store i32 0, ptr addrspace(1) %q.shadow      so that it is reported once; memcpy copies the shadow instead
//            store i32 %w, ptr addrspace(1) %q
//
// Functions that are still called maintain the shadows of global memory but report nothing. Images count as
// initialised.
//
// In:  kernels whose calls are inlined. `check-uninitialised` runs before passes that make use of undefined values, and
//      leaves none: variables are initialised with zeros.
// Tests: tests/passes/checks/uninitialised/, tests/process/undefined_findings.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/1_kernel/lower_printf.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"
#include "compiler/passes/checks/shadow_values.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The function's instructions in reverse post-order, so that operands come before users, except those of phis.
SmallVector<Instruction*, 64> in_order(Function& function) {
  SmallVector<Instruction*, 64> order;
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function))
    for (Instruction& instruction : *block)
      if (!isa<LifetimeIntrinsic>(instruction)) order.push_back(&instruction);
  return order;
}

class UninitialisedChecker {
public:
  explicit UninitialisedChecker(Function& function)
      : function_(function),
        reports_(is_kernel_body(function)),
        order_(in_order(function)),
        memory_(function),
        values_(function, memory_) {}
  void run();

private:
  void visit(Instruction& instruction);
  void visit_store(StoreInst& store);
  void visit_update(AtomicRMWInst& update);
  void visit_exchange(AtomicCmpXchgInst& exchange);
  void visit_fill(MemSetInst& fill);
  void visit_copy(MemTransferInst& copy);
  void visit_call(CallBase& call);

  Value* loaded_shadow(Instruction& instruction);
  Value* kept(Value* shadow, Value& pointer);
  void check(Instruction& instruction, Value& value, StringRef use);
  void check_shadow(Instruction& instruction, Value* shadow, Value& source, StringRef use);
  std::string source_of(const Value& value, const Value*& root) const;
  void add_sources(const Value& value, SmallPtrSetImpl<const Value*>& roots) const;

  struct Check {
    Instruction* instruction;
    Value* wrong;
    Constant* site;
  };
  Function& function_;
  const bool reports_;
  const SmallVector<Instruction*, 64> order_; ///< the original instructions, without code for shadows
  ShadowMemory memory_;
  ShadowValues values_;
  SmallVector<Check, 32> checks_;
};

void UninitialisedChecker::run() {
  for (Instruction* instruction : order_)
    visit(*instruction);
  values_.finish();
  for (const Check& check : checks_)
    report_if(check.wrong, *check.instruction, check.site);
  for (Instruction& instruction : make_early_inc_range(instructions(function_)))
    if (is_marked_uninitialised(instruction)) {
      instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
      instruction.eraseFromParent();
    }
}

void UninitialisedChecker::visit(Instruction& instruction) {
  for (const MemoryAccess& access : memory_accesses(instruction))
    check(instruction, *access.pointer(), "is an address");
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return values_.set(*load, loaded_shadow(*load));
  if (auto* store = dyn_cast<StoreInst>(&instruction)) return visit_store(*store);
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return visit_update(*update);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return visit_exchange(*exchange);
  if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
    check(*memory, *memory->getLength(), "is a size");
    if (auto* fill = dyn_cast<MemSetInst>(memory)) return visit_fill(*fill);
    return visit_copy(cast<MemTransferInst>(*memory));
  }
  if (auto* branch = dyn_cast<BranchInst>(&instruction);
      branch && branch->isConditional() && !leads_to_report(*branch))
    check(*branch, *branch->getCondition(), "decides a branch");
  if (auto* branch = dyn_cast<SwitchInst>(&instruction))
    check(*branch, *branch->getCondition(), "decides a branch");
  if (instruction.isIntDivRem()) check(instruction, *instruction.getOperand(1), "is a divisor");
  if (auto* element = dyn_cast<ExtractElementInst>(&instruction))
    check(instruction, *element->getIndexOperand(), "is an index");
  if (isa<InsertElementInst>(instruction)) check(instruction, *instruction.getOperand(2), "is an index");
  if (auto* call = dyn_cast<CallBase>(&instruction)) visit_call(*call);
  values_.compute(instruction);
}

/// Writes the shadow of the value that the instruction loads.
Value* UninitialisedChecker::loaded_shadow(Instruction& instruction) {
  const MemoryAccess access = memory_accesses(instruction).front();
  Type* type = values_.type_for(access.type);
  Value* shadow = memory_.of(*access.pointer());
  if (!shadow) return Constant::getNullValue(type);
  IRBuilder<> builder(instruction.getNextNode()); // after the access, because writers write the shadow first
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  return builder.CreateAlignedLoad(type, shadow, access.alignment, "shadow");
}

bool is_global(const Value& pointer) {
  return pointer.getType()->getPointerAddressSpace() == global_space;
}

/// The shadow that memory gets when a value with this shadow is written. Global memory counts as initialised
/// afterwards, because the write is reported.
Value* UninitialisedChecker::kept(Value* shadow, Value& pointer) {
  return !is_global(pointer) && memory_.takes_unwritten(pointer) ? shadow
                                                                 : Constant::getNullValue(shadow->getType());
}

void UninitialisedChecker::visit_store(StoreInst& store) {
  Value &pointer = *store.getPointerOperand(), &value = *store.getValueOperand();
  if (is_global(pointer)) check(store, value, "is stored in global memory");
  if (Value* to = memory_.of(pointer))
    IRBuilder<>(&store).CreateAlignedStore(kept(values_.of(value), pointer), to, store.getAlign());
}

void UninitialisedChecker::visit_update(AtomicRMWInst& update) {
  Value& pointer = *update.getPointerOperand();
  Value* shadow = loaded_shadow(update);
  values_.set(update, shadow);
  Value* to = memory_.of(pointer);
  if (!to) return;
  IRBuilder<> builder(&update);
  Value* left = values_.of(*update.getValOperand());
  if (update.getOperation() != AtomicRMWInst::Xchg) {
    Value* before = builder.CreateAlignedLoad(shadow->getType(), to, update.getAlign(), "shadow");
    left = left == Constant::getNullValue(left->getType()) ? before : builder.CreateOr(left, before);
  }
  if (is_global(pointer)) check_shadow(update, left, update, "is updated in global memory");
  builder.CreateAlignedStore(kept(left, pointer), to, update.getAlign());
}

void UninitialisedChecker::visit_exchange(AtomicCmpXchgInst& exchange) {
  Value &pointer = *exchange.getPointerOperand(), &value = *exchange.getNewValOperand();
  check(exchange, *exchange.getCompareOperand(), "decides an exchange");
  if (is_global(pointer)) check(exchange, value, "is stored in global memory");
  values_.set(exchange, Constant::getNullValue(values_.type_for(exchange.getType())));
  Value* to = memory_.of(pointer);
  if (!to) return;
  IRBuilder<> builder(&exchange);
  Type* type = values_.type_for(value.getType());
  Value* before = builder.CreateAlignedLoad(type, to, exchange.getAlign(), "shadow");
  check_shadow(exchange, before, exchange, "decides an exchange");
  builder.CreateAlignedStore(Constant::getNullValue(type), to, exchange.getAlign());
}

void UninitialisedChecker::visit_fill(MemSetInst& fill) {
  Value &pointer = *fill.getRawDest(), &value = *fill.getValue();
  if (is_global(pointer)) check(fill, value, "is stored in global memory");
  if (Value* to = memory_.of(pointer))
    IRBuilder<>(&fill).CreateMemSet(to, kept(values_.of(value), pointer), fill.getLength(),
                                    fill.getDestAlign());
}

void UninitialisedChecker::visit_copy(MemTransferInst& copy) {
  Value *to = memory_.of(*copy.getRawDest()), *from = memory_.of(*copy.getRawSource());
  if (!to) return;
  IRBuilder<> builder(&copy);
  if (!from || !memory_.takes_unwritten(*copy.getRawDest()))
    builder.CreateMemSet(to, builder.getInt8(0), copy.getLength(), copy.getDestAlign());
  else
    builder.CreateMemTransferInst(copy.getIntrinsicID(), to, copy.getDestAlign(), from, copy.getSourceAlign(),
                                  copy.getLength());
}

/// Checks the arguments of a call that is not inlined, because the check does not follow them into the function.
void UninitialisedChecker::visit_call(CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic() || called_intrinsic(call) || called_maths_instruction(call) ||
      is_report(call))
    return;
  const StringRef use = is_printf(*callee) ? "is printed" : "is passed to a function";
  for (Value* argument : call.args())
    if (!argument->getType()->isMetadataTy()) check(call, *argument, use);
}

void UninitialisedChecker::check(Instruction& instruction, Value& value, StringRef use) {
  check_shadow(instruction, values_.of(value), value, use);
}

void UninitialisedChecker::check_shadow(Instruction& instruction, Value* shadow, Value& source,
                                        StringRef use) {
  if (!reports_) return;
  IRBuilder<> builder(&instruction);
  Value* wrong = values_.any(builder, shadow);
  if (!wrong) return;
  const Value* root = nullptr;
  const std::string sentence = (source_of(source, root) + " " + use).str();
  checks_.push_back(
      {&instruction, wrong,
       site_of(instruction,
               {.check = hostcl::compiler::Check::uninitialised, .root = root, .sentence = sentence})});
}

/// Adds the variables from which a value's uninitialised bits may come.
void UninitialisedChecker::add_sources(const Value& value, SmallPtrSetImpl<const Value*>& roots) const {
  constexpr std::size_t most_values = 256;
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*, 32> open{&value};
  while (!open.empty() && seen.size() < most_values) {
    const auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second || !values_.is_affected(*instruction)) continue;
    if (is_marked_uninitialised(*instruction))
      roots.insert(instruction);
    else if (const auto from = memory_accesses(const_cast<Instruction&>(*instruction)); !from.empty())
      roots.insert(getUnderlyingObject(from.front().pointer()));
    else
      append_range(open, instruction->operand_values());
  }
}

/// The beginning of a report's sentence, which names the value's source. @param root gets the variable, if there is
/// only one
std::string UninitialisedChecker::source_of(const Value& value, const Value*& root) const {
  SmallPtrSet<const Value*, 4> roots;
  add_sources(value, roots);
  if (roots.size() == 1 &&
      (isa<Argument, AllocaInst, GlobalVariable>(*roots.begin()) || is_marked_uninitialised(**roots.begin())))
    root = *roots.begin();
  const std::string name = root ? written_name(*root).str() : std::string();
  if (name.empty()) return "an uninitialised value";
  if (const auto* parameter = dyn_cast<Argument>(root))
    return "an uninitialised value from argument " + std::to_string(parameter->getArgNo()) + ", '" + name +
           "',";
  return "an uninitialised value of '" + name + "'";
}

void mark(AllocaInst& variable, IRBuilder<>& builder) {
  builder.CreateStore(
      uninitialised_value(builder, variable.getAllocatedType(), written_name(variable) + ".unwritten"),
      &variable);
}

} // namespace

PreservedAnalyses mark_uninitialised_pass(Function& function, FunctionAnalysisManager&) {
  BasicBlock& first = function.getEntryBlock();
  IRBuilder<> builder(&first, after_variables(function));
  SmallVector<AllocaInst*, 32> variables;
  for (Instruction& instruction : first)
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  for (AllocaInst* variable : variables) {
    mark(*variable, builder);
    for (User* user : make_early_inc_range(variable->users()))
      if (auto* lifetime = dyn_cast<LifetimeIntrinsic>(user);
          lifetime && lifetime->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
        IRBuilder<> there(lifetime->getNextNode());
        mark(*variable, there);
      }
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses check_uninitialised_pass(Function& function, FunctionAnalysisManager&) {
  UninitialisedChecker(function).run();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
