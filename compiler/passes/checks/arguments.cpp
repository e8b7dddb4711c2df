// Checks for undefined behaviour that the kernel's own code causes (HOSTCL_CHECK=arguments), similar to clang's
// UndefinedBehaviorSanitizer: integer divisions by zero and INT_MIN / -1, conversions of numbers that the integer type
// cannot hold, misaligned accesses, and arguments that a built-in function does not allow.
//
//   before:  %q = sdiv i32 %a, %b
//
//   after:   %wrong = icmp eq i32 %b, 0
//            if %wrong a report (findings.hpp)
//            %q = sdiv i32 %a, %b
//
// Misaligned accesses are not performed. Shifts are not checked, because OpenCL C takes their amounts modulo the width
// (6.3.j).
//
// In:  the functions of a kernel as the front end made them, before the library is linked: built-in functions are still
//      calls, and are recognised by their mangled names.
// Tests: tests/passes/checks/check_arguments_*.ll, tests/process/undefined_findings.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/called_name.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_unsigned(const CalledName& name) {
  return StringRef("htjm").contains(name.element);
}

/// Whether any lane is true.
Value* any(Value* wrong, IRBuilder<>& builder) {
  auto* vector = dyn_cast<FixedVectorType>(wrong->getType());
  if (!vector) return wrong;
  Value* some = builder.CreateExtractElement(wrong, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    some = builder.CreateOr(some, builder.CreateExtractElement(wrong, i));
  return some;
}

class ArgumentsChecker {
public:
  explicit ArgumentsChecker(Function& kernel) : kernel_(kernel) {}
  void check(Function& function);

private:
  void check(Instruction& instruction);
  void check_division(BinaryOperator& division);
  void check_conversion(Instruction& instruction, Value& value, Type& to, bool is_signed);
  void check_alignment(Instruction& access, Value& pointer, Align alignment, abi::Access kind);
  void check_call(CallBase& call);
  void check_order(CallBase& call, const CalledName& name, unsigned low, bool may_be_equal,
                   StringRef sentence);
  void check_atomic(CallBase& call, const CalledName& name);
  void check_address(CallBase& call, const CalledName& name, Value& pointer, std::uint64_t bytes);
  void check_24_bits(CallBase& call, const CalledName& name);
  void check_bit_field(CallBase& call, unsigned offset);
  void check_vector_memory(CallBase& call, const CalledName& name);
  void check_broadcast(CallBase& call, const CalledName& name);
  void report_any(Value* wrong, Instruction& instruction, StringRef sentence);
  Constant* site(const Instruction& instruction, StringRef sentence, const Value* root = nullptr);

  Function& kernel_;
};

void ArgumentsChecker::check(Function& function) {
  SmallVector<Instruction*, 64> all;
  for (Instruction& instruction : instructions(function))
    all.push_back(&instruction);
  for (Instruction* instruction : all)
    check(*instruction);
}

void ArgumentsChecker::check(Instruction& instruction) {
  if (instruction.isIntDivRem()) return check_division(cast<BinaryOperator>(instruction));
  if (isa<FPToSIInst, FPToUIInst>(instruction))
    return check_conversion(instruction, *instruction.getOperand(0), *instruction.getType(),
                            isa<FPToSIInst>(instruction));
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return check_alignment(*load, *load->getPointerOperand(), load->getAlign(), abi::Access::read);
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return check_alignment(*store, *store->getPointerOperand(), store->getAlign(), abi::Access::write);
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return check_alignment(*update, *update->getPointerOperand(), update->getAlign(), abi::Access::update);
  if (auto* call = dyn_cast<CallBase>(&instruction)) check_call(*call);
}

Constant* ArgumentsChecker::site(const Instruction& instruction, StringRef sentence, const Value* root) {
  return site_of(instruction,
                 {.check = Check::arguments, .root = root, .sentence = sentence, .kernel = &kernel_});
}

void ArgumentsChecker::report_any(Value* wrong, Instruction& instruction, StringRef sentence) {
  IRBuilder<> builder(&instruction);
  wrong = any(wrong, builder);
  if (auto* known = dyn_cast<ConstantInt>(wrong); known && known->isZero()) return;
  report_if(wrong, instruction, site(instruction, sentence));
}

void ArgumentsChecker::check_division(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value *numerator = division.getOperand(0), *divisor = division.getOperand(1);
  Type* type = divisor->getType();
  report_any(builder.CreateICmpEQ(divisor, Constant::getNullValue(type)), division,
             "an integer is divided by zero");
  const unsigned opcode = division.getOpcode();
  if (opcode != Instruction::SDiv && opcode != Instruction::SRem) return;
  builder.SetInsertPoint(&division);
  Constant* least = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
  Value* is_least = builder.CreateICmpEQ(numerator, least);
  Value* negates = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
  report_any(builder.CreateAnd(is_least, negates), division,
             "the least integer is divided by -1, and the result does not fit");
}

/// The value, rounded as the conversion function of this name does. Rounding towards zero is part of
/// check_conversion().
Value* rounded(IRBuilder<>& builder, Value& value, StringRef conversion) {
  if (conversion.ends_with("_rte")) return builder.CreateUnaryIntrinsic(llvm::Intrinsic::rint, &value);
  if (conversion.ends_with("_rtp")) return builder.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, &value);
  if (conversion.ends_with("_rtn")) return builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, &value);
  return &value;
}

/// Reports a conversion to an integer type if the value, rounded towards zero, does not fit into the type.
void ArgumentsChecker::check_conversion(Instruction& instruction, Value& value, Type& to, bool is_signed) {
  Type* type = value.getType();
  const unsigned bits = to.getScalarSizeInBits();
  const fltSemantics& semantics = type->getScalarType()->getFltSemantics();
  // The value must be above least - 1 and below the first integer that is too large. If the floating-point type cannot
  // represent least - 1, the value must not be below least.
  auto number = [&](const APInt& integer, bool& is_exact) {
    APFloat result(semantics);
    const auto status = result.convertFromAPInt(integer, true, APFloat::rmNearestTiesToEven);
    is_exact = status == APFloat::opOK;
    return ConstantFP::get(type, result);
  };
  const unsigned wide = bits + 2;
  const APInt end = APInt::getOneBitSet(wide, is_signed ? bits - 1 : bits);
  const APInt least = is_signed ? -end : APInt::getZero(wide);
  bool is_exact = false, ignored = false;
  Constant *below = number(least - 1, is_exact), *first = number(least, ignored),
           *behind = number(end, ignored);
  IRBuilder<> builder(&instruction);
  Value* fits_below = is_exact ? builder.CreateFCmpOGT(&value, below) : builder.CreateFCmpOGE(&value, first);
  Value* fits = builder.CreateAnd(fits_below, builder.CreateFCmpOLT(&value, behind));
  report_any(
      builder.CreateNot(fits), instruction,
      ("a number is converted to an integer of " + std::to_string(bits) + " bits that cannot hold it"));
}

/// Strips address computations by multiples of the alignment from the pointer; the result is aligned if and only if the
/// pointer is.
Value* without_aligned_steps(Value& pointer, Align alignment, const DataLayout& layout) {
  Value* address = &pointer;
  auto* step = dyn_cast<GEPOperator>(address);
  while (step && step->getMaxPreservedAlignment(layout) >= alignment) {
    address = step->getPointerOperand();
    step = dyn_cast<GEPOperator>(address);
  }
  return address;
}

void ArgumentsChecker::check_alignment(Instruction& access, Value& pointer, Align alignment,
                                       abi::Access kind) {
  const DataLayout& layout = kernel_.getDataLayout();
  const Value* root = getUnderlyingObject(&pointer);
  if (alignment == Align(1) || isa<AllocaInst>(root) || getKnownAlignment(&pointer, layout) >= alignment)
    return;
  IRBuilder<> builder(&access);
  Value* address =
      builder.CreatePtrToInt(without_aligned_steps(pointer, alignment, layout), builder.getInt64Ty());
  Value* right = builder.CreateICmpEQ(builder.CreateAnd(address, alignment.value() - 1), builder.getInt64(0));
  constexpr StringRef names[] = {"read", "write", "update"};
  const std::string sentence =
      (names[static_cast<unsigned>(kind)] + " at an address that is not a multiple of " +
       std::to_string(alignment.value()) + ", as its type asks for")
          .str();
  perform_if(right, access, [&](IRBuilder<>&) { return address; }, site(access, sentence));
}

void ArgumentsChecker::check_call(CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return;
  const CalledName name = called_name(*callee);
  if (name.name == "clamp")
    return check_order(call, name, 1, true, "clamp() with a minimum above the maximum");
  if (name.name == "smoothstep")
    return check_order(call, name, 0, false, "smoothstep() with a first edge that is not below the second");
  if (name.name == "mul24" || name.name == "mad24") return check_24_bits(call, name);
  if (name.name == "bitfield_insert") return check_bit_field(call, 2);
  if (name.name == "bitfield_extract_signed" || name.name == "bitfield_extract_unsigned")
    return check_bit_field(call, 1);
  if ((name.name.starts_with("atomic_") || name.name.starts_with("atom_")) &&
      !name.name.starts_with("atomic_flag") && name.name != "atomic_work_item_fence")
    return check_atomic(call, name);
  if (name.name.starts_with("vload") || name.name.starts_with("vstore"))
    return check_vector_memory(call, name);
  if (name.name == "work_group_broadcast" || name.name == "sub_group_broadcast")
    return check_broadcast(call, name);
  if (!name.name.starts_with("convert_") || name.name.contains("_sat") ||
      !call.getType()->isIntOrIntVectorTy())
    return;
  Value& value = *call.getArgOperand(0);
  if (!value.getType()->isFPOrFPVectorTy()) return;
  IRBuilder<> builder(&call);
  check_conversion(call, *rounded(builder, value, name.name), *call.getType(),
                   !name.name.starts_with("convert_u"));
}

void ArgumentsChecker::check_order(CallBase& call, const CalledName& name, unsigned low, bool may_be_equal,
                                   StringRef sentence) {
  IRBuilder<> builder(&call);
  Value *first = call.getArgOperand(low), *second = call.getArgOperand(low + 1);
  Value* wrong;
  if (!first->getType()->isFPOrFPVectorTy())
    wrong = builder.CreateICmp(is_unsigned(name) ? ICmpInst::ICMP_UGT : ICmpInst::ICMP_SGT, first, second);
  else
    wrong = may_be_equal ? builder.CreateFCmpOGT(first, second) : builder.CreateFCmpOGE(first, second);
  report_any(wrong, call, sentence);
}

void ArgumentsChecker::check_24_bits(CallBase& call, const CalledName& name) {
  for (unsigned i = 0; i < 2; ++i) {
    IRBuilder<> builder(&call);
    Value* factor = call.getArgOperand(i);
    Type* type = factor->getType();
    Value* moved = factor; // signed numbers are moved to a range that begins at zero
    if (!is_unsigned(name)) moved = builder.CreateAdd(factor, ConstantInt::get(type, 1 << 23));
    report_any(builder.CreateICmpUGE(moved, ConstantInt::get(type, 1 << 24)), call,
               (name.name + "() of a number that has more than 24 bits").str());
  }
}

void ArgumentsChecker::check_bit_field(CallBase& call, unsigned offset) {
  IRBuilder<> builder(&call);
  Type* i64 = builder.getInt64Ty();
  Value* end = builder.CreateAdd(builder.CreateZExt(call.getArgOperand(offset), i64),
                                 builder.CreateZExt(call.getArgOperand(offset + 1), i64));
  report_any(builder.CreateICmpUGT(end, builder.getInt64(call.getType()->getScalarSizeInBits())), call,
             "a bit-field that reaches beyond the bits of its integer");
}

/// Checks the alignment of vload and vstore functions: to the element's size, and for vloada_half and vstorea_half to
/// the vector's size.
void ArgumentsChecker::check_vector_memory(CallBase& call, const CalledName& name) {
  StringRef rest = name.name;
  const bool loads = rest.consume_front("vload");
  if (!loads) rest.consume_front("vstore");
  const unsigned pointer = loads ? 1 : 2;
  if (call.arg_size() <= pointer || !call.getArgOperand(pointer)->getType()->isPointerTy()) return;
  const Type* data = loads ? call.getType() : call.getArgOperand(0)->getType();
  std::uint64_t bytes = data->getScalarSizeInBits() / 8;
  if (rest.contains("_half")) {
    constexpr std::uint64_t half_bytes = 2;
    const auto* vector = dyn_cast<FixedVectorType>(data);
    bytes =
        rest.starts_with("a") && vector ? half_bytes * PowerOf2Ceil(vector->getNumElements()) : half_bytes;
  }
  check_address(call, name, *call.getArgOperand(pointer), bytes);
}

/// Checks that the object of an atomic function is aligned to its size.
void ArgumentsChecker::check_atomic(CallBase& call, const CalledName& name) {
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy()) return;
  Type* type = call.getType();
  if (type->isVoidTy() || type->isIntegerTy(1)) { // the stored value has the object's type
    const unsigned value = name.name.contains("compare_exchange") ? 2 : 1;
    if (call.arg_size() <= value) return;
    type = call.getArgOperand(value)->getType();
  }
  if (const std::uint64_t bytes = type->getPrimitiveSizeInBits() / 8; bytes > 1)
    check_address(call, name, *call.getArgOperand(0), bytes);
}

void ArgumentsChecker::check_address(CallBase& call, const CalledName& name, Value& pointer,
                                     std::uint64_t bytes) {
  IRBuilder<> builder(&call);
  Value* address = builder.CreatePtrToInt(&pointer, builder.getInt64Ty());
  report_any(builder.CreateICmpNE(builder.CreateAnd(address, bytes - 1), builder.getInt64(0)), call,
             (name.name + "() at an address that is not a multiple of " + std::to_string(bytes)).str());
}

void ArgumentsChecker::check_broadcast(CallBase& call, const CalledName& name) {
  Module& module = *kernel_.getParent();
  const std::string sentence = (name.name + "() from a work-item that the group does not have").str();
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    IRBuilder<> builder(&call);
    Value* size;
    if (name.name == "sub_group_broadcast")
      size = builder.CreateCall(module.getOrInsertFunction("_Z18get_sub_group_sizev", builder.getInt32Ty()));
    else
      size = builder.CreateCall(declare_intrinsic(module, Intrinsic::local_size), {builder.getInt32(i - 1)});
    Value* id = builder.CreateZExtOrTrunc(call.getArgOperand(i), size->getType());
    report_any(builder.CreateICmpUGE(id, size), call, sentence);
  }
}

/// Removes the alignment of a kernel's pointer parameters: the host may pass any address, and the check must not assume
/// it is aligned.
void forget_alignment(Function& kernel) {
  for (Argument& parameter : kernel.args())
    if (auto* type = dyn_cast<PointerType>(parameter.getType());
        type && (type->getAddressSpace() == global_space || type->getAddressSpace() == constant_space))
      parameter.removeAttr(Attribute::Alignment);
}

} // namespace

PreservedAnalyses check_arguments_pass(Module& module, ModuleAnalysisManager&) {
  Function* kernel = kernel_in(module);
  if (!kernel) return PreservedAnalyses::all();
  SmallVector<Function*, 8> functions;
  for (Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  ArgumentsChecker checker(*kernel);
  for (Function* function : functions) {
    if (function->getCallingConv() == CallingConv::SPIR_KERNEL || function == kernel ||
        function->getName().starts_with("__clang_ocl_kern_imp_"))
      forget_alignment(*function);
    checker.check(*function);
  }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
