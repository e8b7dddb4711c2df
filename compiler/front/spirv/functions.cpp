// Reads the instructions of functions, their parameters and calls.

#include "compiler/front/spirv/functions.hpp"

#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/matrices/sub_group_values.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Attributes that have the same meaning in IR, and the kind of parameters that may have them.
struct ParameterAttribute {
  spv::FunctionParameterAttribute attribute;
  Type::Kind kind;
  Attribute::AttrKind ir;
};

constexpr ParameterAttribute parameter_attributes[] = {
    {spv::FunctionParameterAttributeZext, Type::Kind::integer, Attribute::ZExt},
    {spv::FunctionParameterAttributeSext, Type::Kind::integer, Attribute::SExt},
    {spv::FunctionParameterAttributeNoAlias, Type::Kind::pointer, Attribute::NoAlias},
    {spv::FunctionParameterAttributeNoWrite, Type::Kind::pointer, Attribute::ReadOnly},
    {spv::FunctionParameterAttributeNoReadWrite, Type::Kind::pointer, Attribute::ReadNone},
};

/// Adds the attributes that correspond to a FunctionParameterAttribute to a parameter.
void read_parameter_attribute(Argument& parameter, const Type& type, std::uint32_t attribute) {
  for (const ParameterAttribute& row : parameter_attributes)
    if (row.attribute == attribute && type.is(row.kind)) parameter.addAttr(row.ir);
  const bool has_content =
      type.is(Type::Kind::pointer) && type.element && type.element->ir && type.element->ir->isSized();
  LLVMContext& context = parameter.getContext();
  if (attribute == spv::FunctionParameterAttributeByVal) {
    if (!has_content) refuse("a parameter with the attribute ByVal must be a pointer to a type with a size");
    parameter.addAttr(Attribute::getWithByValType(context, type.element->ir));
  }
  if (attribute == spv::FunctionParameterAttributeSret && has_content)
    parameter.addAttr(Attribute::getWithStructRetType(context, type.element->ir));
}

void decorate_parameter(Reader& r, Argument& parameter, Id id, const Type& type) {
  for (const Decoration& decoration : r.decorations.of(id)) {
    const std::uint32_t operand = decoration.operands.empty() ? 0 : decoration.operands[0];
    if (decoration.kind == spv::DecorationFuncParamAttr) read_parameter_attribute(parameter, type, operand);
    if (!type.is(Type::Kind::pointer)) continue;
    if (decoration.kind == spv::DecorationAlignment && isPowerOf2_32(operand))
      parameter.addAttr(Attribute::getWithAlignment(r.context(), Align(operand)));
    if (decoration.kind == spv::DecorationRestrict) parameter.addAttr(Attribute::NoAlias);
  }
}

} // namespace

SmallVector<Value*, 8> read_arguments(Reader& r, const Type& function, const Type& result, Operands& in) {
  SmallVector<Value*, 8> arguments;
  for (const Type* parameter : function.members)
    arguments.push_back(r.of_type(in.id(), *parameter));
  if (!in.empty()) refuse("the call has more arguments than the function has parameters");
  if (function.element->ir != result.ir)
    refuse("the result type differs from the type that the function returns");
  return arguments;
}

Linkage linkage_of(Reader& reader, Id id) {
  const Decoration* decoration = reader.decorations.find(id, spv::DecorationLinkageAttributes);
  if (!decoration) return {};
  Operands in({spv::OpDecorate, decoration->operands});
  const std::string_view name = in.string();
  return {name, in.enumerant<spv::LinkageType>()};
}

GlobalValue::LinkageTypes ir_linkage(const Linkage& linkage) {
  if (linkage.name.empty()) return GlobalValue::InternalLinkage;
  constexpr auto weak = static_cast<spv::LinkageType>(3); // of SPV_AMD_weak_linkage, which older headers lack
  if (linkage.type == weak) return GlobalValue::WeakAnyLinkage;
  return linkage.type == spv::LinkageTypeLinkOnceODR ? GlobalValue::LinkOnceODRLinkage
                                                     : GlobalValue::ExternalLinkage;
}

void check_name(StringRef name, bool may_be_llvm) {
  if (name.starts_with("__hostcl_") || (!may_be_llvm && name.starts_with("llvm.")))
    refuse("the name '" + name + "' is reserved for the compiler, as all names that begin with __hostcl_ " +
           (may_be_llvm ? "are" : "or llvm. are"));
}

std::string internal_name(Reader& reader, Id id) {
  const std::string_view name = reader.names.lookup(id);
  return "il." + (name.empty() ? std::to_string(id) : std::string(name));
}

Function& declare_function(Reader& r, Id id, const Type& type) {
  Linkage linkage = linkage_of(r, id);
  if (const EntryPoint* entry = r.entry_point(id))
    linkage = {entry->name, spv::LinkageTypeExport};
  else if (!linkage.is_import() &&
           any_of(r.entry_points, [&](const EntryPoint& entry) { return entry.name == linkage.name; }))
    linkage = {}; // the calls of a function that has the kernel's name go to this function
  check_name(StringRef(linkage.name), linkage.is_import());
  auto* ir_type = cast<FunctionType>(type.ir);
  const std::string name = linkage.name.empty() ? internal_name(r, id) : std::string(linkage.name);
  if (StringRef(name).starts_with("llvm.")) ir_type = intrinsic_type(ir_type);
  if (!linkage.name.empty()) {
    // The reader may have declared the same function before, for a call that it made itself; an import may
    // use that declaration.
    if (GlobalValue* known = r.module().getNamedValue(name)) {
      auto* function = dyn_cast<Function>(known);
      if (!linkage.is_import() || !function || function->getFunctionType() != ir_type)
        refuse("two functions or variables have the name '" + Twine(name) + "'");
      return *function;
    }
  }
  Function* function = Function::Create(ir_type, ir_linkage(linkage), name, r.module());
  if (StringRef(name).starts_with("llvm.")) {
    if (!is_importable(*function)) refuse("the intrinsic '" + StringRef(name) + "' cannot be imported");
    return *function;
  }
  function->setCallingConv(r.entry_point(id) ? CallingConv::SPIR_KERNEL : CallingConv::SPIR_FUNC);
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  return *function;
}

namespace {

/// Refuses the function modes of SPV_INTEL_float_controls2 that differ from the default, for numbers of any
/// width.
void check_float_controls(Reader& r, Id function) {
  constexpr std::pair<unsigned, const char*> modes[] = {
      {5822, "does not round to nearest even"},         // FunctionRoundingModeINTEL
      {5823, "flushes denormal numbers to zero"},       // FunctionDenormModeINTEL
      {6080, "does not compute as IEEE 754 requires"}}; // FunctionFloatingPointModeINTEL
  for (const Decoration& decoration : r.decorations.of(function))
    for (const auto& [kind, what] : modes)
      if (unsigned(decoration.kind) == kind && decoration.operands.size() > 1 && decoration.operands[1] != 0)
        refuse("a function that " + Twine(what) + " is not supported");
}

} // namespace

void read_function(Reader& r, Operands in) {
  in.id(); // the result type; it is compared with that of the function type
  const Id id = in.id();
  const std::uint32_t control = in.word();
  Function& function = r.declared_function(id);
  const bool is_kernel = r.entry_point(id) != nullptr;
  check_float_controls(r, id);
  if ((control & spv::FunctionControlInlineMask) && !is_kernel) function.addFnAttr(Attribute::AlwaysInline);
  if ((control & spv::FunctionControlDontInlineMask) && !is_kernel) function.addFnAttr(Attribute::NoInline);
  if (control & spv::FunctionControlConstMask)
    function.setMemoryEffects(MemoryEffects::none());
  else if (control & spv::FunctionControlPureMask)
    function.setMemoryEffects(MemoryEffects::readOnly());
  r.begin_function(id);
}

void read_parameter(Reader& r, Operands in) {
  const Type& type = r.value_type(in.id());
  const Id id = in.id();
  Argument& parameter = r.next_parameter();
  if (parameter.getType() != type.ir)
    refuse("the parameter's type differs from that in the function's OpTypeFunction");
  if (r.function().getCallingConv() == CallingConv::SPIR_KERNEL && r.has_matrices && holds_matrix(type.ir))
    refuse("a kernel has no parameters of cooperative matrices");
  parameter.setName(StringRef(r.names.lookup(id)));
  r.define(id, type, &parameter);
  decorate_parameter(r, parameter, id, type);
}

void read_function_end(Reader& r, Operands) {
  Function& function = r.function();
  r.end_function();
  if (!function.empty()) return trap_where_unreachable(function);
  if (function.getLinkage() == GlobalValue::InternalLinkage ||
      function.getCallingConv() == CallingConv::SPIR_KERNEL)
    refuse("the function has neither a body nor the decoration LinkageAttributes with Import");
  function.setLinkage(GlobalValue::ExternalLinkage);
}

void read_function_call(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  const Id callee_id = in.id();
  Function& callee = r.declared_function(callee_id);
  const Type& callee_type = r.function_type(callee_id);
  const SmallVector<Value*, 8> arguments = read_arguments(r, callee_type, type, in);
  if (Value* value = call_mathematics(r, callee, callee_type, arguments))
    return r.define(result, type, value);
  CallInst* call = r.ir().CreateCall(&callee, arguments);
  call->setCallingConv(callee.getCallingConv());
  if (!callee.isIntrinsic()) call->addFnAttr(Attribute::Convergent);
  if (type.is(Type::Kind::nothing)) return;
  Value* value = call;
  // The intrinsic returns LLVM's own structure type, so its members are copied.
  if (call->getType() != type.ir) {
    SmallVector<Value*, 4> members;
    for (unsigned i = 0; i < type.members.size(); ++i)
      members.push_back(r.ir().CreateExtractValue(call, i));
    value = together(r, type, members);
  }
  r.define(result, type, value);
}

Value* read_function_pointer(Reader& r, const Type& type, Operands in) { // SPV_INTEL_function_pointers
  const Id id = in.id();
  Function& function = r.declared_function(id);
  if (!type.is(Type::Kind::pointer) || !type.element || type.element->ir != r.function_type(id).ir)
    refuse("the result's type is not a pointer to functions of that type");
  if (function.isIntrinsic()) refuse("an intrinsic of LLVM has no address");
  return ConstantExpr::getPointerBitCastOrAddrSpaceCast(&function, type.ir);
}

/// Reads a call through a pointer. lower_function_pointers() replaces it when all functions are known.
void read_pointer_call(Reader& r, Operands in) { // SPV_INTEL_function_pointers
  const Type& type = r.type(in.id());
  const Id result = in.id();
  const TypedValue callee = r.pointer(in.id());
  const Type* function = callee.type->element;
  if (!function || !function->is(Type::Kind::function)) refuse("the callee is not a pointer to a function");
  const SmallVector<Value*, 8> arguments = read_arguments(r, *function, type, in);
  if (const auto* known = dyn_cast<Function>(callee.value); known && known->getFunctionType() != function->ir)
    refuse("the function's type differs from the type that the pointer points to");
  CallInst* call = r.ir().CreateCall(cast<FunctionType>(function->ir), callee.value, arguments);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  if (!type.is(Type::Kind::nothing)) r.define(result, type, call);
}

} // namespace hostcl::compiler::spirv
