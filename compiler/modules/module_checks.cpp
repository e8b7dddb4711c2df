#include "compiler/modules/module_checks.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/modules/ir_module.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_integer_bits = 128, most_vector_elements = 1024;
constexpr std::uint64_t most_object_bytes = std::uint64_t{1} << 32;

/// Families of intrinsics that are allowed although computes_alone() is false for them, because clang emits
/// them for OpenCL C and its built-ins (front/clang/unsupported.cpp). A family is the part of the name
/// between `llvm.` and the next dot.
constexpr StringLiteral intrinsic_families[] = {
    "assume",   "dbg",       "debugtrap",    "get",     "instrprof", "invariant",
    "launder",  "lifetime",  "memcpy",       "memmove", "memset",    "objectsize",
    "prefetch", "stacksave", "stackrestore", "strip",   "trap",      "ubsantrap"};

/// Whether the function is the intrinsic that the reader of SPIR-V calls for cooperative matrices: the value of the
/// first active lane.
bool is_first_value(const Function& function) {
  const auto operation = sub_group_operation(function);
  return operation && operation->kind == SubGroupOperation::first && function.isDeclaration() &&
         function.arg_size() == 1 && !function.isVarArg() &&
         function.getArg(0)->getType() == function.getReturnType();
}

bool is_known_intrinsic(const Function& function) {
  StringRef name = function.getName();
  if (!name.consume_front("llvm.")) return false;
  const StringRef family = name.split('.').first;
  if (family == "threadlocal") return false;
  return computes_alone(function) || name == "experimental.noalias.scope.decl" ||
         is_contained(intrinsic_families, family);
}

class Checker {
public:
  Checker(const llvm::Module& module, bool assembly) : module_(module), has_assembly_(assembly) {}

  Error run() {
    check_module();
    for (const GlobalVariable& variable : module_.globals())
      check(variable);
    for (const Function& function : module_)
      check(function);
    return reason_.empty() ? Error::success() : createStringError(reason_);
  }

private:
  void require(bool holds, const Twine& reason) {
    if (!holds && reason_.empty()) reason_ = reason.str();
  }

  void check_module();
  void check(const GlobalVariable& variable);
  void check(const Function& function);
  void check(const Instruction& instruction);
  void check(const CallBase& call);
  void check_metadata(const Function& function);
  void check_numbers(const Function& function, StringRef name, unsigned first);
  bool check(Type* type);

  const llvm::Module& module_;
  const bool has_assembly_; ///< whether inline assembly is allowed
  SmallPtrSet<Type*, 32> known_;
  std::string reason_;
};

void Checker::check_module() {
  require(module_.getTargetTriple().str() == spir64_triple, "its target is not spir64");
  require(module_.getDataLayoutStr() == spir64_layout, "its data layout is not that of spir64");
  require(module_.getModuleInlineAsm().empty(), "it has assembly");
  require(module_.alias_empty() && module_.ifunc_empty(), "it has aliases");
}

/// Whether values of this type are allowed.
bool Checker::check(Type* type) {
  if (!known_.insert(type).second) return true;
  bool is_usable = false;
  if (auto* integer = dyn_cast<IntegerType>(type))
    is_usable = integer->getBitWidth() <= most_integer_bits;
  else if (auto* vector = dyn_cast<VectorType>(type))
    is_usable =
        isa<FixedVectorType>(vector) && vector->getElementCount().getKnownMinValue() <= most_vector_elements;
  else if (auto* pointer = dyn_cast<PointerType>(type))
    is_usable = pointer->getAddressSpace() <= last_space;
  else if (auto* opaque = dyn_cast<TargetExtType>(type))
    is_usable = opaque->getName().starts_with("spirv.");
  else if (auto* structure = dyn_cast<StructType>(type))
    is_usable = !structure->isOpaque();
  else
    is_usable = type->isVoidTy() || type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() ||
                type->isArrayTy() || type->isLabelTy() || type->isMetadataTy() || type->isFunctionTy();
  require(is_usable, "it has a type that OpenCL C lacks");
  return is_usable && all_of(type->subtypes(), [&](Type* part) { return check(part); });
}

void Checker::check(const GlobalVariable& variable) {
  require(!variable.isThreadLocal() && !variable.hasSection() && !variable.hasPartition(),
          "a variable is thread-local, or lies in a section or partition of its own");
  require(variable.getAddressSpace() <= last_space, "a variable has an unknown address space");
  if (!check(variable.getValueType()) || !variable.getValueType()->isSized()) return;
  const TypeSize size = module_.getDataLayout().getTypeAllocSize(variable.getValueType());
  require(!size.isScalable() && size.getFixedValue() < most_object_bytes, "a variable is too large");
}

/// Refuses function attributes that begin with `hostcl.`, because passes trust them. The three attributes
/// that the front end itself sets are allowed. Metadata of instructions is not checked here.
void Checker::check_metadata(const Function& function) {
  for (const Attribute& attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute()) {
      const StringRef name = attribute.getKindAsString();
      require(!name.starts_with(metadata::prefix) || name == metadata::declared ||
                  name == metadata::block_kernel || name == metadata::debug_form,
              "a function has an attribute that only the compiler may set");
    }
}

/// Checks that a kernel's metadata has numbers from the operand `first` on.
void Checker::check_numbers(const Function& function, StringRef name, unsigned first) {
  const MDNode* node = function.getMetadata(name);
  if (!node) return;
  require(node->getNumOperands() > first, "the metadata of a kernel attribute has too few operands");
  for (unsigned i = first; i < node->getNumOperands(); ++i)
    require(mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(i)) != nullptr,
            "the metadata of a kernel attribute is not a number");
}

void Checker::check(const Function& function) {
  require(!function.hasPersonalityFn() && !function.hasGC() && !function.hasPrefixData() &&
              !function.hasPrologueData() && !function.hasSection(),
          "a function has a property that OpenCL C lacks");
  require(!function.isVarArg() || function.isDeclaration(), "a function has variable arguments");
  require(!function.hasFnAttribute(Attribute::Naked), "a function is naked");
  require(!intrinsic_of(function) || is_first_value(function),
          "a function has a name that is reserved for the compiler");
  if (function.isIntrinsic()) {
    require(is_known_intrinsic(function), "it calls the unknown intrinsic " + function.getName());
    require(function.isDeclaration(), "it defines the intrinsic " + function.getName());
  }
  check_metadata(function);
  for (StringRef name : {"reqd_work_group_size", "work_group_size_hint", "intel_reqd_sub_group_size"})
    check_numbers(function, name, 0);
  if (const MDNode* hint = function.getMetadata("vec_type_hint"))
    require(hint->getNumOperands() == 2 && isa_and_nonnull<ConstantAsMetadata>(hint->getOperand(0)) &&
                mdconst::hasa<ConstantInt>(hint->getOperand(1)),
            "the metadata of the kernel attribute vec_type_hint names no type");
  check(function.getFunctionType());
  if (function.getCallingConv() == CallingConv::SPIR_KERNEL)
    require(function.getReturnType()->isVoidTy(), "a kernel returns a value");
  for (const Instruction& instruction : instructions(function))
    check(instruction);
}

void Checker::check(const CallBase& call) {
  require(isa<CallInst>(call), "it has calls that may throw exceptions (invoke)");
  if (const auto* assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    require(assembly->getAsmString().empty() || has_assembly_, "it has assembly");
  require(!call.getCalledFunction() || call.getCalledFunction()->isIntrinsic() ||
              call.getFunctionType() == call.getCalledFunction()->getFunctionType(),
          "the type of a call differs from that of the called function");
  require(!call.isMustTailCall(), "it has a tail call that must replace its caller (musttail)");
}

void Checker::check(const Instruction& instruction) {
  if (!check(instruction.getType())) return;
  for (const Value* operand : instruction.operand_values())
    check(operand->getType());
  if (const auto* call = dyn_cast<CallBase>(&instruction)) return check(*call);
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction)) {
    if (!check(variable->getAllocatedType())) return;
    const auto size = variable->getAllocationSize(module_.getDataLayout());
    require(!size || (!size->isScalable() && size->getFixedValue() < most_object_bytes),
            "a variable is too large");
  }
  if (const auto* element = dyn_cast<GetElementPtrInst>(&instruction)) check(element->getSourceElementType());
  require(!isa<IndirectBrInst>(instruction) && !isa<VAArgInst>(instruction) && !instruction.isEHPad() &&
              !isa<ResumeInst>(instruction),
          "it has an instruction that OpenCL C lacks");
}

} // namespace

bool computes_alone(const Function& function) {
  const llvm::Intrinsic::ID id = function.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic || llvm::Intrinsic::isTargetIntrinsic(id)) return false;
  const AttributeSet attributes = llvm::Intrinsic::getFnAttributes(function.getContext(), id);
  return attributes.getMemoryEffects().doesNotAccessMemory() &&
         attributes.hasAttribute(Attribute::WillReturn);
}

Error check_ir(const llvm::Module& module, bool assembly) {
  std::string reason;
  raw_string_ostream stream(reason);
  if (verifyModule(module, &stream)) return createStringError(StringRef(reason).split('\n').first);
  return Checker(module, assembly).run();
}

} // namespace hostcl::compiler
