// Keeps variables visible to debuggers. In the debug form (`hostcl.debug_form`, docs/kernel-metadata.md), each variable
// stays in the memory of its work-item until the work-item ends, and the pass adds variables for the work-item's ids:
// `__hostcl_global_id`, `__hostcl_local_id` and `__hostcl_group_id`. In all other forms the pass removes the
// descriptions of variables, because the optimised code no longer has them; line numbers remain.
//
//   before:  %x = alloca i32                         after:  %x = alloca i32
//              #dbg_declare(ptr %x, ...)                       #dbg_declare(ptr %x, ...)
//            ret void                                        call void (...) @llvm.fake.use(ptr %x)
//                                                            ret void
//
// The use at the end keeps the variable alive, and its stores become volatile so that none is removed.
//
// A variable that holds a generic pointer gets a copy: each store to the variable also writes a second alloca, and the
// debug record and `llvm.fake.use` name the copy. So mem2reg can still promote the variable to SSA values, which
// `address-space-queries` needs, because this pass does not look through memory. Variables of opaque types (images,
// samplers, events, pipes) and blocks have no debug records. Kernels with sub-group operations, which run as vectors
// also in the debug form, have no debug records of variables.
//
// Tests: tests/passes/1_kernel/debug_variables.ll, debug_variables_optimised.ll and debug_variables.cl, tests/debugger

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the variable has an opaque OpenCL type (image, sampler, event, pipe) or refers to a block. clang describes a
/// pipe by the type of its packets, so a pipe is recognised as a pointer whose description does not have a pointer
/// type.
bool is_opaque(const DbgVariableRecord& record) {
  const auto* variable = dyn_cast_or_null<AllocaInst>(record.getVariableLocationOp(0));
  bool is_pointer = false;
  const DIType* type = record.getVariable()->getType();
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    is_pointer |= derived->getTag() == dwarf::DW_TAG_pointer_type;
    type = derived->getBaseType();
  }
  if (variable && variable->getAllocatedType()->isPointerTy() && !is_pointer) return true;
  return type && (type->getName().starts_with("opencl_") || type->getName().starts_with("__block"));
}

/// The DWARF expression without operations that select an address space: the host has a single address space.
DIExpression* in_one_space(const DIExpression& expression) {
  SmallVector<std::uint64_t, 8> kept;
  ArrayRef<std::uint64_t> rest = expression.getElements();
  while (!rest.empty()) {
    const bool is_space = rest.size() >= 4 && rest[0] == dwarf::DW_OP_constu &&
                          rest[2] == dwarf::DW_OP_swap && rest[3] == dwarf::DW_OP_xderef;
    if (!is_space) kept.push_back(rest.front());
    rest = rest.drop_front(is_space ? 4 : 1);
  }
  return DIExpression::get(expression.getContext(), kept);
}

/// Removes address spaces from the descriptions of the module's variables. Variables in local memory lose their
/// description: each group has its own address for them, see add_local_memory().
void describe_globals(llvm::Module& module, DICompileUnit& unit) {
  SmallVector<Metadata*, 8> all;
  for (GlobalVariable& variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression*, 1> descriptions;
    variable.getDebugInfo(descriptions);
    variable.eraseMetadata(LLVMContext::MD_dbg);
    if (variable.getAddressSpace() == local_space) continue;
    for (const DIGlobalVariableExpression* old : descriptions) {
      auto* made = DIGlobalVariableExpression::get(module.getContext(), old->getVariable(),
                                                   in_one_space(*old->getExpression()));
      variable.addDebugInfo(made);
      all.push_back(made);
    }
  }
  unit.replaceGlobalVariables(MDTuple::get(module.getContext(), all));
}

class Keeper {
public:
  explicit Keeper(Function& function)
      : function_(function), start_(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  void keep_variables();
  void add_ids();
  void add_local_memory();
  void use_at_ends();

private:
  void keep(DbgVariableRecord& record);
  AllocaInst* variable_of(Type* type, const Twine& name) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    return builder.CreateAlloca(type, nullptr, name);
  }
  /// Stores the value before the first instruction of the source, without a line number of its own.
  void store_at_start(Value& value, Value& address) {
    auto* store = new StoreInst(&value, &address, start_->getIterator());
    store->setDebugLoc(DebugLoc());
  }
  /// A new variable that each store to `variable` writes as well.
  AllocaInst* copy_of(AllocaInst& variable);
  void add_id(DIBuilder& information, const char* name, ArrayRef<Value*> values);

  Function& function_;
  Instruction* start_;
  SmallVector<Value*, 16> kept_;
};

AllocaInst* Keeper::copy_of(AllocaInst& variable) {
  AllocaInst* copy = variable_of(variable.getAllocatedType(), variable.getName() + ".copy");
  for (User* user : variable.users())
    if (auto* store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == &variable) {
      Instruction* again = store->clone();
      again->setOperand(StoreInst::getPointerOperandIndex(), copy);
      again->insertAfter(store->getIterator());
    }
  return copy;
}

/// Makes all store instructions that write the variable volatile, so that no pass moves a store, or removes a store
/// whose value a later store overwrites.
void keep_stores(AllocaInst& variable) {
  SetVector<Value*> pointers;
  pointers.insert(&variable);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (User* user : pointers[i]->users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user)) pointers.insert(user);
      if (auto* store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == pointers[i])
        store->setVolatile(true);
    }
}

void Keeper::keep(DbgVariableRecord& record) {
  Value* address = record.getVariableLocationOp(0);
  record.setExpression(in_one_space(*record.getExpression()));
  auto* variable = dyn_cast_or_null<AllocaInst>(address);
  if (variable) {
    Type* type = variable->getAllocatedType();
    if (type->isPointerTy() && type->getPointerAddressSpace() == generic_space)
      record.replaceVariableLocationOp(0U, variable = copy_of(*variable));
  } else if (isa_and_nonnull<Argument>(address)) { // a structure that is passed by value
    variable = variable_of(address->getType(), record.getVariable()->getName());
    store_at_start(*address, *variable);
    record.replaceVariableLocationOp(0U, variable);
    record.setExpression(DIExpression::prepend(record.getExpression(), DIExpression::DerefBefore));
  }
  if (!variable) return;
  keep_stores(*variable);
  kept_.push_back(variable);
}

void Keeper::keep_variables() {
  for (Instruction& instruction : instructions(function_))
    for (DbgVariableRecord& record : make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
      if (record.isDbgDeclare() && !is_opaque(record))
        keep(record);
      else
        record.eraseFromParent();
}

void Keeper::add_id(DIBuilder& information, const char* name, ArrayRef<Value*> values) {
  IRBuilder<> builder(start_);
  auto* type = ArrayType::get(builder.getInt64Ty(), values.size());
  AllocaInst* variable = variable_of(type, name);
  builder.SetCurrentDebugLocation(DebugLoc());
  for (unsigned i = 0; i < values.size(); ++i)
    store_at_start(*values[i], *builder.CreateConstInBoundsGEP2_64(type, variable, 0, i));
  DISubprogram* scope = function_.getSubprogram();
  DIType* number = information.createBasicType("ulong", 64, dwarf::DW_ATE_unsigned);
  DIType* array = information.createArrayType(64 * values.size(), 64, number,
                                              information.getOrCreateArray(information.getOrCreateSubrange(
                                                  0, static_cast<std::int64_t>(values.size()))));
  DILocalVariable* described =
      information.createAutoVariable(scope, name, scope->getFile(), scope->getLine(), array,
                                     /*AlwaysPreserve=*/false, DINode::FlagArtificial);
  information.insertDeclare(variable, described, information.createExpression(),
                            DILocation::get(function_.getContext(), scope->getLine(), 0, scope),
                            start_->getIterator());
  kept_.push_back(variable);
}

void Keeper::add_ids() {
  IRBuilder<> builder(start_);
  builder.SetCurrentDebugLocation(DebugLoc());
  llvm::Module& module = *function_.getParent();
  auto query = [&](Intrinsic intrinsic, unsigned dimension) {
    return builder.CreateCall(declare_intrinsic(module, intrinsic), {builder.getInt32(dimension)});
  };
  SmallVector<Value*, 3> global, local, group;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    group.push_back(query(Intrinsic::group_id, dimension));
    local.push_back(query(Intrinsic::local_id, dimension));
    Value* first = builder.CreateMul(group.back(), query(Intrinsic::enqueued_local_size, dimension));
    global.push_back(builder.CreateAdd(builder.CreateAdd(first, local.back()),
                                       query(Intrinsic::global_offset, dimension)));
  }
  DIBuilder information(module, /*AllowUnresolved=*/false, function_.getSubprogram()->getUnit());
  add_id(information, "__hostcl_global_id", global);
  add_id(information, "__hostcl_local_id", local);
  add_id(information, "__hostcl_group_id", group);
  information.finalizeSubprogram(function_.getSubprogram());
}

/// Describes variables in local memory, whose addresses are known only when the kernel runs. A private variable holds
/// the address, and the description dereferences the private variable.
void Keeper::add_local_memory() {
  llvm::Module& module = *function_.getParent();
  DISubprogram* kernel = function_.getSubprogram();
  DIBuilder information(module, /*AllowUnresolved=*/false, kernel->getUnit());
  for (GlobalVariable& variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression*, 1> descriptions;
    if (variable.getAddressSpace() == local_space) variable.getDebugInfo(descriptions);
    for (DIGlobalVariableExpression* description : descriptions) {
      const DIGlobalVariable* global = description->getVariable();
      auto* scope = dyn_cast_or_null<DILocalScope>(global->getScope());
      if (!scope || scope->getSubprogram() != kernel) continue;
      AllocaInst* address = variable_of(variable.getType(), variable.getName() + ".address");
      store_at_start(variable, *address);
      DILocalVariable* local = information.createAutoVariable(scope, global->getName(), global->getFile(),
                                                              global->getLine(), global->getType());
      const std::uint64_t through_address = dwarf::DW_OP_deref;
      information.insertDeclare(address, local, information.createExpression(through_address),
                                DILocation::get(function_.getContext(), global->getLine(), 0, scope),
                                start_->getIterator());
      kept_.push_back(address);
    }
  }
  describe_globals(module, *kernel->getUnit());
}

/// Adds an llvm.fake.use of each variable before each return. It keeps the variable in memory, and its contents alive,
/// until the work-item ends.
void Keeper::use_at_ends() {
  for (BasicBlock& block : function_)
    if (isa<ReturnInst>(block.getTerminator())) {
      IRBuilder<> builder(block.getTerminator());
      builder.SetCurrentDebugLocation(block.getTerminator()->getDebugLoc());
      for (Value* variable : kept_)
        builder.CreateIntrinsic(llvm::Intrinsic::fake_use, {}, {variable});
    }
}

/// Gives a kernel without a description the description of the function that was inlined into it: the kernel itself was
/// a wrapper that only called the function of the source.
void describe(Function& kernel) {
  for (const Instruction& instruction : instructions(kernel)) {
    const DILocation* location = instruction.getDebugLoc();
    if (!location) continue;
    while (const DILocation* outer = location->getInlinedAt())
      location = outer;
    DISubprogram* source = location->getScope()->getSubprogram();
    source->replaceLinkageName(nullptr); // debuggers would show it in place of the name in the source
    return kernel.setSubprogram(source);
  }
}

void drop_variables(Function& function) {
  for (Instruction& instruction : instructions(function))
    for (DbgVariableRecord& record : make_early_inc_range(filterDbgVars(instruction.getDbgRecordRange())))
      record.eraseFromParent();
}

} // namespace

PreservedAnalyses debug_variables_pass(Function& function, FunctionAnalysisManager&) {
  if (!function.getSubprogram() && is_kernel_body(function)) describe(function);
  if (!function.getSubprogram()) return PreservedAnalyses::all();
  if (!function.getParent()->getModuleFlag(metadata::debug_form) || uses_sub_groups(function)) {
    drop_variables(function);
  } else {
    Keeper keeper(function);
    keeper.keep_variables();
    if (is_kernel_body(function)) {
      keeper.add_ids();
      keeper.add_local_memory();
    }
    keeper.use_at_ends();
  }
  return all_but_values(/*changed=*/true);
}

} // namespace hostcl::compiler
