#include "compiler/front/spirv/reader.hpp"

#include "builtins/library.hpp"
#include "compiler/front/spirv/functions.hpp"
#include "compiler/modules/ir_module.hpp"

#include <algorithm>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Returns what a map has for the id. Refuses an id that it does not have: "id 5 is not `name`".
const auto& entry(const auto& map, Id id, const char* name) {
  auto found = map.find(id);
  if (found == map.end()) refuse(described(id) + " is not " + name);
  return found->second;
}

} // namespace

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
  for (const auto& [label, block] : blocks_)
    if (!block->getParent()) block->insertInto(function_);
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

std::string Reader::place() const {
  if (place_.file == 0) return {};
  const std::string_view file = strings_.lookup(place_.file);
  return (file.empty() ? "source" : std::string(file)) + ":" + std::to_string(place_.line) + ":" +
         std::to_string(place_.column) + ": ";
}

std::string_view Reader::string(Id id) const {
  return entry(strings_, id, "a string");
}

std::optional<std::uint64_t> Reader::specialisation(Id constant) const {
  const auto number = decorations_.number(constant, spv::DecorationSpecId);
  for (const Specialisation& value : request.values)
    if (number == value.id) return value.bits;
  return std::nullopt;
}

bool Reader::is_entry_point(Id function) const {
  return any_of(entry_points_, [&](const EntryPoint& entry) { return entry.function == function; });
}

std::span<const ExecutionMode> Reader::execution_modes(Id function) const {
  auto found = execution_modes_.find(function);
  return found == execution_modes_.end() ? std::span<const ExecutionMode>() : std::span(found->second);
}

InstructionSet Reader::instruction_set(Id id) const {
  return entry(instruction_sets_, id, "a set of extended instructions");
}

const Reader::Assembly& Reader::assembly(Id id) const {
  return entry(assemblies_, id, "assembly");
}

MDNode* Reader::alias_node(Id id) const {
  return entry(alias_nodes_, id, "a scope, domain or list of aliasing");
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
  if (auto name = names_.find(id); name != names_.end() && isa<llvm::Instruction>(value) && !value->hasName())
    value->setName(StringRef(name->second));
}

TypedValue Reader::operand(Id id) {
  if (auto found = values_.find(id); found != values_.end()) return found->second;
  if (auto sampler = constant_samplers_.find(id); sampler != constant_samplers_.end())
    return {call("__translate_sampler_initializer", sampler->second.type->ir,
                 {builder_.getInt32(sampler->second.bits)}),
            sampler->second.type};
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
  if (Value* known = own_values_.lookup(id)) return known;
  if (!function_) throw NeedsFunction(described(id) + " has a value within functions alone");
  if (own_depth_ == max_depth)
    refuse("constant expressions are nested more than " + Twine(max_depth) + " deep");
  const auto place = ir().saveIP();
  BasicBlock& entry = function_->getEntryBlock();
  builder_.SetInsertPoint(&entry, place_after(entry, own_values_));
  ++own_depth_;
  Value* made = value.make();
  --own_depth_;
  builder_.restoreIP(place);
  own_values_[id] = made;
  return made;
}

Value* Reader::of_type(Id id, const Type& type) {
  Value* value = operand(id).value;
  if (value->getType() != type.ir) refuse("the operand with " + described(id) + " has another type");
  return value;
}

TypedValue Reader::of_kind(Id id, Type::Kind kind, const char* name) {
  TypedValue value = operand(id);
  if (!value.type->is(kind)) refuse(described(id) + " is not " + name);
  return value;
}

TypedValue Reader::of_elements(Id id, Type::Kind kind, const char* name) {
  TypedValue value = operand(id);
  if (!value.type->scalar().is(kind)) refuse(described(id) + " is not " + name);
  return value;
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

const Reader::SampledImage* Reader::sampled_image(Id id) const {
  auto found = sampled_images_.find(id);
  return found == sampled_images_.end() ? nullptr : &found->second;
}

void Reader::define_constant_sampler(Id id, const Type& type, std::uint32_t bits) {
  if (!constant_samplers_.try_emplace(id, ConstantSampler{&type, bits}).second)
    refuse(described(id) + " is defined twice");
}

void Reader::define_per_function(Id id, const Type& type, std::function<Value*()> make) {
  if (!per_function_.try_emplace(id, PerFunction{&type, std::move(make)}).second)
    refuse(described(id) + " is defined twice");
}

TypedValue Reader::taken(Id id, function_ref<void()> define) {
  define();
  const TypedValue value = operand(id);
  values_.erase(id);
  return value;
}

void Reader::define_constant(Id result, function_ref<void()> define) {
  if (function_) refuse("the instruction is not allowed inside a function");
  // For instructions that LLVM cannot fold to a constant.
  const std::unique_ptr<BasicBlock> scratch(BasicBlock::Create(context_));
  const IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(scratch.get());
  define();
  if (isa<Constant>(operand(result).value)) return;
  values_.erase(result);
  refuse("the operation on these operands does not fold to a constant");
}

// Code.

IRBuilder<>& Reader::ir() {
  if (!builder_.GetInsertBlock()) refuse("the instruction is only allowed inside a block");
  return builder_;
}

Function& Reader::function() {
  if (!function_) refuse("the instruction is only allowed inside a function");
  return *function_;
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
  if (function_) refuse("the function before it has no OpFunctionEnd");
  Function& declared = declared_function(id);
  if (!declared.empty()) refuse(described(id) + " is defined twice");
  function_ = &declared;
  parameters_read_ = 0;
}

Argument& Reader::next_parameter() {
  if (parameters_read_ == function().arg_size()) refuse("the OpTypeFunction has fewer parameters");
  return *function().getArg(parameters_read_++);
}

void Reader::end_function() {
  if (parameters_read_ != function().arg_size()) refuse("the OpTypeFunction has more parameters");
  for (const auto& [label, block] : blocks_)
    if (!block->getParent()) refuse("the function has no block with the label " + Twine(label));
  if (builder_.GetInsertBlock()) refuse("the last block has no branch or return at its end");
  for (const Phi& phi : phis_)
    complete(phi);
  place_loop_hints();
  blocks_.clear();
  last_blocks_.clear();
  own_values_.clear();
  arena_ = {};
  phis_.clear();
  function_ = nullptr;
}

BasicBlock* Reader::block(Id label) {
  function();
  BasicBlock*& block = blocks_[label];
  if (!block) block = BasicBlock::Create(context_);
  return block;
}

void Reader::begin_block(Id label) {
  if (builder_.GetInsertBlock()) refuse("the block before it has no branch or return at its end");
  BasicBlock* begun = block(label);
  if (begun->getParent()) refuse("two blocks have the label " + Twine(label));
  begun->insertInto(&function());
  builder_.SetInsertPoint(begun);
  begun_ = begun;
}

void Reader::end_block() {
  last_blocks_[begun_] = builder_.GetInsertBlock();
  builder_.ClearInsertionPoint();
}

void Reader::add_phi(PHINode* node, const Type& type, std::vector<std::pair<Id, Id>> incoming) {
  phis_.push_back({node, &type, std::move(incoming)});
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
  loop_hints_[begun_] = hints;
}

/// Gives the hints of each loop to its back edges. They come from blocks after the loop's header, because a
/// block comes after those that dominate it.
void Reader::place_loop_hints() {
  for (const auto& [header, hints] : loop_hints_)
    for (auto block = header->getIterator(); block != function_->end(); ++block)
      if (is_contained(successors(&*block), header))
        block->getTerminator()->setMetadata(LLVMContext::MD_loop, hints);
  loop_hints_.clear();
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
  if (!builder_.GetInsertBlock()) refuse("the instruction is only allowed inside a block");
  CallInst* made = builder_.CreateCall(callee, arguments);
  made->setCallingConv(callee->getCallingConv());
  made->addFnAttr(Attribute::Convergent);
  return made;
}

} // namespace hostcl::compiler::spirv
