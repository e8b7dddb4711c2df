// Divisions and square roots that are rounded in a given mode (SPV_INTEL_rounded_divide_sqrt).
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr unsigned fraction_bits = 52; ///< of a double
constexpr std::int64_t bias = 1023;    ///< of a double's exponent

/// Rounds doubles without help of the CPU, whose rounding mode kernels cannot change. Values are doubles or 64-bit
/// integers, or vectors of them.
class DirectedRounding {
public:
  DirectedRounding(Reader& r, const Type& type, std::uint32_t mode)
      : r_(r), ir_(r.ir()), type_(type), mode_(mode), words_(type.ir->getWithNewType(r.ir().getInt64Ty())) {}

  Value* quotient(Value* a, Value* b) {
    const Parts x = parts_of(a), y = parts_of(b);
    Value* nearest = ir_.CreateFDiv(x.significand, y.significand);
    Value* left = fused(ir_.CreateFNeg(nearest), y.significand, x.significand); // exact
    Value* is_negative = ir_.CreateICmpSLT(ir_.CreateXor(bits_of(a), bits_of(b)), word(0));
    Value* made = rounded(nearest, left, ir_.CreateSub(x.exponent, y.exponent), is_negative);
    // Infinities, zeros and NaNs have no such parts, and their quotients are exact.
    Value* has_parts = ir_.CreateAnd(is_finite_and_not_zero(a), is_finite_and_not_zero(b));
    return ir_.CreateSelect(has_parts, made, ir_.CreateFDiv(a, b));
  }

  Value* root(Value* a) {
    const Parts x = parts_of(a);
    Value* is_odd = ir_.CreateAnd(x.exponent, word(1));
    // Doubled if the exponent is odd, so that the remaining exponent is even.
    Value* significand =
        double_of(ir_.CreateAdd(bits_of(x.significand), ir_.CreateShl(is_odd, word(fraction_bits))));
    Value* nearest = ir_.CreateUnaryIntrinsic(Intrinsic::sqrt, significand);
    Value* left = fused(ir_.CreateFNeg(nearest), nearest, significand); // exact
    Value* exponent = ir_.CreateAShr(ir_.CreateSub(x.exponent, is_odd), word(1));
    Value* made = rounded(nearest, left, exponent, ConstantInt::getFalse(words_->getWithNewBitWidth(1)));
    Value* has_parts = ir_.CreateAnd(is_finite_and_not_zero(a), ir_.CreateICmpSGT(bits_of(a), word(0)));
    return ir_.CreateSelect(has_parts, made, ir_.CreateUnaryIntrinsic(Intrinsic::sqrt, a));
  }

private:
  /// A number other than zero is significand · 2^exponent, with 1 ≤ significand < 2, apart from its sign.
  struct Parts {
    Value *significand, *exponent;
  };

  Value* word(std::uint64_t value) { return ConstantInt::get(words_, value); }
  Value* bits_of(Value* number) { return ir_.CreateBitCast(number, words_); }
  Value* double_of(Value* bits) { return ir_.CreateBitCast(bits, type_.ir); }
  Value* magnitude_of(Value* number) { return ir_.CreateAnd(bits_of(number), word(~0ull >> 1)); }
  Value* fused(Value* a, Value* b, Value* c) {
    return call_library(r_, "fma", type_.ir,
                        {argument({a, &type_}), argument({b, &type_}), argument({c, &type_})});
  }

  /// Whether the number is neither zero, nor infinite, nor a NaN.
  Value* is_finite_and_not_zero(Value* number) {
    return ir_.CreateICmpULT(ir_.CreateSub(magnitude_of(number), word(1)),
                             word((0x7ffull << fraction_bits) - 1));
  }

  Parts parts_of(Value* number) {
    Value* magnitude = magnitude_of(number);
    // The number of zeros before the leading bit, minus the number of leading zeros of a normal number. A subnormal
    // number is scaled as an integer, because the CPU may flush it to zero (-cl-denorms-are-zero).
    Value* zeros = ir_.CreateBinaryIntrinsic(Intrinsic::ctlz, magnitude, ir_.getFalse());
    Value* shift = ir_.CreateBinaryIntrinsic(Intrinsic::usub_sat, zeros, word(63 - fraction_bits));
    Value* bits = ir_.CreateShl(magnitude, shift);
    Value* is_subnormal = ir_.CreateICmpULT(magnitude, word(1ull << fraction_bits));
    Value* biased = ir_.CreateSelect(is_subnormal, ir_.CreateSub(word(1), shift),
                                     ir_.CreateLShr(magnitude, word(fraction_bits)));
    Value* exponent = ir_.CreateSub(biased, word(bias));
    Value* fraction = ir_.CreateAnd(bits, word((1ull << fraction_bits) - 1));
    return {double_of(ir_.CreateOr(fraction, word(static_cast<std::uint64_t>(bias) << fraction_bits))),
            exponent};
  }

  /// Rounds the exact quotient or root, times 2^exponent. `nearest` is the double nearest to the exact quotient or
  /// root.
  /// @param left has the sign of the exact quotient or root minus `nearest`; zero if they are equal
  Value* rounded(Value* nearest, Value* left, Value* exponent, Value* is_negative) {
    Constant* zero = Constant::getNullValue(type_.ir);
    // The largest double that is not above the exact result, and whether it is below.
    Value* below = ir_.CreateAdd(bits_of(nearest), ir_.CreateSExt(ir_.CreateFCmpOLT(left, zero), words_));
    Value* is_inexact = ir_.CreateFCmpONE(left, zero);
    exponent = ir_.CreateAdd(exponent, ir_.CreateLShr(below, word(fraction_bits))); // biased
    Value* fraction = ir_.CreateAnd(below, word((1ull << fraction_bits) - 1));
    Value* normal = ir_.CreateOr(ir_.CreateShl(exponent, word(fraction_bits)), fraction);
    // A subnormal result has fewer bits.
    Value* shift = ir_.CreateBinaryIntrinsic(Intrinsic::smin, ir_.CreateSub(word(1), exponent), word(63));
    shift = ir_.CreateBinaryIntrinsic(Intrinsic::smax, shift, word(0));
    Value* significand = ir_.CreateOr(fraction, word(1ull << fraction_bits));
    Value* subnormal = ir_.CreateLShr(significand, shift);
    Value* loses = ir_.CreateICmpNE(ir_.CreateShl(subnormal, shift), significand);
    Value* is_subnormal = ir_.CreateICmpSLT(exponent, word(1));
    Value* is_large = ir_.CreateICmpSGT(exponent, word(2 * bias));
    Value* bits = ir_.CreateSelect(is_subnormal, subnormal, normal);
    bits = ir_.CreateSelect(is_large, word((0x7ffull << fraction_bits) - 1), bits);
    is_inexact = ir_.CreateOr(ir_.CreateOr(is_inexact, is_large), ir_.CreateAnd(is_subnormal, loses));
    // The next larger magnitude has the next bits, up to infinity.
    if (mode_ != spv::FPRoundingModeRTZ) {
      Value* away = mode_ == spv::FPRoundingModeRTP ? ir_.CreateNot(is_negative) : is_negative;
      bits = ir_.CreateAdd(bits, ir_.CreateZExt(ir_.CreateAnd(is_inexact, away), words_));
    }
    Value* sign = ir_.CreateShl(ir_.CreateZExt(is_negative, words_), word(63));
    return double_of(ir_.CreateOr(bits, sign));
  }

  Reader& r_;
  IRBuilder<>& ir_;
  const Type& type_;
  std::uint32_t mode_;
  llvm::Type* words_;
};

/// Computes in doubles, then rounds to the narrower type. The first rounding does no harm: an exact result that is not
/// a number of the narrower type differs from each such number by more than the rounding error of a double.
Value* narrowed(Reader& r, const Type& type, std::uint32_t mode, function_ref<Value*(llvm::Type*)> make) {
  const Type& doubles = r.floats_like(type, 64);
  const std::string name = "convert_" + type_name(type, /*is_signed=*/true) + rounding_name(mode);
  Value* exact = make(doubles.ir);
  Value* made = call_library(r, name, type.ir, {argument({exact, &doubles})});
  if (!type.scalar().ir->isFloatTy() || mode == spv::FPRoundingModeRTZ) return made;
  // If the CPU flushes subnormal floats to zero (-cl-denorms-are-zero), the conversion takes a subnormal result for
  // zero, and rounds this zero up or down to the smallest subnormal float. The result must then be zero.
  IRBuilder<>& ir = r.ir();
  const bool is_up = mode == spv::FPRoundingModeRTP;
  Constant* zero = ConstantFP::getZero(type.ir, !is_up);
  Constant* limit = ConstantFP::get(doubles.ir, is_up ? 0x1p-149 : -0x1p-149);
  Value* is_beyond = is_up ? ir.CreateFCmpOGT(exact, limit) : ir.CreateFCmpOLT(exact, limit);
  llvm::Type* words = type.ir->getWithNewType(ir.getInt32Ty());
  Value* is_smallest =
      ir.CreateICmpEQ(ir.CreateBitCast(made, words), ConstantInt::get(words, is_up ? 1u : 0x80000001u));
  return ir.CreateSelect(ir.CreateAnd(is_beyond, is_smallest), zero, made);
}

} // namespace

std::optional<std::uint32_t> rounding_of(Reader& r, const Type& type, Id result) {
  const auto mode = r.decorations.number(result, spv::DecorationFPRoundingMode);
  if (!mode) return mode;
  rounding_name(*mode); // refuses unknown modes
  const bool is_bfloat = type.scalar().is(Kind::bfloat);
  if (*mode == spv::FPRoundingModeRTE)
    return is_bfloat ? std::nullopt : mode; // floats are rounded like this anyway
  if (is_bfloat) refuse("bfloat16 can only be rounded to nearest even");
  if (!r.is_in_function()) refuse("constants can only be rounded to nearest even");
  return mode;
}

Value* rounded_quotient(Reader& r, const Type& type, std::uint32_t mode, Value* a, Value* b) {
  IRBuilder<>& ir = r.ir();
  if (mode == spv::FPRoundingModeRTE) return ir.CreateFDiv(a, b);
  if (type.scalar().ir->isDoubleTy()) return DirectedRounding(r, type, mode).quotient(a, b);
  return narrowed(r, type, mode, [&](llvm::Type* doubles) {
    return ir.CreateFDiv(ir.CreateFPExt(a, doubles), ir.CreateFPExt(b, doubles));
  });
}

Value* rounded_root(Reader& r, const Type& type, std::uint32_t mode, Value* a) {
  IRBuilder<>& ir = r.ir();
  if (mode == spv::FPRoundingModeRTE) return ir.CreateUnaryIntrinsic(Intrinsic::sqrt, a);
  if (type.scalar().ir->isDoubleTy()) return DirectedRounding(r, type, mode).root(a);
  return narrowed(r, type, mode, [&](llvm::Type* doubles) {
    return ir.CreateUnaryIntrinsic(Intrinsic::sqrt, ir.CreateFPExt(a, doubles));
  });
}

} // namespace hostcl::compiler::spirv
