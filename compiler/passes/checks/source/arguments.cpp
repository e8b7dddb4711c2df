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
// Misaligned accesses and atomics are not performed. Shifts are not checked, because OpenCL C takes their amounts modulo
// the width (6.3.j).
//
// In:  the functions of a kernel as the front end made them, before the library is linked: built-in functions are still
//      calls, and are recognised by their mangled names.
// Tests: tests/passes/checks/check_arguments_*.ll, tests/process/undefined_findings.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_unsigned(const CalledName& name) {
  return StringRef("htjm").contains(name.element);
}

void report_any(Value* wrong, Instruction& instruction, const Twine& sentence) {
  IRBuilder<> builder(&instruction);
  wrong = or_of_lanes(builder, wrong);
  if (auto* known = dyn_cast<ConstantInt>(wrong); known && known->isZero()) return;
  report_if(wrong, instruction, site_of(instruction, Check::arguments, sentence));
}

void check_division(BinaryOperator& division) {
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
void check_conversion(Instruction& instruction, Value& value, Type& to, bool is_signed) {
  Type* type = value.getType();
  const unsigned bits = to.getScalarSizeInBits();
  const fltSemantics& semantics = type->getScalarType()->getFltSemantics();
  // The value must be above least - 1 and below the first integer that is too large. If the floating-point type cannot
  // represent such a bound, the next number outwards is a bound as well, because no number lies in between.
  auto bound = [&](const APInt& integer, APFloat::roundingMode outwards) {
    APFloat result(semantics);
    result.convertFromAPInt(integer, /*IsSigned=*/true, outwards);
    return ConstantFP::get(type, result);
  };
  const unsigned wide = bits + 2;
  const APInt end = APInt::getOneBitSet(wide, is_signed ? bits - 1 : bits);
  const APInt least = is_signed ? -end : APInt::getZero(wide);
  IRBuilder<> builder(&instruction);
  Value* fits_below = builder.CreateFCmpOGT(&value, bound(least - 1, APFloat::rmTowardNegative));
  Value* fits_above = builder.CreateFCmpOLT(&value, bound(end, APFloat::rmTowardPositive));
  Value* fits = builder.CreateAnd(fits_below, fits_above);
  report_any(builder.CreateNot(fits), instruction,
             "a number is converted to an integer of " + Twine(bits) + " bits that cannot hold it");
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

void check_alignment(const MemoryAccess& access) {
  const DataLayout& layout = access.instruction->getDataLayout();
  Value& pointer = *access.pointer();
  const Align alignment = access.alignment;
  if (alignment == Align(1) || isa<AllocaInst>(getUnderlyingObject(&pointer)) ||
      getKnownAlignment(&pointer, layout) >= alignment)
    return;
  IRBuilder<> builder(access.instruction);
  Value* address =
      builder.CreatePtrToInt(without_aligned_steps(pointer, alignment, layout), builder.getInt64Ty());
  Value* right = builder.CreateICmpEQ(builder.CreateAnd(address, alignment.value() - 1), builder.getInt64(0));
  constexpr StringRef names[] = {"read", "write", "update"};
  Constant* site =
      site_of(*access.instruction, Check::arguments,
              names[static_cast<unsigned>(access.kind)] + " at an address that is not a multiple of " +
                  Twine(alignment.value()) + ", as its type asks for");
  perform_if(right, *access.instruction, [&](IRBuilder<>&) { return address; }, site);
}

void check_order(CallBase& call, const CalledName& name, unsigned low, bool may_be_equal,
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

void check_24_bits(CallBase& call, const CalledName& name) {
  for (unsigned i = 0; i < 2; ++i) {
    IRBuilder<> builder(&call);
    Value* factor = call.getArgOperand(i);
    Type* type = factor->getType();
    Value* moved = factor; // signed numbers are moved to a range that begins at zero
    if (!is_unsigned(name)) moved = builder.CreateAdd(factor, ConstantInt::get(type, 1 << 23));
    report_any(builder.CreateICmpUGE(moved, ConstantInt::get(type, 1 << 24)), call,
               name.name + "() of a number that has more than 24 bits");
  }
}

void check_bit_field(CallBase& call, unsigned offset) {
  IRBuilder<> builder(&call);
  Type* i64 = builder.getInt64Ty();
  Value* end = builder.CreateAdd(builder.CreateZExt(call.getArgOperand(offset), i64),
                                 builder.CreateZExt(call.getArgOperand(offset + 1), i64));
  report_any(builder.CreateICmpUGT(end, builder.getInt64(call.getType()->getScalarSizeInBits())), call,
             "a bit-field that reaches beyond the bits of its integer");
}

/// Writes a test of whether the address is a multiple of `bytes`, a power of two.
Value* is_aligned(IRBuilder<>& builder, Value& pointer, std::uint64_t bytes) {
  Value* address = builder.CreatePtrToInt(&pointer, builder.getInt64Ty());
  return builder.CreateIsNull(builder.CreateAnd(address, bytes - 1));
}

std::string misaligned(const CalledName& name, std::uint64_t bytes) {
  return (name.name + "() at an address that is not a multiple of " + Twine(bytes)).str();
}

/// Checks the alignment of vload and vstore functions: to the element's size, and for vloada_half and vstorea_half to
/// the vector's size.
void check_vector_memory(CallBase& call, const CalledName& name) {
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
  IRBuilder<> builder(&call);
  Value* right = is_aligned(builder, *call.getArgOperand(pointer), bytes);
  report_any(builder.CreateNot(right), call, misaligned(name, bytes));
}

/// Checks that the object of an atomic function is aligned to its size. If the object is misaligned, the call is not
/// performed, because AArch64 would raise SIGBUS. A compare-exchange that is not performed reports success, so that a
/// loop around it ends.
void check_atomic(CallBase& call, const CalledName& name) {
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy()) return;
  Type* type = call.getType();
  if (type->isVoidTy() || type->isIntegerTy(1)) { // the stored value has the object's type
    const unsigned value = name.name.contains("compare_exchange") ? 2 : 1;
    if (call.arg_size() <= value) return;
    type = call.getArgOperand(value)->getType();
  }
  const std::uint64_t bytes = type->getPrimitiveSizeInBits() / 8;
  if (bytes <= 1) return;
  IRBuilder<> builder(&call);
  PHINode* result = perform_if(
      is_aligned(builder, *call.getArgOperand(0), bytes), call,
      [](IRBuilder<>& reported) { return reported.getInt64(0); },
      site_of(call, Check::arguments, misaligned(name, bytes)));
  if (!result) return;
  if (result->getType()->isIntegerTy(1)) result->setIncomingValue(1, builder.getTrue());
  if (name.name.ends_with("cmpxchg"))
    result->setIncomingValue(1, call.getArgOperand(1)); // the value compared with
}

void check_broadcast(CallBase& call, const CalledName& name) {
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    IRBuilder<> builder(&call);
    Value* size = name.name == "sub_group_broadcast"
                      ? call_function(builder, "_Z18get_sub_group_sizev", builder.getInt32Ty())
                      : call_intrinsic(builder, Intrinsic::local_size, i - 1);
    Value* id = builder.CreateZExtOrTrunc(call.getArgOperand(i), size->getType());
    report_any(builder.CreateICmpUGE(id, size), call,
               name.name + "() from a work-item that the group does not have");
  }
}

void check_call(CallBase& call) {
  const CalledName name = called_name(call);
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

void check(Instruction& instruction) {
  if (instruction.isIntDivRem()) return check_division(cast<BinaryOperator>(instruction));
  if (isa<FPToSIInst, FPToUIInst>(instruction))
    return check_conversion(instruction, *instruction.getOperand(0), *instruction.getType(),
                            isa<FPToSIInst>(instruction));
  for (const MemoryAccess& access : memory_accesses(instruction))
    if (access.type) check_alignment(access);
  if (auto* call = dyn_cast<CallBase>(&instruction)) check_call(*call);
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
  for (Function& function : module)
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL ||
        function.getName().starts_with("__clang_ocl_kern_imp_"))
      forget_alignment(function);
  return check_instructions(module, check);
}

} // namespace hostcl::compiler
