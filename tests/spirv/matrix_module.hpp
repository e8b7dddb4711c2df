#pragma once

// A module with cooperative matrices: instructions of its functions, and what they need of types and constants.

#include "support/spirv.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <map>
#include <string>

namespace test::spirv {

using Id = std::uint32_t;
using Number = long double; ///< holds every int64_t and double

enum : std::uint32_t {
  capability_matrices = 6022,
  capability_bfloat = 5116,
  capability_bfloat_matrices = 5118,
};
constexpr auto op_type_matrix = spv::Op(4456), op_load = spv::Op(4457), op_store = spv::Op(4458),
               op_multiply_add = spv::Op(4459), op_length = spv::Op(4460);

struct Component {
  char kind; ///< i, f, or b for bfloat16
  unsigned bits;
  auto operator<=>(const Component&) const = default;

  bool is_integer() const { return kind == 'i'; }
  unsigned bytes() const { return bits / 8; }
  std::string name() const { return (kind == 'b' ? "bf" : std::string(1, kind)) + std::to_string(bits); }
};
constexpr Component integers[] = {{'i', 8}, {'i', 16}, {'i', 32}, {'i', 64}};
constexpr Component floats[] = {{'f', 16}, {'b', 16}, {'f', 32}, {'f', 64}};

struct Shape {
  Component component;
  std::uint32_t rows, columns, use;
  auto operator<=>(const Shape&) const = default;
  std::uint32_t count() const { return rows * columns; }
};

/// Rounds to an integer. @param mode 0 to nearest even, 1 towards zero, 2 up, 3 down, as FPRoundingMode
inline Number rounded(Number number, std::uint32_t mode) {
  return mode == 0   ? std::rint(number)
         : mode == 1 ? std::trunc(number)
         : mode == 2 ? std::ceil(number)
                     : std::floor(number);
}

/// The number as one of the type: integers wrap, floating-point numbers are rounded.
inline Number as(Component type, Number number, std::uint32_t mode = 0) {
  if (type.is_integer()) {
    const unsigned unused = 64 - type.bits;
    return Number(std::int64_t(std::uint64_t(std::int64_t(number)) << unused) >> unused);
  }
  if (number == 0 || !std::isfinite(number)) return number;
  const bool is_half = type.kind == 'f' && type.bits == 16;
  const int digits = type.kind == 'b' ? 8 : is_half ? 11 : type.bits == 32 ? 24 : 53;
  const Number unit = std::ldexp(Number(1), std::max(std::ilogb(number), is_half ? -14 : -126) - digits + 1);
  const Number made = rounded(number / unit, mode) * unit;
  if (!is_half || std::abs(made) <= 65504) return made;
  const bool is_infinite = mode == 0 || (mode == 2 && made > 0) || (mode == 3 && made < 0);
  return std::copysign(is_infinite ? Number(INFINITY) : Number(65504), made);
}

inline std::uint64_t bits_of(Component type, Number number) {
  if (type.is_integer()) return std::uint64_t(std::int64_t(number));
  if (type.bits == 64) return std::bit_cast<std::uint64_t>(double(number));
  if (type.bits == 32) return std::bit_cast<std::uint32_t>(float(number));
  if (type.kind == 'b') return std::bit_cast<std::uint32_t>(float(number)) >> 16;
  const std::uint64_t sign = std::signbit(number) ? 0x8000 : 0;
  if (std::isinf(number)) return sign | 0x7c00;
  const Number size = std::abs(number);
  if (size < std::ldexp(Number(1), -14)) return sign | std::uint64_t(std::ldexp(size, 24));
  const int exponent = std::ilogb(size);
  return sign | (std::uint64_t(exponent + 15) << 10) + std::uint64_t(std::ldexp(size, 10 - exponent)) - 1024;
}

class MatrixModule {
protected:
  MatrixModule()
      : module_({spv::CapabilityLinkage, spv::CapabilityInt8, spv::CapabilityInt16, spv::CapabilityInt64,
                 spv::CapabilityFloat16, spv::CapabilityFloat64, spv::CapabilityGroups,
                 spv::CapabilitySubgroupDispatch, capability_matrices, capability_bfloat,
                 capability_bfloat_matrices},
                0x00010300) {}

  Id emit(spv::Op op, Id type, const Words& operands) {
    const Id id = module_.new_id();
    code_ = joined(code_, {std::uint32_t(operands.size() + 3) << 16 | op, type, id});
    code_ = joined(code_, operands);
    return id;
  }
  void emit(spv::Op op, const Words& operands) {
    code_ = joined(code_, {std::uint32_t(operands.size() + 1) << 16 | op});
    code_ = joined(code_, operands);
  }
  /// A variable of the kernel, in its first block.
  Id variable_of(Id content) {
    const Id to = pointer(spv::StorageClassFunction, content), id = module_.new_id();
    const Words made = {4u << 16 | spv::OpVariable, to, id, spv::StorageClassFunction};
    code_.insert(code_.begin() + std::ptrdiff_t(kernel_begin_), made.begin(), made.end());
    return id;
  }
  Id declared(const Words& key) {
    Id& id = declared_[key];
    if (id == 0) id = module_.declare(spv::Op(key[0]), Words(key.begin() + 1, key.end()));
    return id;
  }
  Id integer_type(unsigned bits) { return declared({spv::OpTypeInt, bits, 0}); }
  Id type(Component component) {
    if (component.kind == 'b') return declared({spv::OpTypeFloat, 16, 0});
    return component.is_integer() ? integer_type(component.bits)
                                  : declared({spv::OpTypeFloat, component.bits});
  }
  Id type(const Shape& shape) {
    return declared({std::uint32_t(op_type_matrix), type(shape.component), number(spv::ScopeSubgroup),
                     number(shape.rows), number(shape.columns), number(shape.use)});
  }
  Id pointer(spv::StorageClass storage, Id to) {
    return declared({spv::OpTypePointer, std::uint32_t(storage), to});
  }
  Id constant(Component component, Number value) {
    const std::uint64_t bits = bits_of(component, value);
    Words key = {spv::OpConstant, type(component), std::uint32_t(bits)};
    if (component.is_integer() && component.bits < 32)
      key[2] = std::uint32_t(std::int32_t(std::int64_t(value)));
    if (component.bits == 64) key.push_back(std::uint32_t(bits >> 32));
    Id& id = declared_[key];
    if (id == 0) id = module_.make(spv::OpConstant, key[1], Words(key.begin() + 2, key.end()));
    return id;
  }
  /// A matrix of equal components.
  Id matrix_of(const Shape& shape, Number value) {
    const Id component = constant(shape.component, value);
    Id& id = declared_[{spv::OpConstantComposite, type(shape), component}];
    if (id == 0) id = module_.make(spv::OpConstantComposite, type(shape), {component});
    return id;
  }
  Id number(std::uint32_t value) { return constant({'i', 32}, value); }
  Id wide(std::uint64_t value) { return constant({'i', 64}, Number(std::int64_t(value))); }

  Id built_in(spv::BuiltIn kind, Id of) {
    return emit(spv::OpLoad, of, {declared_.at({spv::OpVariable, std::uint32_t(kind)})});
  }

  Module module_; ///< declarations
  std::map<Words, Id> declared_;
  Words code_, functions_; ///< of the kernel, and of other functions before it
  std::size_t kernel_begin_ = 0;
};

} // namespace test::spirv
