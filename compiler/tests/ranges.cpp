// Bounds and low bits of index arithmetic, for values that no flag says anything about.

#include "compiler/values/ranges.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/tests/module_text.hpp"
#include "compiler/values/linear_forms.hpp"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

constexpr std::uint64_t largest_id = (std::uint64_t{1} << 31) - 1, unbounded = Ranges::unbounded;
constexpr std::uint64_t largest_local = hostcl::abi::max_group_items - 1;

const char* const text = R"(
define spir_kernel void @k(i64 %n, i32 %m, i8 %c, i128 %wide, ptr addrspace(1) %p) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %g = call i64 @__hostcl_group_id(i32 0)
  %h = call i64 @__hostcl_group_id(i32 1)
  %size = call i64 @__hostcl_local_size(i32 0)
  %offset = call i64 @__hostcl_global_offset(i32 0)
  %offset.y = call i64 @__hostcl_global_offset(i32 1)
  %global = call i64 @__hostcl_global_size(i32 0)
  %lane = call i32 @__hostcl_sub_group_lane()
  %start = mul i64 %g, %size
  %other.start = mul i64 %h, %size
  %id = add i64 %start, %x
  %id.offset = add i64 %id, %offset
  %mixed = add i64 %start, %y
  %mixed.offset = add i64 %id, %offset.y
  %mismatched = add i64 %other.start, %x
  %twice = add i64 %id, %x
  %enqueued = call i64 @__hostcl_enqueued_local_size(i32 0)
  %other.size = sub i64 %enqueued, %size
  %more = mul i64 %g, %other.size
  %more.twice = shl i64 %more, 1
  %mixed.sizes = add i64 %id, %more.twice
  %sum = add i64 %x, %x
  %difference = sub i64 %x, 1
  %product = mul i64 %x, 3
  %shifted = shl i64 %x, 4
  %by.number = shl i64 %x, %n
  %right.shift = lshr i64 %x, 2
  %right = lshr i64 %n, 60
  %masked = and i64 %n, 255
  %either = or i64 %masked, 256
  %apart = or disjoint i64 %masked, 256
  %changed = xor i64 %masked, 5
  %remainder = urem i64 %n, 10
  %quotient = udiv i64 %x, 7
  %below = sub i64 4096, %x
  %narrow = trunc i64 %n to i8
  %again = zext i8 %narrow to i64
  %signed = sext i8 %narrow to i64
  %frozen = freeze i64 %masked
  %wraps = add i8 %c, %c
  %wraps.wide = zext i8 %wraps to i64
  %all = xor i64 %n, -1
  %aligned = and i64 %n, -16
  %scaled = mul i64 %aligned, 12
  %above = add i64 %aligned, 8
  %near = add i64 %x, 4
  %row = shl i64 %x, 2
  %lowest = shl i64 %x, 63
  ret void
}
)";

struct Bound {
  const char* name;
  std::uint64_t if_small, otherwise; ///< with ids below 2^31, and without that promise
};

constexpr Bound bounds[] = {
    {"x", largest_local, largest_local},
    {"size", largest_local + 1, largest_local + 1},
    {"lane", largest_local, largest_local},
    {"g", largest_id, unbounded},
    {"h", unbounded, unbounded},
    {"offset", largest_id, unbounded},
    {"global", largest_id + 1, unbounded},
    {"id", largest_id, unbounded},
    {"id.offset", largest_id, unbounded},
    {"mixed", (std::uint64_t{1} << 43) - 1, unbounded}, // no global id, but a sum
    {"mismatched", unbounded, unbounded},
    {"sum", 2 * largest_local, 2 * largest_local},
    {"difference", unbounded, unbounded}, // 0 - 1 wraps
    {"product", 3 * largest_local, 3 * largest_local},
    {"shifted", 16 * largest_local, 16 * largest_local},
    {"by.number", unbounded, unbounded},
    {"right", 15, 15},
    {"masked", 255, 255},
    {"either", 511, 511},
    {"apart", 511, 511},
    {"changed", 255, 255},
    {"remainder", 9, 9},
    {"quotient", largest_local / 7, largest_local / 7},
    {"below", largest_local + 1, largest_local + 1},
    {"narrow", 255, 255},
    {"again", 255, 255},
    {"signed", unbounded, unbounded},
    {"frozen", 255, 255},
    {"wraps", 255, 255},
    {"wraps.wide", 255, 255},
    {"all", unbounded, unbounded},
    {"m", 0xFFFFFFFF, 0xFFFFFFFF},
    {"wide", unbounded, unbounded},
    {"p", unbounded, unbounded},
};

struct ZeroBits {
  const char* name;
  unsigned count;
};

// The first of 8 lanes has a local id that is a multiple of 8.
constexpr ZeroBits zero_bits[] = {
    {"x", 3},       {"y", 0},          {"lane", 32},    {"n", 0},           {"sum", 3},    {"shifted", 7},
    {"row", 5},     {"lowest", 64},    {"aligned", 4},  {"scaled", 6},      {"above", 3},  {"near", 2},
    {"product", 3}, {"difference", 0}, {"quotient", 0}, {"right.shift", 1}, {"masked", 0}, {"id", 0}};

} // namespace

TEST_CASE("Ranges: bounds hold for every lane, whatever wraps", "[ranges]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  for (const Bound& bound : bounds) {
    CAPTURE(bound.name);
    const Value& value = value_named(kernel, bound.name);
    const Ranges small({.width = 8, .ids_fit_31_bits = true}), large({.width = 8, .ids_fit_31_bits = false});
    CHECK(small.upper_bound(value) == bound.if_small);
    CHECK(large.upper_bound(value) == bound.otherwise);
  }
}

TEST_CASE("Ranges: low bits of the first lane's value that are zero", "[ranges]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  const Ranges properties({.width = 8});
  for (const ZeroBits& bits : zero_bits) {
    CAPTURE(bits.name);
    CHECK(properties.zero_bits_of_first_lane(value_named(kernel, bits.name)) == bits.count);
  }
  const Ranges scalar({.width = 1});
  CHECK(scalar.zero_bits_of_first_lane(value_named(kernel, "x")) == 0);
}

TEST_CASE("Ranges: of many values behind one long computation, soon found", "[ranges]") {
  constexpr unsigned rows = 60, columns = 64;
  const auto number = [](unsigned row, unsigned column) {
    return "%v" + std::to_string(row) + "." + std::to_string(column % columns);
  };
  std::string text = "define spir_kernel void @k(i32 %n) {\n";
  for (unsigned column = 0; column < columns; ++column)
    text += "  " + number(0, column) + " = mul i32 %n, " + std::to_string(column) + "\n";
  for (unsigned row = 1; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      text += "  " + number(row, column) + " = xor i32 " + number(row - 1, column) + ", " +
              number(row - 1, column + 5) + "\n";
  const ModuleText module(text + "  ret void\n}\n");
  Function& kernel = module.function("k");
  const Ranges ranges({.width = 8});
  for (unsigned row = rows - 4; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      CHECK(ranges.upper_bound(value_named(kernel, number(row, column).substr(1))) == maxUIntN(32));
}

TEST_CASE("Ranges: a global id has one start, one local id and at most one offset, of one dimension",
          "[ranges]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  const auto is_global_id = [&](const char* name) {
    LinearForms forms;
    return forms.is_global_id(forms.of(value_named(kernel, name), kernel.getEntryBlock()));
  };
  for (const char* name : {"id", "id.offset"})
    CHECK(is_global_id(name));
  for (const char* name :
       {"start", "x", "mixed", "mixed.offset", "mismatched", "twice", "sum", "mixed.sizes", "n"}) {
    CAPTURE(name);
    CHECK_FALSE(is_global_id(name));
  }
}
