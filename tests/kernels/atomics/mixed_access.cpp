// Several types at one address. Accesses of different sizes and alignments share what is known of their
// index, and nothing else. Each kernel goes through cells of one size; all is compared with plain C++.

#include "support/session.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace {

constexpr size_t items = 256, cells_per_index = 4 * items, largest_cell = 24;

struct Element {
  const char* type;
  size_t bytes;
};
constexpr Element elements[] = {{"int", 4},   {"long", 8},    {"char", 1}, {"double", 8},  {"short", 2},
                                {"float", 4}, {"float4", 16}, {"int2", 8}, {"ulong2", 16}, {"uchar4", 4}};
constexpr size_t element_count = std::size(elements);

struct Index {
  const char* text; ///< of `i`, `d` and `n`
  size_t (*of)(size_t i, size_t d);
  bool is_own = true; ///< no two work-items have the same
};
constexpr Index indices[] = {
    {"i", [](size_t i, size_t) { return i; }},
    {"i ^ d", [](size_t i, size_t d) { return i ^ d; }},
    {"n - 1 - i", [](size_t i, size_t) { return items - 1 - i; }},
    {"2 * i - (i & (d - 1))", [](size_t i, size_t d) { return 2 * i - (i & (d - 1)); }},
    {"i + d", [](size_t i, size_t d) { return i + d; }},
    {"(i ^ d) + 3", [](size_t i, size_t d) { return (i ^ d) + 3; }},
    {"3 * i", [](size_t i, size_t) { return 3 * i; }},
    {"i | d", [](size_t i, size_t d) { return i | d; }, false},
    {"i & ~d", [](size_t i, size_t d) { return i & ~d; }, false},
    {"min(i + d, n - 1)", [](size_t i, size_t d) { return std::min(i + d, items - 1); }, false},
};

/// Each index has the elements in an order of its own.
const Element& element_at(size_t index, size_t number) {
  return elements[(number + 4 * index) % element_count];
}

struct Kernel {
  std::string source;
  std::vector<cl_uchar> expected; ///< what it leaves in `out`, which starts with zeros
};

class Writer {
public:
  Writer(size_t cell, size_t d, const std::vector<cl_uchar>& in) : cell_(cell), d_(d), in_(in) {
    const size_t alignment = cell & -cell;
    kernel_.source = "typedef struct { uchar bytes[" + std::to_string(cell) + "]; } Cell;\n";
    for (const auto& [type, bytes] : elements)
      kernel_.source += "typedef struct __attribute__((packed, aligned(" +
                        std::to_string(std::min(alignment, bytes)) + "))) { " + type + " v; } P_" + type +
                        ";\n";
    kernel_.source += "kernel void k(global const uchar* in, global uchar* out, int d) {\n"
                      "int i = get_global_id(0), n = get_global_size(0);\n";
  }

  /// All types at each index, each to a row of its own.
  Kernel loads() {
    for (const Index& index : indices)
      load_all(index, "in", in_.data());
    return finished();
  }

  /// The types that fit a cell, one over the other; then all are read back.
  Kernel stores() {
    for (const Index& index : indices) {
      if (!index.is_own) continue;
      std::vector<cl_uchar> cells(cells_per_index * cell_);
      const std::string base = "(out + " + std::to_string(kernel_.expected.size()) + ")";
      kernel_.source += "if (in[i] & 3) {\n";
      store_all(index, base, cells);
      kernel_.source += "}\n";
      kernel_.expected.insert(kernel_.expected.end(), cells.begin(), cells.end());
      load_own(index, base, cells);
    }
    return finished();
  }

private:
  std::string place(const Index& index, const std::string& base, const char* type) const {
    return "((global P_" + std::string(type) + "*)((global Cell*)" + base + " + (" + index.text + ")))->v";
  }

  void load(const Index& index, const std::string& base, const cl_uchar* cells, const Element& element) {
    const auto& [type, bytes] = element;
    const size_t row = kernel_.expected.size();
    kernel_.source += "((global " + std::string(type) + "*)(out + " + std::to_string(row) +
                      "))[i] = " + place(index, base, type) + ";\n";
    kernel_.expected.resize(row + items * bytes);
    for (size_t i = 0; i < items; ++i)
      std::memcpy(&kernel_.expected[row + i * bytes], cells + index.of(i, d_) * cell_, bytes);
  }

  void load_all(const Index& index, const std::string& base, const cl_uchar* cells) {
    for (size_t number = 0; number < element_count; ++number)
      load(index, base, cells, element_at(&index - indices, number));
  }

  void load_own(const Index& index, const std::string& base, const std::vector<cl_uchar>& cells) {
    for (const Element& element : elements)
      if (element.bytes <= cell_) load(index, base, cells.data(), element);
  }

  void store_all(const Index& index, const std::string& base, std::vector<cl_uchar>& cells) {
    for (size_t number = 0; number < element_count; ++number) {
      const auto& [type, bytes] = element_at(&index - indices, number);
      if (bytes > cell_) continue;
      const size_t row = 16 * number * items; // of what is stored
      kernel_.source += place(index, base, type) + " = ((global P_" + type + "*)(in + " +
                        std::to_string(row) + "))[i].v;\n";
      for (size_t i = 0; i < items; ++i)
        if (in_[i] & 3) std::memcpy(&cells[index.of(i, d_) * cell_], &in_[row + i * bytes], bytes);
    }
  }

  Kernel finished() {
    kernel_.source += "}\n";
    return std::move(kernel_);
  }

  const size_t cell_, d_;
  const std::vector<cl_uchar>& in_;
  Kernel kernel_;
};

std::vector<cl_uchar> scrambled(size_t bytes) {
  std::vector<cl_uchar> values(bytes);
  cl_uint state = 7;
  for (cl_uchar& value : values)
    value = static_cast<cl_uchar>((state = state * 1664525 + 1013904223) >> 24);
  return values;
}

const std::vector<cl_uchar>& input() {
  static const std::vector<cl_uchar> values =
      scrambled(cells_per_index * largest_cell + 16 * element_count * items);
  return values;
}

void check(const test::Session& session, const Kernel& kernel, cl_int d, size_t local) {
  const auto function = session.kernel(kernel.source.c_str(), "k");
  auto in = session.buffer(input()), out = session.buffer(std::vector<cl_uchar>(kernel.expected.size()));
  test::set_arguments(function, in, out, d);
  session.run(function, items, local);
  const auto found = session.read<cl_uchar>(out, kernel.expected.size());
  const auto differs = std::mismatch(found.begin(), found.end(), kernel.expected.begin()).first;
  if (differs == found.end()) return;
  CAPTURE(d, local, differs - found.begin(), kernel.source);
  FAIL_CHECK("a byte differs");
}

/// d is a power of two, as the index of a butterfly wants it; groups of 32 have vectors of all widths.
template <class Make>
void check_all(Make make) {
  const test::Session session;
  for (size_t cell : {1, 2, 4, 6, 8, 12, 16, 24}) {
    CAPTURE(cell);
    const cl_int d = cell % 3 == 0 ? 4 : 16;
    check(session, make(Writer(cell, d, input())), d, cell == 12 ? 64 : 32);
  }
}

} // namespace

TEST_CASE("Loads of several types at one address give each its bytes", "[mixed_access]") {
  check_all([](Writer writer) { return writer.loads(); });
}

TEST_CASE("Stores of several types at one address change their bytes alone", "[mixed_access]") {
  check_all([](Writer writer) { return writer.stores(); });
}
