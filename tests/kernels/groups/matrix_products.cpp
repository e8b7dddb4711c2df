// cl_intel_subgroup_matrix_multiply_accumulate and cl_intel_subgroup_matrix_multiply_accumulate_tf32: products of
// matrices that a sub-group shares, in all formats and for all numbers of rows.

#include "support/session.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace {

/// A format of elements. Elements of floats are multiples of 1/8 with few bits, so that floats hold all sums exactly.
struct Format {
  const char* name;
  unsigned bits;
  bool is_signed, is_float;
};
constexpr Format i8{"i8", 8, true, false}, u8{"u8", 8, false, false}, i4{"i4", 4, true, false},
    u4{"u4", 4, false, false}, bf16{"bf16", 16, true, true}, f16{"f16", 16, true, true},
    tf32{"tf32", 32, true, true};

/// The functions of one name, for sub-groups of one size and for one type of the sums.
struct Function {
  Format a, b;
  cl_uint size;
  const char *type_of_a, *type_of_b, *type_of_sums;
};

constexpr Function functions[] = {
    {i8, i8, 8, "int", "int8", "int"},           {i8, u8, 8, "int", "uint8", "int"},
    {u8, i8, 8, "uint", "int8", "int"},          {u8, u8, 8, "uint", "uint8", "int"},
    {i4, i4, 8, "int", "int8", "int"},           {i4, u4, 8, "int", "uint8", "int"},
    {u4, i4, 8, "uint", "int8", "int"},          {u4, u4, 8, "uint", "uint8", "int"},
    {bf16, bf16, 8, "int", "int8", "float"},     {f16, f16, 8, "int", "int8", "float"},
    {i8, i8, 16, "short", "int8", "int"},        {i8, u8, 16, "short", "uint8", "int"},
    {u8, i8, 16, "ushort", "int8", "int"},       {u8, u8, 16, "ushort", "uint8", "int"},
    {i4, i4, 16, "short", "int8", "int"},        {i4, u4, 16, "short", "uint8", "int"},
    {u4, i4, 16, "ushort", "int8", "int"},       {u4, u4, 16, "ushort", "uint8", "int"},
    {bf16, bf16, 16, "short", "int8", "float"},  {f16, f16, 16, "short", "int8", "float"},
    {bf16, bf16, 16, "short", "int8", "short"},  {f16, f16, 16, "short", "int8", "half"},
    {tf32, tf32, 16, "float", "float8", "float"}};

/// A work-item's results for 1, 2, 4 and 8 rows, one after the other.
constexpr cl_uint results = 15;
/// The first components of a vector.
constexpr const char* parts[] = {"s0", "s01", "s0123", "s01234567"};

std::string name_of(const Function& f) {
  return std::string("intel_sub_group_") + f.a.name + "_" + f.b.name + "_matrix_mad_k" +
         std::to_string(256 / f.b.bits);
}

std::string source_of(const Function& f, cl_uint required) {
  std::string text = "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
                     "#ifndef cl_intel_subgroup_matrix_multiply_accumulate\n#error no macro\n#endif\n"
                     "#ifndef cl_intel_subgroup_matrix_multiply_accumulate_tf32\n#error no macro\n#endif\n"
                     "kernel __attribute__((intel_reqd_sub_group_size(" +
                     std::to_string(required) + "))) void k(global const " + f.type_of_a +
                     "8* a, global const " + f.type_of_b + "* b, global const " + f.type_of_sums +
                     "8* c, global " + f.type_of_sums + "* out) {\n  size_t i = get_global_id(0);\n";
  for (int part = 0; part < 4; ++part) {
    // Half of a sub-group has the even rows of a matrix of tf32, and half of it the odd rows.
    const char* of_a = f.a.bits == 32 ? parts[std::max(part - 1, 0)] : parts[part];
    const std::string call = name_of(f) + "(a[i]." + of_a + ", b[i], c[i]." + parts[part] + ")";
    const std::string place = "out + i * 15 + " + std::to_string((1 << part) - 1);
    text += part == 0 ? "  *(" + place + ") = " + call + ";\n"
                      : "  vstore" + std::to_string(1 << part) + "(" + call + ", 0, " + place + ");\n";
  }
  return text + "}\n";
}

double value_of_half(cl_uint bits) {
  const int exponent = int(bits >> 10 & 31);
  const double significand = exponent ? 1024 + (bits & 1023) : bits & 1023;
  return (bits >> 15 ? -1 : 1) * std::ldexp(significand, std::max(exponent, 1) - 25);
}

/// The half or bfloat16 that is nearest to a float in the range of normal numbers, with ties to even.
cl_uint nearest(const Format& format, double value) {
  const auto bits = std::bit_cast<cl_uint>(float(value));
  const cl_uint lost = format.name == f16.name ? 13 : 16;
  cl_uint kept = bits >> lost;
  const cl_uint rest = bits & ((1U << lost) - 1), half = 1U << (lost - 1);
  kept += rest > half || (rest == half && (kept & 1));
  if (lost == 16 || (bits << 1) == 0) return kept;
  return (bits >> 16 & 0x8000) | ((kept & 0x3ffff) - (112U << 10));
}

double value_of(const Format& format, cl_uint bits) {
  if (format.name == bf16.name) return std::bit_cast<float>(bits << 16);
  if (format.name == f16.name) return value_of_half(bits);
  if (format.name == tf32.name) return std::bit_cast<float>(bits & 0xffffe000);
  const cl_uint top = bits << (32 - format.bits);
  return format.is_signed ? double(cl_int(top) >> (32 - format.bits)) : double(top >> (32 - format.bits));
}

class Matrices {
public:
  explicit Matrices(const Function& f) : f_(f), random_(f.size * 256 + f.a.bits) {
    const auto bytes = [&](const Format& format, size_t elements) {
      std::vector<cl_uchar> made(elements * format.bits / 8);
      for (size_t i = 0; i < elements; ++i)
        put(made, i, format.bits, random_element(format));
      return made;
    };
    // Each component of A has as many elements as its type holds.
    a = bytes(f.a, items * 8 * per_item());
    b = bytes(f.b, items * 256 / f.b.bits);
    c.resize(items * 8 * sum_bits() / 8);
    for (size_t i = 0; i < items * 8; ++i)
      put(c, i, sum_bits(), random_sum());
  }

  /// The number of results that are not what they must be.
  size_t wrong(const std::vector<cl_uchar>& out) const {
    size_t count = 0;
    for (cl_uint item = 0; item < items; ++item)
      for (cl_uint rows = 1; rows <= 8; rows *= 2)
        for (cl_uint row = 0; row < rows; ++row)
          count += get(out, item * results + rows - 1 + row, sum_bits()) != expected(item, row);
    return count;
  }

  cl_uint sum_bits() const {
    const std::string_view type = f_.type_of_sums;
    return type == "half" || type == "short" ? 16 : 32;
  }

  static constexpr cl_uint items = 64;
  std::vector<cl_uchar> a, b, c;

private:
  static void put(std::vector<cl_uchar>& bytes, size_t index, cl_uint bits, cl_uint value) {
    if (bits < 8)
      bytes[index / 2] |= cl_uchar((value & 15) << index % 2 * 4);
    else
      std::memcpy(&bytes[index * bits / 8], &value, bits / 8);
  }
  static cl_uint get(const std::vector<cl_uchar>& bytes, size_t index, cl_uint bits) {
    if (bits < 8) return bytes[index / 2] >> index % 2 * 4 & 15;
    cl_uint value = 0;
    std::memcpy(&value, &bytes[index * bits / 8], bits / 8);
    return value;
  }

  cl_uint per_item() const {
    return f_.a.bits == 32 ? 1 : 256 / f_.b.bits / f_.size; // elements of A's row
  }
  cl_uint random_element(const Format& format) {
    const float value = float(int(random_() % 256) - 128) / 8;
    if (format.name == tf32.name) return std::bit_cast<cl_uint>(value) | (random_() & 0x1fff);
    return format.is_float ? nearest(format, value) : cl_uint(random_());
  }
  cl_uint random_sum() {
    if (!f_.a.is_float) return cl_uint(random_());
    const float value = float(int(random_() % 256) - 128) / 8;
    return sum_bits() == 16 ? nearest(f_.a, value) : std::bit_cast<cl_uint>(value);
  }

  /// The element of A in this row and column, for the sub-group of a work-item.
  cl_uint element_of_a(cl_uint item, cl_uint row, cl_uint k) const {
    const cl_uint first = item / f_.size * f_.size;
    if (f_.a.bits == 32) return get(a, (first + k + row % 2 * 8) * 8 + row / 2, 32);
    return get(a, (size_t((first + k / per_item()) * 8) + row) * per_item() + k % per_item(), f_.a.bits);
  }

  cl_uint expected(cl_uint item, cl_uint row) const {
    const cl_uint count = 256 / f_.b.bits, third = get(c, size_t(item) * 8 + row, sum_bits());
    double sum = !f_.a.is_float     ? cl_int(third)
                 : sum_bits() == 16 ? value_of(f_.a, third)
                                    : std::bit_cast<float>(third);
    for (cl_uint k = 0; k < count; ++k)
      sum += value_of(f_.a, element_of_a(item, row, k)) *
             value_of(f_.b, get(b, size_t(item) * count + k, f_.b.bits));
    if (!f_.a.is_float) return cl_uint(cl_long(sum));
    return sum_bits() == 16 ? nearest(f_.a, sum) : std::bit_cast<cl_uint>(float(sum));
  }

  const Function& f_;
  std::mt19937 random_;
};

std::vector<cl_uchar> results_of(const test::Session& session, const Function& f, const Matrices& matrices,
                                 cl_uint required) {
  const auto kernel = session.kernel(source_of(f, required).c_str(), "k", "-cl-std=CL3.0");
  const size_t bytes = size_t(Matrices::items) * results * matrices.sum_bits() / 8;
  const auto a = session.buffer(matrices.a), b = session.buffer(matrices.b), c = session.buffer(matrices.c),
             out = session.buffer(std::vector<cl_uchar>(bytes));
  test::set_arguments(kernel, a, b, c, out);
  session.run(kernel, {Matrices::items}, {32});
  return session.read<cl_uchar>(out, bytes);
}

} // namespace

TEST_CASE("Matrices of sub-groups: products in all formats, added to a third matrix", "[matrix_products]") {
  if (!test::is_hostcl()) return; // the list of extensions has no room for these
  const test::Session session;
  for (const Function& f : functions) {
    CAPTURE(name_of(f), f.type_of_a, f.type_of_b, f.type_of_sums);
    const Matrices matrices(f);
    CHECK(matrices.wrong(results_of(session, f, matrices, f.size)) == 0);
  }
}

TEST_CASE("Matrices of sub-groups: kernels with sub-groups of another size are built and run",
          "[matrix_products]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  for (const Function& f : {functions[0], functions[19], functions[22]})
    for (const cl_uint size : {4, 8, 16, 32}) {
      CAPTURE(name_of(f), size);
      const Matrices matrices(f);
      // Results are undefined if the size is not the function's.
      const size_t wrong = matrices.wrong(results_of(session, f, matrices, size));
      if (size == f.size) CHECK(wrong == 0);
    }
}

TEST_CASE("Matrices of sub-groups: tf32 is rounded to nearest even, in every width", "[matrix_products]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  std::vector<cl_uint> in;
  for (cl_uint upper = 0; upper < 0x80000; upper += 331)
    for (cl_uint lower : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU})
      in.push_back(upper << 13 | lower);
  in.resize(in.size() / 48 * 48);
  const auto input = session.buffer(in), output = session.buffer(in.size() * 4);
  for (const size_t width : {1, 2, 3, 4, 8, 16}) {
    CAPTURE(width);
    const std::string n = width == 1 ? "" : std::to_string(width);
    const std::string item = width == 1 ? "x[i]" : "vload" + n + "(i, x)";
    const std::string call = "intel_convert_tfloat32" + n + "_as_float" + n + "(" + item + ")";
    const auto kernel =
        session.kernel(("kernel void k(global float* x, global float* y) { size_t i = get_global_id(0); " +
                        (width == 1 ? "y[i] = " + call : "vstore" + n + "(" + call + ", i, y)") + "; }")
                           .c_str(),
                       "k");
    test::set_arguments(kernel, input, output);
    session.run(kernel, in.size() / width);
    const auto out = session.read<cl_uint>(output, in.size());
    size_t wrong = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      const cl_uint kept = in[i] >> 13, rest = in[i] & 0x1fff;
      const cl_uint rounded = (kept + (rest > 0x1000 || (rest == 0x1000 && (kept & 1)))) << 13;
      wrong += std::isnan(std::bit_cast<cl_float>(in[i])) ? !std::isnan(std::bit_cast<cl_float>(out[i]))
                                                          : out[i] != rounded;
      wrong += (out[i] & 0x1fff) != 0;
    }
    CHECK(wrong == 0);
  }
}
