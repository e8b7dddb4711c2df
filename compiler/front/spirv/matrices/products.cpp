// Reads SPV_INTEL_subgroup_matrix_multiply_accumulate, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Bits of Matrix Multiply Accumulate Operands. Each format has two more.
constexpr std::uint32_t a_is_signed = 1, b_is_signed = 2, c_is_bfloat = 4, result_is_bfloat = 8;

struct Format {
  std::uint32_t of_a, of_b; ///< bits that say that the elements of A and of B have the format
  const char* name;         ///< as in the names of functions; of integers, without the letter for the sign
  unsigned k;               ///< number of A's columns
};
constexpr Format formats[] = {{0x10, 0x20, "8", 32},
                              {0x40, 0x80, "4", 64},
                              {0x100, 0x200, "tf32", 8},
                              {0x400, 0x800, "f16", 16},
                              {0x1000, 0x2000, "bf16", 16}};

const Format& format_of(std::uint32_t bits) {
  constexpr std::uint32_t others = a_is_signed | b_is_signed | c_is_bfloat | result_is_bfloat;
  const auto* found =
      find_if(formats, [&](const Format& format) { return (bits & ~others) == (format.of_a | format.of_b); });
  if (found == std::end(formats))
    refuse("the operands 0x" + Twine::utohexstr(bits) +
           " do not say one format for the elements of the matrices A and B");
  return *found;
}

std::uint64_t count_of(const Type& type) {
  return type.is(Kind::vector) ? type.count : 1;
}

bool is_integer(const Type& type, unsigned bits) {
  return type.scalar().is(Kind::integer) && type.scalar().ir->isIntegerTy(bits);
}
bool is_float(const Type& type) {
  return type.scalar().is(Kind::floating) && type.scalar().ir->isFloatTy();
}
bool is_half(const Type& type) {
  return type.scalar().is(Kind::floating) && type.scalar().ir->isHalfTy();
}

/// Whether the library has a function for elements of this format with these types, of which the third is the type of C
/// and of the result.
bool has_function(const Format& format, const Type& a, const Type& b, const Type& c, bool is_bfloat) {
  const std::uint64_t rows = count_of(c);
  if (!is_contained({1, 2, 4, 8}, rows) || count_of(b) != 8) return false;
  const StringRef name = format.name;
  const bool has_float_sums = is_float(c) && !is_bfloat;
  if (name == "tf32") return has_float_sums && is_float(a) && is_float(b) && count_of(a) == (rows + 1) / 2;
  if (!is_integer(b, 32) || count_of(a) != rows || !(is_integer(a, 16) || is_integer(a, 32))) return false;
  if (name == "8" || name == "4") return is_integer(c, 32) && !is_bfloat;
  if (has_float_sums) return true;
  // Sums as narrow as the elements, of sub-groups of 16 work-items.
  return is_integer(a, 16) && (name == "f16" ? is_half(c) && !is_bfloat : is_integer(c, 16) && is_bfloat);
}

} // namespace

Value* read_matrix_product(Reader& r, const Type& type, Operands in) {
  const std::uint64_t k = r.constant_number(in.id());
  const TypedValue a = r.operand(in.id()), b = r.operand(in.id());
  Value* c = r.of_type(in.id(), type);
  const std::uint32_t bits = in.empty() ? 0 : in.word();
  const Format& format = format_of(bits);
  const bool is_bfloat = (bits & (c_is_bfloat | result_is_bfloat)) == (c_is_bfloat | result_is_bfloat);
  if (!is_bfloat && (bits & (c_is_bfloat | result_is_bfloat)))
    refuse("only one of matrix C and the result is of bfloat16");
  if (k != format.k)
    refuse("the dimension K is " + Twine(k) + "; it must be " + Twine(format.k) +
           " for elements of that format");
  if (!has_function(format, *a.type, *b.type, type, is_bfloat))
    refuse("the types of the matrices do not fit the format of their elements");
  const bool are_integers = isDigit(format.name[0]);
  const auto letter = [&](std::uint32_t is_signed) {
    return !are_integers ? "" : bits & is_signed ? "i" : "u";
  };
  const std::string function = "intel_sub_group_" + std::string(letter(a_is_signed)) + format.name + "_" +
                               letter(b_is_signed) + format.name + "_matrix_mad_k" + std::to_string(k);
  return call_library(r, function, type.ir,
                      {argument(a, !are_integers || bits & a_is_signed),
                       argument(b, !are_integers || bits & b_is_signed),
                       argument({c, &type}, /*is_signed=*/true)});
}

} // namespace hostcl::compiler::spirv
