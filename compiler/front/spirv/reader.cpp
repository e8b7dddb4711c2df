#include "compiler/front/spirv/reader.hpp"

#include "builtins/library.hpp"
#include "compiler/front/spirv/functions.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/modules/ir_module.hpp"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

namespace hostcl::compiler::spirv {

using namespace llvm;

Reader::Reader(LLVMContext& context, const Words& words, const CompileIlRequest& request)
    : TypeTable(context),
      request(request),
      context_(context),
      module_(std::make_unique<llvm::Module>("program.spv", context)),
      builder_(context) {
  module_->setTargetTriple(Triple(spir64_triple));
  module_->setDataLayout(spir64_layout);
  // There are at most as many values as instructions and as ids. Both limits are needed: many instructions
  // have no value, and the bound in the header may be too large.
  values_.reserve(std::min(static_cast<unsigned>(words.instructions().size()), words.bound()));
  index_functions(words);
}

/// If a function was refused, its blocks are not all in it yet. They are inserted, so that the function
/// destroys them.
Reader::~Reader() {
  for (const auto& [label, block] : state_.blocks)
    if (!block->getParent()) block->insertInto(state_.function);
}

void Reader::index_functions(const Words& words) {
  for (const Instruction& instruction : words.instructions()) {
    if (instruction.op != spv::OpFunction) continue;
    Operands in(instruction);
    const Operands header = in;
    in.id();
    if (!function_headers_.try_emplace(in.id(), header).second) refuse("two functions have the same id");
  }
}

std::optional<std::uint64_t> Reader::specialisation(Id constant) const {
  const auto number = decorations.number(constant, spv::DecorationSpecId);
  for (const Specialisation& value : request.values)
    if (number == value.id) return value.bits;
  return std::nullopt;
}

// Values.

void Reader::check_scalars(const Type& type) {
  if (type.scalars > max_scalars)
    refuse("a value of more than " + Twine(max_scalars) +
           " scalars is not supported; OpCopyMemory copies objects of any size");
}

void Reader::define(Id id, const Type& type, Value* value) {
  if (value->getType() != type.ir) refuse("the result type does not match the operands");
  if (!isa<Constant>(value)) check_scalars(type);
  if (!values_.try_emplace(id, TypedValue{value, &type}).second) refuse(described(id) + " is defined twice");
  if (isa<llvm::Instruction>(value) && !value->hasName()) value->setName(StringRef(names.lookup(id)));
}

TypedValue Reader::operand(Id id) {
  if (auto found = values_.find(id); found != values_.end())
    return reads_bfloats_as_floats_ && found->second.type->scalar().is(Type::Kind::bfloat)
               ? as_floats(found->second)
               : TypedValue(found->second);
  if (auto found = per_function_.find(id); found != per_function_.end())
    return {own_value(id, found->second), found->second.type};
  refuse(described(id) + " is not a value, or is used before its definition");
}

namespace {

/// Returns the place in the entry block after all given values that are there.
BasicBlock::iterator place_after(BasicBlock& entry, const DenseMap<Id, Value*>& values) {
  auto place = entry.getFirstInsertionPt();
  for (const auto& [id, value] : values)
    if (auto* made = dyn_cast<llvm::Instruction>(value);
        made && made->getParent() == &entry && (place == entry.end() || !made->comesBefore(&*place)))
      place = std::next(made->getIterator());
  return place;
}

} // namespace

/// The value comes after all values made before, as it may use them.
Value* Reader::own_value(Id id, const PerFunction& value) {
  constexpr unsigned max_depth = 64; // more than any producer needs; a cycle would not end
  if (Value* known = state_.own_values.lookup(id)) return known;
  if (!state_.function) throw NeedsFunction(described(id) + " has a value within functions alone");
  if (own_depth_ == max_depth)
    refuse("constant expressions are nested more than " + Twine(max_depth) + " deep");
  const SaveAndRestore guard(reads_bfloats_as_floats_, false);
  const IRBuilder<>::InsertPointGuard place(ir());
  BasicBlock& entry = state_.function->getEntryBlock();
  builder_.SetInsertPoint(&entry, place_after(entry, state_.own_values));
  ++own_depth_;
  Value* made = value.make();
  --own_depth_;
  if (made->getType() != value.type->ir) refuse("the result type does not match the operands");
  state_.own_values[id] = made;
  return made;
}

Value* Reader::of_type(Id id, const Type& type) {
  Value* value = operand(id).value;
  if (value->getType() != type.ir) refuse("the operand with " + described(id) + " has another type");
  return value;
}

TypedValue Reader::scalar(Id id, Type::Kind kind, const char* name) {
  TypedValue value = operand(id);
  if (!value.type->is(kind)) refuse(described(id) + " is not " + name);
  return value;
}

TypedValue Reader::of_kind(Id id, Type::Kind kind) {
  TypedValue value = operand(id);
  if (!value.type->scalar().is(kind)) refuse(described(id) + " is not " + kind_name(kind));
  return value;
}

Value* Reader::number(Id id, unsigned bits) {
  return ir().CreateZExtOrTrunc(scalar_integer(id).value, ir().getIntNTy(bits));
}

Constant* Reader::constant(Id id) {
  auto* value = dyn_cast<Constant>(operand(id).value);
  if (!value) refuse(described(id) + " is not a constant");
  return value;
}

bool Reader::is_constant_number(Id id) {
  auto* number = dyn_cast<ConstantInt>(operand(id).value);
  return number && number->getBitWidth() <= 64;
}

std::uint64_t Reader::constant_number(Id id) {
  if (!is_constant_number(id)) refuse(described(id) + " is not a constant integer");
  return cast<ConstantInt>(operand(id).value)->getZExtValue();
}

void Reader::define_per_function(Id id, const Type& type, std::function<Value*()> make) {
  if (!per_function_.try_emplace(id, PerFunction{&type, std::move(make)}).second)
    refuse(described(id) + " is defined twice");
}

Constant* Reader::folded(function_ref<Value*()> make) {
  if (state_.function) refuse("the instruction is not allowed inside a function");
  // For instructions that LLVM cannot fold to a constant. The block has a function, because the builder declares
  // intrinsics in the module of the block.
  auto* scratch = Function::Create(FunctionType::get(llvm::Type::getVoidTy(context_), false),
                                   GlobalValue::PrivateLinkage, "", module());
  const llvm::scope_exit erase([scratch] { scratch->eraseFromParent(); });
  const IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(BasicBlock::Create(context_, "", scratch));
  auto* constant = dyn_cast<Constant>(make());
  if (!constant) refuse("the operation on these operands does not fold to a constant");
  return constant;
}

// Code.

IRBuilder<>& Reader::ir() {
  if (!builder_.GetInsertBlock()) refuse("the instruction is only allowed inside a block");
  return builder_;
}

Function& Reader::function() {
  if (!state_.function) refuse("the instruction is only allowed inside a function");
  return *state_.function;
}

const Type& Reader::function_type(Id id) const {
  Operands in = entry(function_headers_, id, "a function");
  const Id result = in.id();
  in.id();
  in.word(); // the operand FunctionControl
  const Type& found = type(in.id());
  if (!found.is(Type::Kind::function))
    refuse("the function with " + described(id) + " has a type that is not OpTypeFunction");
  if (found.element != &type(result))
    refuse("the result type of the function differs from that of its OpTypeFunction");
  return found;
}

Function& Reader::declared_function(Id id) {
  Function*& function = functions_[id];
  if (!function) function = &declare_function(*this, id, function_type(id));
  return *function;
}

void Reader::begin_function(Id id) {
  if (state_.function) refuse("the function before it has no OpFunctionEnd");
  Function& declared = declared_function(id);
  if (!declared.empty()) refuse(described(id) + " is defined twice");
  state_.function = &declared;
}

Argument& Reader::next_parameter() {
  if (state_.parameters_read == function().arg_size()) refuse("the OpTypeFunction has fewer parameters");
  return *function().getArg(state_.parameters_read++);
}

void Reader::end_function() {
  if (state_.parameters_read != function().arg_size()) refuse("the OpTypeFunction has more parameters");
  for (const auto& [label, block] : state_.blocks)
    if (!block->getParent()) refuse("the function has no block with the label " + Twine(label));
  if (builder_.GetInsertBlock()) refuse("the last block has no branch or return at its end");
  for (const Phi& phi : state_.phis)
    complete(phi);
  place_loop_hints();
  place = {};
  state_ = FunctionState();
}

BasicBlock* Reader::block(Id label) {
  function();
  BasicBlock*& block = state_.blocks[label];
  if (!block) block = BasicBlock::Create(context_);
  return block;
}

void Reader::begin_block(Id label) {
  if (builder_.GetInsertBlock()) refuse("the block before it has no branch or return at its end");
  BasicBlock* begun = block(label);
  if (begun->getParent()) refuse("two blocks have the label " + Twine(label));
  begun->insertInto(&function());
  builder_.SetInsertPoint(begun);
  state_.begun = begun;
}

BasicBlock* Reader::new_block() {
  return BasicBlock::Create(context_, "", &function());
}

AllocaInst* Reader::new_variable(llvm::Type* type) {
  BasicBlock& entry = function().getEntryBlock();
  return IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

Value* Reader::generic(Value* pointer) {
  return ir().CreateAddrSpaceCast(pointer, PointerType::get(context_, generic_space));
}

void Reader::end_block() {
  state_.last_blocks[state_.begun] = builder_.GetInsertBlock();
  builder_.ClearInsertionPoint();
  place = {};
}

void Reader::add_phi(PHINode* node, const Type& type, std::vector<std::pair<Id, Id>> incoming) {
  state_.phis.push_back({node, &type, std::move(incoming)});
}

/// LLVM needs an entry for each edge, while SPIR-V has one for each predecessor.
void Reader::complete(const Phi& phi) {
  SmallDenseMap<BasicBlock*, Value*> by_block;
  for (const auto& [value, label] : phi.incoming) {
    BasicBlock* predecessor = last_block(label);
    if (!predecessor) refuse("the function has no block with the label " + Twine(label));
    builder_.SetInsertPoint(predecessor->getTerminator()); // where code goes if the value needs code
    by_block[predecessor] = of_type(value, *phi.type);
  }
  builder_.ClearInsertionPoint();
  for (BasicBlock* predecessor : predecessors(phi.node->getParent())) {
    Value* value = by_block.lookup(predecessor);
    if (!value) refuse("OpPhi has no value for one of the blocks that branch to it");
    phi.node->addIncoming(value, predecessor);
  }
}

void Reader::set_loop_hints(MDNode* hints) {
  ir();
  state_.loop_hints[state_.begun] = hints;
}

/// Gives the hints of each loop to its back edges. They come from blocks after the loop's header, because a
/// block comes after those that dominate it.
void Reader::place_loop_hints() {
  for (const auto& [header, hints] : state_.loop_hints)
    for (auto block = header->getIterator(); block != state_.function->end(); ++block)
      if (is_contained(successors(&*block), header))
        block->getTerminator()->setMetadata(LLVMContext::MD_loop, hints);
}

// Execution scopes that a kernel computes at run time.

std::uint64_t Reader::execution_scope(Id id) {
  if (is_constant_number(id)) return constant_number(id);
  scalar_integer(id);
  if (!chosen_scope_) throw NeedsScope{id};
  return *chosen_scope_;
}

Value* Reader::in_scopes(function_ref<Value*()> read) {
  Id scope = 0;
  try {
    return read();
  } catch (const NeedsScope& needed) {
    scope = needed.scope;
  }
  const TypedValue number = scalar_integer(scope);
  Value* is_sub_group =
      ir().CreateICmpEQ(number.value, ConstantInt::get(number.type->ir, spv::ScopeSubgroup));
  BasicBlock *blocks[] = {new_block(), new_block()}, *after = new_block();
  builder_.CreateCondBr(is_sub_group, blocks[0], blocks[1]);
  std::pair<Value*, BasicBlock*> results[2];
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(blocks[i]);
    chosen_scope_ = i == 0 ? spv::ScopeSubgroup : spv::ScopeWorkgroup;
    results[i] = {read(), nullptr};
    results[i].second = builder_.GetInsertBlock();
    builder_.CreateBr(after);
  }
  chosen_scope_.reset();
  builder_.SetInsertPoint(after);
  if (!results[0].first) return nullptr;
  PHINode* chosen = builder_.CreatePHI(results[0].first->getType(), 2);
  for (const auto& [value, block] : results)
    chosen->addIncoming(value, block);
  return chosen;
}

CallInst* Reader::call(StringRef mangled_name, llvm::Type* result, ArrayRef<Value*> arguments) {
  SmallVector<llvm::Type*, 8> types;
  for (Value* argument : arguments)
    types.push_back(argument->getType());
  auto* type = FunctionType::get(result, types, false);
  Function* callee = module_->getFunction(mangled_name);
  if (!callee) {
    if (mangled_name.starts_with("_Z") && !builtins::find({mangled_name.data(), mangled_name.size()}))
      refuse("the built-in library has no function " + mangled_name + "()");
    callee = Function::Create(type, GlobalValue::ExternalLinkage, mangled_name, *module_);
    callee->setCallingConv(CallingConv::SPIR_FUNC);
    callee->addFnAttr(Attribute::Convergent);
    callee->addFnAttr(Attribute::NoUnwind);
  }
  if (callee->getFunctionType() != type) refuse("the module has another " + mangled_name + "()");
  CallInst* made = ir().CreateCall(callee, arguments);
  made->setCallingConv(callee->getCallingConv());
  made->addFnAttr(Attribute::Convergent);
  return made;
}

} // namespace hostcl::compiler::spirv
