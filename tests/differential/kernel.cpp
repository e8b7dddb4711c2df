#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

namespace {

/// Cells of 32 bits: eight for each kind of operation, so that all that happens to one commutes.
constexpr const char* cell_names =
    "enum { ADD, OR, AND, XOR, MAX, MIN, SIGNED, COUNT = 8, SUM, TICKET, CAS, FLOAT, HISTOGRAM };";

constexpr const char* helpers[] = {
    "constant int table[8] = {3, -1, 4, 1, -5, 9, 2, 6};",
    "struct parts {\nint a;\nuchar b[4];\nlong c;\n};",
    "double __attribute__((overloadable)) bounded(double x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}",
    "float __attribute__((overloadable)) bounded(float x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}",
    "float canonical(float x) {\nreturn isnan(x) ? NAN : x;\n}",
    "ulong __attribute__((overloadable)) bits(ulong x) {\nreturn x;\n}",
    "ulong __attribute__((overloadable)) bits(float x) {\nreturn isnan(x) ? 1 : as_uint(x);\n}",
    "ulong __attribute__((overloadable)) bits(double x) {\nreturn isnan(x) ? 1 : as_ulong(x);\n}",
    "uint scramble(uint x) {\nx = (x ^ 61) * 9u;\nreturn (x ^ (x >> 4)) * 0x27d4eb2du;\n}",
    "ulong mix(ulong hash, ulong value) {\nreturn (hash ^ value) * 0x9e3779b97f4a7c15ul + (hash >> 31);\n}",
    "void step(private int* value, int by) {\n*value = by & 1 ? (int)((uint)*value + by) : *value ^ 5;\n}",
};

constexpr const char* half_helpers =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "half __attribute__((overloadable)) bounded(half x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}\n"
    "ulong __attribute__((overloadable)) bits(half x) {\nreturn isnan(x) ? 1 : as_ushort(x);\n}";

/// Operations of sub-groups, or the same by way of local memory with -DEMULATE.
constexpr const char* sub_group_helpers = R"(
int sub_group_base(void) {
return (int)get_local_linear_id() - (int)get_sub_group_local_id();
}
#ifdef EMULATE
#define SHARE(x) barrier(CLK_LOCAL_MEM_FENCE); scratch[get_local_linear_id()] = KEEP(x); barrier(CLK_LOCAL_MEM_FENCE)
#define OF(lane) scratch[sub_group_base() + (int)(lane)]
#define EITHER(native, emulated) emulated
#else
#define SHARE(x)
#define OF(lane) 0
#define EITHER(native, emulated) native
#endif
#define KEEP(x) as_ulong((long)(x))
#define FOLD(T, name, native, begin, end, start, combine) \
T group_##name##_##T(local ulong* scratch, T x) { \
int me = (int)get_sub_group_local_id(), size = (int)get_sub_group_size(); \
SHARE(x); T a = start; \
for (int lane = begin; lane < end; ++lane) { T b = (T)(long)OF(lane); a = combine; } \
return EITHER(native(x), a); }
#define MOVE(T, name, condition, native, lane) \
T group_##name##_##T(local ulong* scratch, T x, uint by) { \
uint me = get_sub_group_local_id(), size = get_sub_group_size(); \
SHARE(x); if (!(condition)) return x; \
return EITHER((native), (T)(long)OF(lane)); }
#define ALL(T, smallest) \
FOLD(T, reduce_add, sub_group_reduce_add, 0, size, 0, a + b) \
FOLD(T, reduce_min, sub_group_reduce_min, 1, size, (T)(long)OF(0), a < b ? a : b) \
FOLD(T, reduce_max, sub_group_reduce_max, 1, size, (T)(long)OF(0), a > b ? a : b) \
FOLD(T, inclusive_add, sub_group_scan_inclusive_add, 0, me + 1, 0, a + b) \
FOLD(T, exclusive_add, sub_group_scan_exclusive_add, 0, me, 0, a + b) \
FOLD(T, inclusive_max, sub_group_scan_inclusive_max, 1, me + 1, (T)(long)OF(0), a > b ? a : b) \
MOVE(T, shuffle, true, sub_group_shuffle(x, by % size), by % size) \
MOVE(T, broadcast, true, sub_group_broadcast(x, by % size), by % size) \
MOVE(T, rotate, size == get_max_sub_group_size(), sub_group_rotate(x, (int)by), (me + by) % size) \
T group_xor_##T(local ulong* scratch, T x, uint by) { uint me = get_sub_group_local_id(), size = get_sub_group_size(); \
SHARE(x); T y = EITHER(sub_group_shuffle_xor(x, by), (T)(long)OF((me ^ by) < size ? me ^ by : me)); return (me ^ by) < size ? y : x; } \
T group_down_##T(local ulong* scratch, T x, uint by) { uint me = get_sub_group_local_id(), size = get_sub_group_size(); \
SHARE(x); T y = EITHER(sub_group_shuffle_down(x, by), (T)(long)OF(me + by < size ? me + by : me)); return me + by < size ? y : x; } \
T group_up_##T(local ulong* scratch, T x, uint by) { uint me = get_sub_group_local_id(), size = get_sub_group_size(); \
SHARE(x); T y = EITHER(sub_group_shuffle_up(x, by), (T)(long)OF(me >= by ? me - by : me)); return me >= by ? y : x; } \
T group_elect_##T(local ulong* scratch, T x) { SHARE(x); return EITHER(sub_group_broadcast_first(x), (T)(long)OF(0)); }
ALL(int, INT_MIN) ALL(uint, 0) ALL(long, LONG_MIN) ALL(ulong, 0) ALL(float, 0)
int group_any(local ulong* scratch, int x) {
int size = (int)get_sub_group_size(), a = 0;
SHARE(x != 0);
for (int lane = 0; lane < size; ++lane) a |= (int)OF(lane);
return EITHER(sub_group_any(x) != 0, a);
}
int group_all(local ulong* scratch, int x) {
int size = (int)get_sub_group_size(), a = 1;
SHARE(x != 0);
for (int lane = 0; lane < size; ++lane) a &= (int)OF(lane);
return EITHER(sub_group_all(x) != 0, a);
}
uint group_ballot(local ulong* scratch, int x) {
int size = (int)get_sub_group_size();
uint a = 0;
SHARE(x != 0);
for (int lane = 0; lane < size && lane < 32; ++lane) a |= (uint)OF(lane) << lane;
return EITHER(sub_group_ballot(x).x, a);
}
)";

constexpr const char* parameters = "kernel void test(global const int* in32, global const uchar* in8, global "
                                   "const long* in64, global const float* inf, "
                                   "global int* out32, global uchar* out8, global ulong* out64, global "
                                   "float* outf, global uint* cells, global ulong* cells64, "
                                   "global ulong* result, local uint* exchange, int n, uint m)";

} // namespace

Geometry Generator::geometry() {
  static constexpr std::size_t sizes[] = {1,  2,  3,  4,  5,  7,  8,  9,   12,  15,
                                          16, 17, 31, 32, 33, 48, 64, 100, 128, 256};
  Geometry result;
  result.dimensions = chance(65) ? 1 : 2 + below(2);
  std::size_t room = 256;
  for (unsigned d = 0; d < result.dimensions; ++d) {
    std::size_t limit = d == 0 ? room : std::min<std::size_t>(room, 17);
    do
      result.local[d] = pick(std::span<const std::size_t>(sizes));
    while (result.local[d] > limit);
    room /= result.local[d];
    result.global[d] = result.local[d] * (1 + below(result.dimensions == 1 ? 4 : 2));
    if (chance(30)) result.global[d] += below(static_cast<unsigned>(result.local[d]));
    if (chance(15)) result.offset[d] = 1 + below(100);
  }
  return result;
}

Node Generator::declaration(const Variable& variable, Node value) {
  return statement(variable.type.name() + " " + variable.name + " = $0;", std::move(value));
}

Node Generator::declarations(unsigned count) {
  Node result = list();
  for (unsigned i = 0; i < count; ++i) {
    Variable variable{fresh("v"), any_scalar()};
    if (chance(25)) variable.type.count = chance(70) ? 4 : chance(50) ? 2 : chance(50) ? 3 : 8;
    result.children.push_back(declaration(variable, expression(variable.type, 2)));
    variables_.push_back(variable);
  }
  return result;
}

Node Generator::function() {
  auto outer = std::exchange(variables_, {});
  auto arrays = std::exchange(arrays_, {});
  in_function_ = may_return_ = true;
  std::string name = fresh("function_");
  result_type_ = any_scalar();
  variables_ = {{"a", result_type_}, {"b", scalar_type("int")}};
  Node locals = declarations(below(3));
  budget_ = 1 + below(6);
  Node body = block(Flow::divergent, 4);
  Node tree = statement(result_type_.name() + " " + name + "(" + result_type_.name() +
                            " a, int b) {\n$0\n$1\nreturn $2;\n}",
                        std::move(locals), std::move(body), expression(result_type_));
  in_function_ = may_return_ = false;
  variables_ = std::move(outer);
  arrays_ = std::move(arrays);
  functions_.emplace_back(name, result_type_);
  return tree;
}

Node Generator::helper_functions() {
  Node result = list();
  for (const char* helper : helpers)
    result.children.push_back(statement(helper));
  if (uses_half_) result.children.push_back(statement(half_helpers));
  if (uses_sub_groups_) result.children.push_back(statement(sub_group_helpers));
  std::vector<std::pair<std::string, Type>> made;
  for (unsigned i = chance(30) ? 1 + below(2) : 0; i > 0; --i) {
    result.children.push_back(function());
    made.push_back(functions_.back());
    functions_.clear(); // functions do not call each other
  }
  functions_ = made;
  return result;
}

/// Members serve as variables and arrays.
void Generator::declare_structures(Node& variables) {
  for (unsigned count = 1 + below(2); count > 0; --count) {
    std::string name = fresh("s");
    variables.children.push_back(statement("struct parts " + name + " = {$0, {1, 2, 3, 4}, $1};",
                                           expression(scalar_type("int"), 2),
                                           expression(scalar_type("long"), 2)));
    variables_.push_back({name + ".a", scalar_type("int")});
    variables_.push_back({name + ".c", scalar_type("long")});
    arrays_.push_back({name + ".b", scalar_type("uchar"), 3});
    structures_.push_back(name);
  }
}

/// All variables' last values, in one number.
Node Generator::digest() {
  Node result = list();
  auto add = [&](const std::string& value, Type type) {
    Type element{type.scalar, type.bits, type.kind};
    std::string form;
    for (unsigned c = 0; c < type.count; ++c)
      form += "h = mix(h, bits((" + (element.is_float() ? element.name() : "ulong") + ")" + value +
              (type.count > 1 ? ".s" + std::string(1, "0123456789abcdef"[c]) : "") + "));";
    return form;
  };
  for (const Variable& variable : variables_)
    if (!variable.is_constant) result.children.push_back(statement(add(variable.name, variable.type)));
  for (const Array& array : arrays_)
    result.children.push_back(statement("for (int q = 0; q <= " + std::to_string(array.mask) + "; ++q) " +
                                        add(array.name + "[q]", array.type)));
  return result;
}

Case Generator::make() {
  Case result{geometry(), {}};
  const Geometry& range = result.geometry;
  dimensions_ = range.dimensions;
  // Most kernels are small: what goes wrong seldom takes much, and compiling is what takes the time.
  const bool is_large = chance(15);
  expression_depth_ = is_large ? 3 : 1 + below(2);
  uses_sub_groups_ = chance(12);
  uses_half_ = chance(15);
  Node functions = helper_functions();

  static constexpr const char* linear_ids[] = {"get_global_linear_id()",
                                               "get_global_id(0) - get_global_offset(0)"};
  std::string id = "(int)(" + std::string(linear_ids[range.dimensions == 1 ? below(2) : 0]) + ")";
  if (range.dimensions == 1 && range.offset[0] == 0 && chance(70)) id = "(int)get_global_id(0)";
  Node ids = list();
  auto pin = [&](std::string form) {
    Node pinned = statement(std::move(form));
    pinned.is_pinned = true;
    ids.children.push_back(std::move(pinned));
  };
  pin("const int i = " + id + ", lid = (int)get_local_linear_id();");
  pin("const int lsize = (int)(get_local_size(0) * get_local_size(1) * get_local_size(2));");
  ids.children.push_back(statement(
      "const int neighbour = i - (int)get_local_id(0) + (int)((get_local_id(0) + 1) % get_local_size(0));"));
  ids.children.push_back(statement("local short4 wide[256];"));
  if (uses_sub_groups_) ids.children.push_back(statement("local ulong scratch[256];"));

  Type int_type = scalar_type("int");
  auto known = [&](const char* name, bool is_uniform, const char* value) {
    if (value) ids.children.push_back(statement(std::string("const int ") + name + " = " + value + ";"));
    variables_.push_back({name, int_type, is_uniform, true});
  };
  known("i", false, nullptr);
  known("lid", false, nullptr);
  known("n", true, nullptr);
  variables_.push_back({"m", scalar_type("uint"), true, true});
  known("lx", false, "(int)get_local_id(0)");
  known("gx", false, "(int)get_global_id(0)");
  if (range.dimensions > 1) known("gy", false, "(int)get_global_id(1)");
  known("group", true, "(int)(get_group_id(0) + get_group_id(1) * 3 + get_group_id(2) * 7)");

  Node variables = list();
  for (unsigned u = 1 + below(2); u > 0; --u) {
    Variable variable{fresh("u"), any_integer(), true};
    variables.children.push_back(declaration(variable, expression(variable.type, 2, true)));
    variables_.push_back(variable);
  }
  Node more = declarations(is_large ? 3 + below(5) : 2 + below(3));
  std::move(more.children.begin(), more.children.end(), std::back_inserter(variables.children));
  for (unsigned a = below(3); a > 0; --a) {
    Array array{fresh("t"), any_scalar(), (2u << below(4)) - 1};
    if (!arrays_.empty() && chance(50)) array.type = arrays_[0].type;
    std::string q = fresh("q"), size = std::to_string(array.mask + 1);
    Node fill = statement(array.type.name() + " " + array.name + "[" + size + "];\nfor (int " + q + " = 0; " +
                          q + " < " + size + "; ++" + q + ") " + array.name + "[" + q + "] = (" +
                          array.type.name() + ")(" + q + " * 3 + lid);");
    variables.children.push_back(std::move(fill));
    arrays_.push_back(array);
  }

  if (chance(25)) declare_structures(variables);

  bool has_histogram = chance(35);
  if (has_histogram) histograms_.push_back(fresh("histogram"));
  budget_ = is_large ? 12 + below(20) : 2 + below(8);
  Node body = block(Flow::uniform, 2 + below(7));
  if (has_histogram) {
    const std::string name = histograms_.back();
    body = node(Node::Kind::statement,
                "local uint " + name + "[16];\nfor (int q = lid; q < 16; q += lsize) " + name +
                    "[q] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n$0\n" +
                    "barrier(CLK_LOCAL_MEM_FENCE);\nfor (int q = lid; q < 16; q += lsize) "
                    "atomic_add(&cells[HISTOGRAM * 8 + q], " +
                    name + "[q]);",
                std::move(body));
    histograms_.clear();
  }
  Node uniform_part = list();
  uniform_part.children.push_back(std::move(body));
  may_return_ = !uses_sub_groups_;
  budget_ = is_large ? 1 + below(12) : 1 + below(6);
  Node tail = block(Flow::divergent, 1 + below(4));
  may_return_ = false;

  Node attributes = list();
  if (chance(10) && range.is_uniform())
    attributes.children.push_back(
        statement("__attribute__((reqd_work_group_size(" + std::to_string(range.local[0]) + ", " +
                  std::to_string(range.local[1]) + ", " + std::to_string(range.local[2]) + ")))"));
  result.kernel = node(Node::Kind::text,
                       std::string("#pragma OPENCL FP_CONTRACT OFF\n") + cell_names + "\n$0\n$6" +
                           parameters + " {\n$1\n$2\n$3\n$4\nout:;\nulong h = 0;\n$5\nresult[i] = h;\n}",
                       std::move(functions), std::move(ids), std::move(variables), std::move(uniform_part),
                       std::move(tail), digest(), std::move(attributes));
  return result;
}

} // namespace differential
