// Reads variables, including the built-in variables (such as the ids of a work-item).
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/functions.hpp"
#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/matrices/sub_group_values.hpp"
#include "compiler/ir/metadata.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// The decoration HostAccessINTEL: that of SPV_INTEL_global_variable_host_access, and that of its draft,
/// SPV_INTEL_global_variable_decorations.
constexpr auto host_access = static_cast<spv::Decoration>(6188),
               drafted_access = static_cast<spv::Decoration>(6147);
/// The meanings of the numbers in the draft.
constexpr HostAccess drafted_accesses[] = {HostAccess::read, HostAccess::write, HostAccess::all,
                                           HostAccess::none};

/// A built-in variable, and the library's function that computes it.
struct BuiltIn {
  spv::BuiltIn number;
  /// Mangled name; if the variable has three components, the function takes a dimension.
  const char* function;
  unsigned bits;        ///< width of the function's result
  bool is_mask = false; ///< whether the function returns a mask of lanes, a vector of four numbers
};

constexpr BuiltIn built_ins[] = {
    {spv::BuiltInNumWorkgroups, "_Z14get_num_groupsj", 64},
    {spv::BuiltInWorkgroupSize, "_Z14get_local_sizej", 64},
    {spv::BuiltInWorkgroupId, "_Z12get_group_idj", 64},
    {spv::BuiltInLocalInvocationId, "_Z12get_local_idj", 64},
    {spv::BuiltInGlobalInvocationId, "_Z13get_global_idj", 64},
    {spv::BuiltInLocalInvocationIndex, "_Z19get_local_linear_idv", 64},
    {spv::BuiltInWorkDim, "_Z12get_work_dimv", 32},
    {spv::BuiltInGlobalSize, "_Z15get_global_sizej", 64},
    {spv::BuiltInEnqueuedWorkgroupSize, "_Z23get_enqueued_local_sizej", 64},
    {spv::BuiltInGlobalOffset, "_Z17get_global_offsetj", 64},
    {spv::BuiltInGlobalLinearId, "_Z20get_global_linear_idv", 64},
    {spv::BuiltInSubgroupSize, "_Z18get_sub_group_sizev", 32},
    {spv::BuiltInSubgroupMaxSize, "_Z22get_max_sub_group_sizev", 32},
    {spv::BuiltInNumSubgroups, "_Z18get_num_sub_groupsv", 32},
    {spv::BuiltInNumEnqueuedSubgroups, "_Z27get_enqueued_num_sub_groupsv", 32},
    {spv::BuiltInSubgroupId, "_Z16get_sub_group_idv", 32},
    {spv::BuiltInSubgroupLocalInvocationId, "_Z22get_sub_group_local_idv", 32},
    {spv::BuiltInSubgroupEqMask, "_Z21get_sub_group_eq_maskv", 32, true},
    {spv::BuiltInSubgroupGeMask, "_Z21get_sub_group_ge_maskv", 32, true},
    {spv::BuiltInSubgroupGtMask, "_Z21get_sub_group_gt_maskv", 32, true},
    {spv::BuiltInSubgroupLeMask, "_Z21get_sub_group_le_maskv", 32, true},
    {spv::BuiltInSubgroupLtMask, "_Z21get_sub_group_lt_maskv", 32, true},
};

/// Makes code at the builder's place that computes the value of a built-in variable of that type.
Value* built_in_value(Reader& r, std::uint32_t number, const Type& type) {
  IRBuilder<>& ir = r.ir();
  const auto* row = llvm::find_if(built_ins, [&](const BuiltIn& each) { return each.number == number; });
  if (row == std::end(built_ins)) refuse("the built-in variable " + Twine(number) + " is not supported");
  auto call = [&](llvm::Type* result, ArrayRef<Value*> arguments) {
    CallInst* made = r.call(row->function, result, arguments);
    made->setMemoryEffects(MemoryEffects::none());
    return made;
  };
  llvm::Type* result = ir.getIntNTy(row->bits);
  if (row->is_mask) {
    result = FixedVectorType::get(result, 4);
    if (type.ir != result) refuse("a mask of lanes is not a vector of four 32-bit integers");
    return call(result, {});
  }
  if (!type.scalar().is(Kind::integer)) refuse("a built-in variable is not of integers");
  const bool has_dimensions = StringRef(row->function).ends_with("j");
  if (has_dimensions != type.is(Kind::vector) || (has_dimensions && type.count != 3))
    refuse("a built-in variable does not have as many components as its kind");
  if (!has_dimensions) return ir.CreateZExtOrTrunc(call(result, {}), type.ir);
  Value* vector = PoisonValue::get(type.ir);
  for (unsigned i = 0; i < 3; ++i)
    vector = insert(r, vector, ir.CreateZExtOrTrunc(call(result, {ir.getInt32(i)}), type.element->ir), i);
  return vector;
}

void set_alignment(Reader& r, Id id, const Type& pointer, auto& variable) {
  const auto alignment = r.decorations.number(id, spv::DecorationAlignment);
  if (alignment && isPowerOf2_32(*alignment))
    variable.setAlignment(std::max(Align(*alignment), r.layout().getABITypeAlign(pointer.element->ir)));
}

/// Returns the first value of a variable: zeros if the module gives none, but undefined in local memory and
/// none for an import.
Constant* initial_value(Reader& r, const Type& type, const Linkage& linkage, Operands& in) {
  llvm::Type* content = type.element->ir;
  if (!in.empty()) {
    Constant* value = r.constant(in.id());
    // The zeros that clang's back end writes may have another type than the variable.
    if (value->isNullValue()) return Constant::getNullValue(content);
    if (value->getType() != content) refuse("the initialiser is not of the variable's type");
    return value;
  }
  if (linkage.is_import()) return nullptr;
  if (type.storage == spv::StorageClassWorkgroup) return UndefValue::get(content);
  return Constant::getNullValue(content);
}

GlobalVariable* program_variable(Reader& r, Id id, const Type& type, Operands& in) {
  Linkage linkage = linkage_of(r, id);
  // clang's back end writes LLVM's own lists, such as llvm.used, as if they were variables of the program.
  if (StringRef(linkage.name).starts_with("llvm.")) linkage = {};
  const std::string name = linkage.name.empty() ? internal_name(r, id) : std::string(linkage.name);
  check_name(name, /*may_be_llvm=*/true);
  if (!linkage.name.empty() && r.module().getNamedValue(name))
    refuse("two functions or variables have the name '" + Twine(name) + "'");
  const bool is_constant =
      type.storage == spv::StorageClassUniformConstant || r.decorations.has(id, spv::DecorationConstant);
  return new GlobalVariable(r.module(), type.element->ir, is_constant, ir_linkage(linkage),
                            initial_value(r, type, linkage, in), name, nullptr, GlobalValue::NotThreadLocal,
                            Reader::address_space(type.storage));
}

/// Stores, as attributes of the variable, the name by which the host asks for it and how the host may access
/// it.
void note_host_access(Reader& r, Id id, GlobalVariable& variable) {
  const Decoration* decoration = r.decorations.find(id, host_access);
  const bool is_drafted = !decoration;
  if (is_drafted) decoration = r.decorations.find(id, drafted_access);
  if (!decoration) return;
  Operands in({spv::OpDecorate, decoration->operands});
  std::uint32_t access = in.word();
  const std::string_view name = in.string();
  if (access > std::uint32_t(HostAccess::all))
    refuse("the access of HostAccessINTEL is " + Twine(access) +
           "; it must be 0 (none) to 3 (read and write)");
  if (is_drafted) access = std::uint32_t(drafted_accesses[access]);
  variable.addAttribute(metadata::host_access, std::to_string(access));
  if (!name.empty()) variable.addAttribute(metadata::host_name, StringRef(name));
}

/// Makes a private variable that has the value of a built-in variable from the beginning of the function on.
/// The variable is needed only if its address is passed on, which is rare; otherwise optimisation removes the
/// variable.
/// @param pointer the result type; with old producers its storage class is CrossWorkgroup or UniformConstant
Value* built_in_variable(Reader& r, std::uint32_t number, const Type& pointer) {
  AllocaInst* copy = r.ir().CreateAlloca(pointer.element->ir);
  r.ir().CreateStore(built_in_value(r, number, *pointer.element), copy);
  return r.ir().CreateAddrSpaceCast(copy, pointer.ir);
}

/// Makes a variable of a function at the builder's place.
Value* private_variable(Reader& r, Id id, const Type& type, const TypedValue* initial) {
  AllocaInst* variable = r.ir().CreateAlloca(type.element->ir);
  set_alignment(r, id, type, *variable);
  if (initial) store_object(r, *initial, variable, variable->getAlign(), false);
  return variable;
}

void read_private_variable(Reader& r, Id result, const Type& type, Operands& in) {
  std::optional<TypedValue> initial;
  if (!in.empty()) initial = {r.of_type(in.id(), *type.element), type.element};
  auto make = [&r, result, &type, initial] {
    return private_variable(r, result, type, initial ? &*initial : nullptr);
  };
  // llvm-spirv 15 declares constant variables of functions among the module's declarations.
  if (!r.is_in_function()) return r.define_per_function(result, type, make);
  r.define(result, type, make());
}

/// @param type a pointer to the type of the variable
void define_variable(Reader& r, Id result, const Type& type, Operands in) {
  const spv::StorageClass storage = type.storage;
  if (!type.element->ir || !type.element->ir->isSized()) refuse("the variable's type has no size");
  if (storage == spv::StorageClassFunction) return read_private_variable(r, result, type, in);
  if (r.has_matrices && holds_matrix(type.element->ir))
    refuse("a variable of cooperative matrices must have the storage class Function");
  const auto built_in = r.decorations.number(result, spv::DecorationBuiltIn);
  // Old producers give built-in variables the storage class CrossWorkgroup or UniformConstant.
  if (built_in)
    return r.define_per_function(
        result, type, [&r, &type, number = *built_in] { return built_in_variable(r, number, type); });
  if (storage == spv::StorageClassInput)
    refuse("a variable of the storage class Input is not a built-in variable");
  GlobalVariable* variable = program_variable(r, result, type, in);
  set_alignment(r, result, type, *variable);
  note_host_access(r, result, *variable);
  r.define(result, type, variable);
}

} // namespace

/// Reads OpVariable and OpUntypedVariableKHR (SPV_KHR_untyped_pointers), which has an operand for the
/// variable's type.
void read_variable(Reader& r, Operands in) {
  const Type& type = read_result(r, in);
  const auto storage = in.enumerant<spv::StorageClass>();
  const bool is_untyped = in.op() == opcodes::OpUntypedVariableKHR;
  if (!type.is(Kind::pointer) || type.storage != storage || (!is_untyped && !type.element))
    refuse("the result's type is not a pointer of the variable's storage class");
  if (is_untyped && in.empty()) refuse("the data type operand is missing");
  define_variable(r, in.result(), is_untyped ? r.pointer_to(type, r.type(in.id())) : type, in);
}

} // namespace hostcl::compiler::spirv
