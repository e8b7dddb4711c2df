// The operations of matrix_program.hpp on each component.

#include "matrix_program.hpp"

namespace test::spirv {

void Program::add_unary() {
  const Value old = pooled();
  if (old.shape.component.kind == 'b') return;
  const Id id =
      emit(old.shape.component.is_integer() ? spv::OpSNegate : spv::OpFNegate, type(old.shape), {old.id});
  pool_.push_back(value(old.shape, id, [&](std::size_t slice, std::uint32_t i) {
    return old.shape.component.is_integer()
               ? Number(std::int64_t(0 - std::uint64_t(std::int64_t(old.components[slice][i]))))
               : -old.components[slice][i];
  }));
}

void Program::add_binary() {
  const Value old = pooled();
  const Component component = old.shape.component;
  if (component.kind == 'b') return;
  const std::uint32_t which = random(5);
  // Products and quotients of floating-point numbers are by powers of two, so that they are exact.
  const bool is_linear = which < 2;
  const Value other = is_linear ? load(old.shape)
                      : component.is_integer()
                          ? load(old.shape, Number(int(random(5)) + 2) * (random(2) ? 1 : -1))
                          : load(old.shape, random(2) ? Number(0.5) : Number(-2));
  const spv::Op of_floats[] = {spv::OpFAdd, spv::OpFSub, spv::OpFMul, spv::OpFDiv, spv::OpFDiv},
                of_integers[] = {spv::OpIAdd, spv::OpISub, spv::OpIMul, spv::OpSDiv, spv::OpUDiv};
  const Id id = emit(component.is_integer() ? of_integers[which] : of_floats[which], type(old.shape),
                     {old.id, other.id});
  pool_.push_back(value(old.shape, id, [&](std::size_t slice, std::uint32_t i) -> Number {
    const Number a = old.components[slice][i], b = other.components[slice][i];
    if (!component.is_integer()) return which == 0 ? a + b : which == 1 ? a - b : which == 2 ? a * b : a / b;
    const auto x = std::uint64_t(std::int64_t(a)), y = std::uint64_t(std::int64_t(b));
    const std::uint64_t bits =
        component.bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << component.bits) - 1;
    if (which == 3) {
      const std::int64_t quotient = std::int64_t(x) / std::int64_t(y);
      return Number(quotient);
    }
    return Number(std::int64_t(which == 0   ? x + y
                               : which == 1 ? x - y
                               : which == 2 ? x * y
                                            : (x & bits) / (y & bits)));
  }));
}

/// A conversion, which may saturate or have a rounding mode.
void Program::add_conversion() {
  const Value old = pooled();
  const Component from = old.shape.component;
  Shape shape = old.shape;
  shape.component = random(2) ? one_of(integers) : one_of(floats);
  const Component to = shape.component;
  if (from == to || (from.is_integer() && to.is_integer() && from.bits == to.bits)) return;
  const bool is_unsigned = random(2), has_floats = !from.is_integer() || !to.is_integer();
  const bool saturates = !from.is_integer() && to.is_integer() && random(2);
  const bool has_mode = has_floats && from.kind != 'b' && to.kind != 'b' && random(2);
  const std::uint32_t mode = has_mode ? random(4) : to.is_integer() ? 1 : 0;
  const Number low = is_unsigned ? 0 : -std::ldexp(Number(1), int(to.bits) - 1),
               high = std::ldexp(Number(1), int(to.bits) - (is_unsigned ? 0 : 1)) - 1;
  const auto converted = [&](Number number) -> Number {
    if (from.is_integer() && is_unsigned)
      number = from.bits == 64
                   ? Number(std::uint64_t(std::int64_t(number)))
                   : Number(std::uint64_t(std::int64_t(number)) & ((std::uint64_t(1) << from.bits) - 1));
    if (!has_floats) return number;
    return to.is_integer() ? rounded(number, mode) : as(to, number, mode);
  };
  const bool fits = !has_floats || !to.is_integer() || saturates;
  for (const auto& list : old.components)
    for (const Number number : list) {
      if (!fits && !(converted(number) >= low && converted(number) <= high)) return;
    }
  const spv::Op op = !has_floats         ? (is_unsigned ? spv::OpUConvert : spv::OpSConvert)
                     : from.is_integer() ? (is_unsigned ? spv::OpConvertUToF : spv::OpConvertSToF)
                     : to.is_integer()   ? (is_unsigned ? spv::OpConvertFToU : spv::OpConvertFToS)
                                         : spv::OpFConvert;
  const Id id = emit(op, type(shape), {old.id});
  if (saturates) module_.append(spv::OpDecorate, {id, spv::DecorationSaturatedConversion});
  if (has_mode) module_.append(spv::OpDecorate, {id, spv::DecorationFPRoundingMode, mode});
  pool_.push_back(value(shape, id, [&](std::size_t slice, std::uint32_t i) -> Number {
    const Number number = converted(old.components[slice][i]);
    if (!to.is_integer()) return number;
    const Number whole = has_floats ? std::clamp(number, low, high) : number;
    return whole >= std::ldexp(Number(1), 63) ? Number(std::int64_t(std::uint64_t(whole))) : whole;
  }));
}

/// A product of all components by one number, which is a power of two for floating-point numbers.
void Program::add_scaling() {
  const Value old = pooled();
  const Component component = old.shape.component;
  if (component.kind == 'b') return;
  const Number factor = component.is_integer() ? Number(int(random(9)) - 4)
                        : random(2)            ? Number(0.5)
                                               : Number(-2);
  const Id id = emit(spv::OpMatrixTimesScalar, type(old.shape), {old.id, constant(component, factor)});
  pool_.push_back(value(old.shape, id, [&](std::size_t slice, std::uint32_t i) {
    const Number number = old.components[slice][i];
    return component.is_integer() ? Number(std::int64_t(std::uint64_t(std::int64_t(number)) *
                                                        std::uint64_t(std::int64_t(factor))))
                                  : number * factor;
  }));
}

} // namespace test::spirv
