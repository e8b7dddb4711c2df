#include "compiler/signature.hpp"

#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/4_range/argument_layout.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

// Values of CL_KERNEL_ARG_* and CL_MEM_OBJECT_IMAGE* (OpenCL 3.0 API, table 5.24), kept here so that compiler/ does not
// need CL headers.
constexpr std::uint32_t address_global = 0x119B, address_local = 0x119C, address_constant = 0x119D,
                        address_private = 0x119E;
constexpr std::uint32_t access_read_only = 0x11A0, access_write_only = 0x11A1, access_read_write = 0x11A2,
                        access_none = 0x11A3;
constexpr std::uint32_t object_image2d = 0x10F1, object_image3d = 0x10F2, object_image2d_array = 0x10F3,
                        object_image1d = 0x10F4, object_image1d_array = 0x10F5,
                        object_image1d_buffer = 0x10F6;
constexpr std::uint64_t type_const = 1, type_restrict = 2, type_volatile = 4, type_pipe = 8;

/// Operand `index` of the kernel metadata node `name`, or null.
const Metadata* metadata_operand(const Function& kernel, StringRef name, unsigned index) {
  const MDNode* node = kernel.getMetadata(name);
  return node && index < node->getNumOperands() ? node->getOperand(index).get() : nullptr;
}

StringRef string_operand(const Function& kernel, StringRef name, unsigned index) {
  const auto* text = dyn_cast_or_null<MDString>(metadata_operand(kernel, name, index));
  return text ? text->getString() : StringRef();
}

std::uint64_t number_operand(const Function& kernel, StringRef name, unsigned index) {
  const auto* value = dyn_cast_or_null<ConstantAsMetadata>(metadata_operand(kernel, name, index));
  const auto* number = value ? dyn_cast<ConstantInt>(value->getValue()) : nullptr;
  return number ? number->getZExtValue() : 0;
}

std::array<std::uint64_t, 3> triple(const Function& kernel, StringRef name) {
  return {number_operand(kernel, name, 0), number_operand(kernel, name, 1), number_operand(kernel, name, 2)};
}

std::uint32_t address_qualifier(std::uint64_t space) {
  return space == global_space     ? address_global
         : space == constant_space ? address_constant
         : space == local_space    ? address_local
                                   : address_private;
}

std::uint32_t access_qualifier(StringRef name) {
  if (name == "read_only") return access_read_only;
  if (name == "write_only") return access_write_only;
  if (name == "read_write") return access_read_write;
  return access_none;
}

std::uint64_t type_qualifiers(StringRef names) {
  std::uint64_t bits = 0;
  if (names.contains("const")) bits |= type_const;
  if (names.contains("restrict")) bits |= type_restrict;
  if (names.contains("volatile")) bits |= type_volatile;
  if (names.contains("pipe")) bits |= type_pipe;
  return bits;
}

ArgumentKind kind_of(const TargetExtType& type) {
  return StringSwitch<ArgumentKind>(type.getName())
      .Case("spirv.Image", ArgumentKind::image)
      .Case("spirv.Sampler", ArgumentKind::sampler)
      .Case("spirv.Pipe", ArgumentKind::pipe)
      .Case("spirv.Queue", ArgumentKind::queue)
      .Default(ArgumentKind::opaque);
}

/// Names are the program's own and say nothing about a type, but for the structures that counters are
/// typedefs of.
/// @param base_type without typedefs; C++ leaves the word struct out
ArgumentKind kind_of(const Argument& argument, StringRef base_type) {
  if (const auto* type = dyn_cast<TargetExtType>(argument.getType())) return kind_of(*type);
  base_type.consume_front("struct ");
  if (base_type == "__hostcl_counter32*") return ArgumentKind::counter32;
  if (base_type == "__hostcl_counter64*") return ArgumentKind::counter64;
  if (!argument.getType()->isPointerTy() || argument.hasByValAttr()) return ArgumentKind::value;
  switch (argument.getType()->getPointerAddressSpace()) {
  case constant_space:
    return ArgumentKind::constant_pointer;
  case local_space:
    return ArgumentKind::local_pointer;
  default:
    return ArgumentKind::global_pointer;
  }
}

/// The type's name in the source. For counters, which are typedefs, the metadata has the name of the structure instead.
StringRef written_type_name(ArgumentKind kind, StringRef name) {
  if (kind == ArgumentKind::counter32) return "counter32_t";
  if (kind == ArgumentKind::counter64) return "counter64_t";
  return name;
}

/// The dimensionalities of spirv.Image, as SPIR-V numbers them.
constexpr unsigned dim_1d = 0, dim_2d = 1, dim_3d = 2, dim_buffer = 5;

void read_image_type(KernelArgument& result, const TargetExtType& image) {
  const unsigned dim = image.getIntParameter(0);
  const bool is_array = image.getIntParameter(2) != 0;
  result.is_depth_image = image.getIntParameter(1) == 1;
  if (dim == dim_1d) result.image_type = is_array ? object_image1d_array : object_image1d;
  if (dim == dim_2d) result.image_type = is_array ? object_image2d_array : object_image2d;
  if (dim == dim_3d) result.image_type = object_image3d;
  if (dim == dim_buffer) result.image_type = object_image1d_buffer;
}

KernelArgument read_argument(const Argument& argument, const ArgumentSlot& slot) {
  const Function& kernel = *argument.getParent();
  unsigned i = argument.getArgNo();
  KernelArgument result;
  result.name = string_operand(kernel, "kernel_arg_name", i).str();
  result.kind = kind_of(argument, string_operand(kernel, "kernel_arg_base_type", i));
  result.type_name = written_type_name(result.kind, string_operand(kernel, "kernel_arg_type", i)).str();
  result.offset = slot.offset;
  result.size = slot.size;
  result.alignment = slot.alignment;
  result.address_qualifier = address_qualifier(number_operand(kernel, "kernel_arg_addr_space", i));
  if (result.kind == ArgumentKind::image) read_image_type(result, cast<TargetExtType>(*argument.getType()));
  result.access_qualifier = access_qualifier(string_operand(kernel, "kernel_arg_access_qual", i));
  result.type_qualifier = type_qualifiers(string_operand(kernel, "kernel_arg_type_qual", i));
  if (result.kind == ArgumentKind::constant_pointer) result.type_qualifier |= type_const;
  return result;
}

/// The spelling of one element of vec_type_hint, such as "float4".
std::string type_name(Type* type, bool is_signed) {
  if (auto* vector = dyn_cast<FixedVectorType>(type))
    return type_name(vector->getElementType(), is_signed) + std::to_string(vector->getNumElements());
  if (type->isHalfTy()) return "half";
  if (type->isFloatTy()) return "float";
  if (type->isDoubleTy()) return "double";
  const unsigned bits = type->getScalarSizeInBits();
  const char* name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 64 ? "long" : "int";
  return std::string(is_signed ? "" : "u") + name;
}

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : " ") + item;
}

std::string describe_triple(const char* name, const std::array<std::uint64_t, 3>& sizes) {
  return std::string(name) + "(" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," +
         std::to_string(sizes[2]) + ")";
}

std::string attributes_of(const Function& kernel, const KernelSignature& signature) {
  std::string list;
  if (signature.required_local_size[0])
    append(list, describe_triple("reqd_work_group_size", signature.required_local_size));
  if (signature.local_size_hint[0])
    append(list, describe_triple("work_group_size_hint", signature.local_size_hint));
  if (const MDNode* hint = kernel.getMetadata("vec_type_hint")) {
    auto* value = cast<ConstantAsMetadata>(hint->getOperand(0))->getValue();
    append(list,
           "vec_type_hint(" + type_name(value->getType(), number_operand(kernel, "vec_type_hint", 1)) + ")");
  }
  if (signature.required_sub_group_size)
    append(list, "intel_reqd_sub_group_size(" + std::to_string(signature.required_sub_group_size) + ")");
  return list;
}

/// All functions that `kernel` can reach, with and without a body; `kernel` is the first.
SetVector<const Function*> reachable(const Function& kernel) {
  SetVector<const Function*> reached;
  reached.insert(&kernel);
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Instruction& instruction : instructions(*reached[i]))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const Function* callee = call->getCalledFunction()) reached.insert(callee);
  return reached;
}

/// Whether one of the functions uses the variable, or a constant expression with the variable, such as the address of an
/// element. True if another variable has the address.
bool is_used_in(const SetVector<const Function*>& functions, const Constant& variable) {
  // Constant expressions share operands; a constant that is reached on several ways is visited once.
  SmallSetVector<const Constant*, 8> constants;
  constants.insert(&variable);
  for (std::size_t i = 0; i < constants.size(); ++i)
    for (const User* user : constants[i]->users()) {
      const auto* instruction = dyn_cast<Instruction>(user);
      if (isa<GlobalValue>(user) || (instruction && functions.contains(instruction->getFunction())))
        return true;
      if (!instruction) constants.insert(cast<Constant>(user));
    }
  return false;
}

std::uint64_t static_local_bytes(const llvm::Module& module, const SetVector<const Function*>& functions) {
  std::uint64_t bytes = 0;
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != local_space || !is_used_in(functions, variable)) continue;
    bytes = SaturatingAdd(bytes, offsetToAlignment(bytes, variable.getAlign().valueOrOne()),
                          module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue());
  }
  return bytes;
}

/// Sums variables as written; variables that optimisation keeps in registers count too.
std::uint64_t private_bytes(const llvm::Module& module, const SetVector<const Function*>& functions) {
  std::uint64_t bytes = 0;
  for (const Function* function : functions)
    for (const Instruction& instruction : instructions(*function))
      if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
        bytes = SaturatingAdd(
            bytes, module.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getFixedValue());
  return bytes;
}

/// Whether the function of the library needs abi::Launch::enqueuer, as functions that enqueue kernels do.
bool needs_enqueuer(const Function* function) {
  constexpr StringRef beginnings[] = {"__enqueue_kernel_",  "__get_kernel_",         "__hostcl_enqueue_",
                                      "_Z14enqueue_marker", "_Z17create_user_event", "_Z17get_default_queue"};
  return function->isDeclaration() &&
         any_of(beginnings, [&](StringRef beginning) { return function->getName().starts_with(beginning); });
}

void read_callees(KernelSignature& signature, const Function& kernel) {
  SetVector<const Function*> functions = reachable(kernel);
  signature.enqueues = any_of(functions, needs_enqueuer);
  signature.static_local_bytes = static_local_bytes(*kernel.getParent(), functions);
  signature.private_bytes = private_bytes(*kernel.getParent(), functions);
  for (const Function* function : functions)
    signature.instructions += function->getInstructionCount();
}

} // namespace

bool is_api_kernel(const Function& function) {
  return function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration() &&
         !function.getName().starts_with("_GLOBAL__") && !is_block_kernel(function);
}

bool is_block_kernel(const Function& function) {
  return function.hasFnAttribute(metadata::block_kernel);
}

KernelSignature read_signature(const Function& kernel) {
  KernelSignature signature;
  signature.name = kernel.getName().str();
  signature.has_argument_info = kernel.getParent()->getModuleFlag(metadata::argument_info) != nullptr;
  signature.uniform_groups = kernel.getParent()->getModuleFlag(metadata::uniform_groups) != nullptr;
  signature.names_enqueue_errors = kernel.getParent()->getModuleFlag(metadata::enqueue_errors) != nullptr;
  ArgumentLayout layout = argument_layout(kernel);
  for (const Argument& argument : kernel.args())
    signature.arguments.push_back(read_argument(argument, layout.slots[argument.getArgNo()]));
  signature.argument_bytes = layout.bytes;
  signature.required_local_size = triple(kernel, "reqd_work_group_size");
  signature.local_size_hint = triple(kernel, "work_group_size_hint");
  signature.required_sub_group_size =
      static_cast<std::uint32_t>(number_operand(kernel, "intel_reqd_sub_group_size", 0));
  signature.attributes = attributes_of(kernel, signature);
  read_callees(signature, kernel);
  return signature;
}

} // namespace hostcl::compiler
