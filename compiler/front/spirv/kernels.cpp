#include "compiler/front/spirv/kernels.hpp"

#include "compiler/front/spirv/reader.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/sub_group_sizes.hpp"

#include "llvm/Transforms/Utils/Cloning.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

constexpr unsigned floating_point_mode_alt = 5622; // SPV_INTEL_float_controls2

Metadata* number(LLVMContext& context, std::uint64_t value) {
  return ConstantAsMetadata::get(ConstantInt::get(IntegerType::getInt32Ty(context), value));
}

MDNode* three_numbers(Reader& r, const ExecutionMode& mode, bool are_ids) {
  if (mode.operands.size() < 3) refuse("an execution mode has fewer than three sizes");
  Operands in({spv::OpExecutionMode, mode.operands});
  Metadata* sizes[3];
  for (Metadata*& size : sizes)
    size = number(r.context(), are_ids ? r.constant_number(in.id()) : in.word());
  return MDNode::get(r.context(), sizes);
}

/// Returns the metadata node for the operand of VecTypeHint, whose upper 16 bits are the number of
/// components, and whose lower 16 bits are the number of the element type. Returns null if no type has this
/// number.
MDNode* type_hint(LLVMContext& context, std::uint32_t hint) {
  llvm::Type* const elements[] = {llvm::Type::getInt8Ty(context),  llvm::Type::getInt16Ty(context),
                                  llvm::Type::getInt32Ty(context), llvm::Type::getInt64Ty(context),
                                  llvm::Type::getHalfTy(context),  llvm::Type::getFloatTy(context),
                                  llvm::Type::getDoubleTy(context)};
  const std::uint32_t element = hint & 0xffff, count = hint >> 16;
  if (element >= std::size(elements) || count > 16) return nullptr;
  llvm::Type* type = elements[element];
  if (count > 1) type = FixedVectorType::get(type, count);
  return MDNode::get(context, {ConstantAsMetadata::get(PoisonValue::get(type)), number(context, 0)});
}

void describe_mode(Reader& r, Function& kernel, const ExecutionMode& mode) {
  const std::uint32_t first = mode.operands.empty() ? 0 : mode.operands[0];
  switch (unsigned(mode.mode)) {
  case spv::ExecutionModeLocalSize:
  case spv::ExecutionModeLocalSizeId:
    kernel.setMetadata("reqd_work_group_size",
                       three_numbers(r, mode, mode.mode == spv::ExecutionModeLocalSizeId));
    break;
  case spv::ExecutionModeLocalSizeHint:
  case spv::ExecutionModeLocalSizeHintId:
    kernel.setMetadata("work_group_size_hint",
                       three_numbers(r, mode, mode.mode == spv::ExecutionModeLocalSizeHintId));
    break;
  case spv::ExecutionModeVecTypeHint:
    if (MDNode* hint = type_hint(r.context(), first)) kernel.setMetadata("vec_type_hint", hint);
    break;
  case spv::ExecutionModeSubgroupSize:
    if (const Language& language = r.request.settings->language; !may_require_sub_groups_of(first, language))
      refuse("the execution mode SubgroupSize is " + Twine(first) + "; it must be " +
             sub_group_sizes_of(language));
    kernel.setMetadata("intel_reqd_sub_group_size", MDNode::get(r.context(), number(r.context(), first)));
    break;
  case floating_point_mode_alt:
    refuse("the execution mode FloatingPointModeALTINTEL is not supported: kernels compute as IEEE 754 says");
  default:
    // fast_math.cpp evaluates ContractionOff and FPFastMathDefault for each operation. The other floating-point
    // modes that are supported ask for the default, and all other modes are ignored.
    break;
  }
}

/// Returns the types of the kernel's arguments as the program wrote them. They are in a string
/// "kernel_arg_type.KERNEL.TYPE,TYPE,". Returns nothing if the module has no such string.
std::vector<StringRef> written_types(Reader& r, const Function& kernel) {
  const std::string prefix = ("kernel_arg_type." + kernel.getName() + ".").str();
  for (const auto& [id, text] : r.strings) {
    StringRef list{text};
    if (!list.consume_front(prefix)) continue;
    SmallVector<StringRef> types;
    list.split(types, ',');
    if (types.size() >= kernel.arg_size()) return {types.begin(), types.begin() + kernel.arg_size()};
  }
  return {};
}

/// Returns the access qualifier of an image or a pipe, which is the last parameter of its type.
StringRef access_name(const TargetExtType& type) {
  constexpr StringRef names[] = {"read_only", "write_only", "read_write"};
  const unsigned access = type.getIntParameter(type.getNumIntParameters() - 1);
  return access < std::size(names) ? names[access] : names[0];
}

struct ArgumentLists {
  SmallVector<Metadata*> spaces, accesses, types, qualifiers, names;
};

void describe_argument(ArgumentLists& lists, const Argument& argument, StringRef type) {
  LLVMContext& context = argument.getContext();
  auto text = [&](StringRef value) { return MDString::get(context, value); };
  const auto* opaque = dyn_cast<TargetExtType>(argument.getType());
  const bool is_pipe = opaque && opaque->getName() == "spirv.Pipe";
  const bool has_access = is_pipe || (opaque && opaque->getName() == "spirv.Image");
  const auto* pointer = argument.hasByValAttr() ? nullptr : dyn_cast<PointerType>(argument.getType());
  lists.spaces.push_back(number(context, has_access ? global_space
                                         : pointer  ? pointer->getAddressSpace()
                                                    : private_space));
  lists.accesses.push_back(text(has_access ? access_name(*opaque) : "none"));
  lists.types.push_back(text(type));
  lists.names.push_back(text(argument.getName()));
  std::string qualifiers;
  if (pointer && argument.hasAttribute(Attribute::ReadOnly)) qualifiers = "const";
  if (pointer && argument.hasAttribute(Attribute::NoAlias))
    qualifiers += qualifiers.empty() ? "restrict" : " restrict";
  if (is_pipe) qualifiers = "pipe";
  lists.qualifiers.push_back(text(qualifiers));
}

void describe_arguments(Reader& r, Function& kernel) {
  const std::vector<StringRef> types = written_types(r, kernel);
  ArgumentLists lists;
  for (const Argument& argument : kernel.args())
    describe_argument(lists, argument, types.empty() ? StringRef() : types[argument.getArgNo()]);
  auto set = [&](const char* name, ArrayRef<Metadata*> list) {
    kernel.setMetadata(name, MDNode::get(kernel.getContext(), list));
  };
  set("kernel_arg_addr_space", lists.spaces);
  set("kernel_arg_access_qual", lists.accesses);
  set("kernel_arg_type", lists.types);
  set("kernel_arg_base_type", lists.types);
  set("kernel_arg_type_qual", lists.qualifiers);
  set("kernel_arg_name", lists.names);
}

/// If an entry point is called, makes a separate function for these calls. SPIR-V forbids such calls, but old
/// producers make them.
void separate_calls(Function& kernel) {
  if (kernel.use_empty()) return;
  ValueToValueMapTy values;
  Function* callee = CloneFunction(&kernel, values);
  callee->setName("il." + kernel.getName());
  callee->setLinkage(GlobalValue::InternalLinkage);
  callee->setCallingConv(CallingConv::SPIR_FUNC);
  callee->clearMetadata();
  kernel.replaceAllUsesWith(callee);
  for (User* user : callee->users())
    if (auto* call = dyn_cast<CallBase>(user)) call->setCallingConv(CallingConv::SPIR_FUNC);
}

} // namespace

void describe_kernels(Reader& r) {
  for (const EntryPoint& entry : r.entry_points) {
    Function* kernel = &r.declared_function(entry.function);
    if (kernel->empty()) refuse("the entry point '" + Twine(StringRef(entry.name)) + "' has no body");
    if (kernel->getName() != StringRef(entry.name)) {
      ValueToValueMapTy values;
      kernel = CloneFunction(kernel, values);
      kernel->setName(StringRef(entry.name));
    }
    if (kernel->getName() != StringRef(entry.name))
      refuse("two functions or variables have the name '" + Twine(StringRef(entry.name)) + "'");
    separate_calls(*kernel);
    for (const ExecutionMode& mode : r.execution_modes.lookup(entry.function))
      describe_mode(r, *kernel, mode);
    describe_arguments(r, *kernel);
  }
}

} // namespace hostcl::compiler::spirv
