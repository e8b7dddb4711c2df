// Functions and constants that kernels use: those that make forms safe, and random ones.

#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

namespace {

struct Helper {
  const char *name, *text;
};

/// In an order in which each rests only on those before it. A kernel gets those that it mentions.
constexpr Helper helpers[] = {
    {"ADD", "enum { ADD, OR, AND, XOR, MAX, MIN, SIGNED, COUNT = 8, SUM, TICKET, CAS, FLOAT, HISTOGRAM, LAST "
            "= 16, FOUND, USED };"},
    {"table", "constant int table[8] = {3, -1, 4, 1, -5, 9, 2, 6};"},
    {"bytes", "constant uchar bytes[16] = {1, 255, 3, 128, 5, 127, 7, 0, 9, 10, 200, 12, 13, 250, 15, 16};"},
    {"rows", "constant float4 rows[4] = {(float4)(1, 2, 3, 4), (float4)(-0.0f, 0.5f, 7, 1), (float4)(9, 8, "
             "7, INFINITY), "
             "(float4)(0.25f)};"},
    {"parts", "struct parts {\nint a;\nuchar b[4];\nlong c;\n};"},
    {"record", "struct __attribute__((packed, may_alias)) record {\nuchar a;\nint b;\nlong c;\nshort d[2];\n"
               "float e;\n};"},
    {"models",
     "constant struct parts models[2] = {{5, {6, 7, 8, 9}, -10}, {-1, {2, 3, 4, 5}, 0x123456789}};"},
    {"bounded",
     "double __attribute__((overloadable)) bounded(double x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}\n"
     "float __attribute__((overloadable)) bounded(float x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}"},
    {"canonical", "float canonical(float x) {\nreturn isnan(x) ? NAN : x;\n}"},
    {"bits", "ulong __attribute__((overloadable)) bits(ulong x) {\nreturn x;\n}\n"
             "ulong __attribute__((overloadable)) bits(float x) {\nreturn isnan(x) ? 1 : as_uint(x);\n}\n"
             "ulong __attribute__((overloadable)) bits(double x) {\nreturn isnan(x) ? 1 : as_ulong(x);\n}"},
    {"half", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
             "half __attribute__((overloadable)) bounded(half x) {\nreturn x >= 0 && x < 100 ? x : 1;\n}\n"
             "ulong __attribute__((overloadable)) bits(half x) {\nreturn isnan(x) ? 1 : as_ushort(x);\n}"},
    {"scramble", "uint scramble(uint x) {\nx = (x ^ 61) * 9u;\nreturn (x ^ (x >> 4)) * 0x27d4eb2du;\n}"},
    {"mix", "ulong mix(ulong hash, ulong value) {\nreturn rotate(hash, 9ul) + value;\n}"},
    {"step",
     "void step(private int* value, int by) {\n*value = by & 1 ? (int)((uint)*value + by) : *value ^ 5;\n}"},
};

/// Operations of sub-groups, or the same by way of local memory with -DEMULATE.
constexpr const char* sub_group_helpers = R"(
#if defined(EMULATE) && defined(REQUIRED)
uint group_items(void) { return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); }
#define get_sub_group_local_id() ((uint)get_local_linear_id() % REQUIRED)
#define get_sub_group_id() ((uint)get_local_linear_id() / REQUIRED)
#define get_sub_group_size() min(REQUIRED, group_items() - get_sub_group_id() * REQUIRED)
#define get_num_sub_groups() ((group_items() + REQUIRED - 1u) / REQUIRED)
#define get_max_sub_group_size() REQUIRED
#endif
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

constexpr std::pair<const char*, const char*> sub_group_types[] = {
    {"_int(scratch", "ALL(int, INT_MIN)"},    {"_uint(scratch", "ALL(uint, 0)"},
    {"_long(scratch", "ALL(long, LONG_MIN)"}, {"_ulong(scratch", "ALL(ulong, 0)"},
    {"_float(scratch", "ALL(float, 0)"},
};

} // namespace

/// What `text` mentions.
Node Generator::helper_functions(const std::string& text) {
  std::string all = text;
  std::vector<Node> reversed;
  auto add = [&](std::string helper) {
    all += helper;
    reversed.push_back(statement(std::move(helper)));
  };
  if (text.find("(scratch") != std::string::npos || has_sub_groups()) {
    for (const auto& [call, declaration] : sub_group_types)
      if (text.find(call) != std::string::npos) add(declaration);
    add(sub_group_helpers);
  }
  for (std::size_t i = std::size(helpers); i-- > 0;) {
    const std::string name = helpers[i].name;
    if (name == "half" && !uses_half_) continue; // only pointers, for vload_half
    if (mentions(all, name == "ADD" ? "cells" : name)) add(helpers[i].text);
  }
  for (const auto& [name, declaration] : views_)
    if (mentions(all, name)) add(declaration);
  Node result = list();
  std::move(reversed.rbegin(), reversed.rend(), std::back_inserter(result.children));
  return result;
}

Node Generator::functions() {
  Node result = list();
  const unsigned count = theme_ == Theme::calls ? 1 + below(3) : chance(15) ? 1 : 0;
  std::vector<Function> made;
  for (unsigned i = 0; i < count; ++i) {
    functions_ = chance(30) ? made : std::vector<Function>{}; // that this one may call
    std::erase_if(functions_, [](const Function& f) { return f.kind == Function::Kind::of_buffer; });
    result.children.push_back(function());
    made.push_back(functions_.back());
  }
  functions_ = made;
  return result;
}

Node Generator::function() {
  using Kind = Function::Kind;
  auto outer = std::exchange(variables_, {});
  auto arrays = std::exchange(arrays_, {});
  in_function_ = true;
  Function made{pick({Kind::of_value, Kind::of_value, Kind::of_pointer, Kind::of_array, Kind::of_structure,
                      Kind::of_buffer}),
                fresh("function_"), any_scalar()};
  if (made.kind == Kind::of_structure || made.kind == Kind::of_buffer) made.type = scalar_type("int");
  result_type_ = made.type;
  const std::string type = made.type.name();
  std::string head = type + " " + made.name + "(" + type + " a, int b)", result = "$2";
  variables_ = {{"a", made.type}, {"b", scalar_type("int")}};
  may_return_ = made.kind == Kind::of_value || made.kind == Kind::of_array || made.kind == Kind::of_buffer;
  if (made.kind == Kind::of_pointer) {
    head = "void " + made.name + "(" + any_of({"private ", ""}) + type + "* p, int b)";
    variables_[0].name = "(*p)";
    result = "";
  } else if (made.kind == Kind::of_array) {
    head = type + " " + made.name + "(private " + type + "* t, int mask, int b)";
    variables_.erase(variables_.begin());
    result = "t[b & mask]";
  } else if (made.kind == Kind::of_structure) {
    head = "struct parts " + made.name + "(struct parts s, int b)";
    variables_[0].name = "s.a";
    variables_.push_back({"s.c", scalar_type("long")});
    arrays_.push_back({"s.b", scalar_type("uchar"), 3});
    result = "s";
  } else if (made.kind == Kind::of_buffer) {
    head = "int " + made.name + "(global const int* p, int b)";
    variables_[0] = {"p[b & 31]", made.type, false, true};
  }
  Node locals = declarations(below(3));
  budget_ = 1 + below(4);
  Node body = block(Flow::divergent, 3);
  if (made.kind == Kind::of_array)
    body.children.push_back(
        statement("t[$0 & mask] = $1;", expression(scalar_type("int"), 2), expression(made.type)));
  Node value = expression(made.type);
  in_function_ = may_return_ = false;
  variables_ = std::move(outer);
  arrays_ = std::move(arrays);
  functions_.push_back(made);
  const std::string inlining = chance(50) ? "__attribute__((noinline)) " : "";
  return statement(inlining + head + " {\n$0\n$1\n" + (result.empty() ? "" : "return " + result + ";\n") +
                       "}",
                   std::move(locals), std::move(body), std::move(value));
}

/// A call whose result is a number.
Node Generator::call(Type type, unsigned depth, bool is_uniform) {
  using Kind = Function::Kind;
  const Function& function = pick(std::span<const Function>(functions_));
  Node by = expression(scalar_type("int"), depth + 1, is_uniform);
  const bool fits = function.type.is_float() == type.is_float() && type.count == 1;
  if (fits && function.kind == Kind::of_value)
    return typed(type, is_uniform,
                 expression_node(convert(type, function.name + "($0, $1)"),
                                 expression(function.type, depth + 1, is_uniform), std::move(by)));
  if (fits && function.kind == Kind::of_buffer && !is_uniform && !in_function_)
    return typed(type, false,
                 expression_node(convert(type, function.name + "(in32 + $0, $1)"), index(), std::move(by)));
  return typed(type, is_uniform, leaf(type, is_uniform));
}

Node Generator::call_statement() {
  using Kind = Function::Kind;
  Node by = expression(scalar_type("int"), 1);
  if (!functions_.empty() && chance(80)) {
    const Function& function = pick(std::span<const Function>(functions_));
    const Variable* variable = target(
        [&](const Variable& v) { return v.type == function.type && !v.is_volatile && v.name[0] == 'v'; });
    auto array = std::ranges::find_if(arrays_, [&](const Array& a) {
      return a.type == function.type && !a.is_volatile && a.name[0] == 't';
    });
    if (function.kind == Kind::of_pointer && variable)
      return statement(function.name + "(&" + variable->name + ", $0);", std::move(by));
    if (function.kind == Kind::of_array && variable && array != arrays_.end())
      return statement(variable->name + " = " + function.name + "(" + array->name + ", " +
                           std::to_string(array->mask) + ", $0);",
                       std::move(by));
    if (function.kind == Kind::of_structure && !structures_.empty())
      return statement(pick(std::span<const std::string>(structures_)) + " = " + function.name + "(" +
                           (chance(30) ? "given" : pick(std::span<const std::string>(structures_))) +
                           ", $0);",
                       std::move(by));
  }
  const Variable* variable = target([](const Variable& v) {
    return v.type == scalar_type("int") && !v.is_volatile && v.name.find('.') == std::string::npos;
  });
  if (!variable) return assignment();
  return statement("step(&" + variable->name + ", $0);", std::move(by));
}

} // namespace differential
