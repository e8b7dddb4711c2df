// Hints: to unroll, to inline, how memory is aligned and not shared. None of them changes a result.

#include "differential/generator.hpp"

namespace differential {

Node Generator::hinted() {
  const std::string k = fresh("k"), sum = fresh("sum"), name = fresh("hinted_");
  const std::string hint =
      any_of({"__attribute__((opencl_unroll_hint))", "__attribute__((opencl_unroll_hint(1)))",
              "__attribute__((opencl_unroll_hint(2)))", "__attribute__((opencl_unroll_hint(4)))",
              "__attribute__((opencl_unroll_hint(7)))"});
  switch (below(5)) {
  case 0:
    return statement("{\nulong " + sum + " = 0;\n" + hint + "\nfor (int " + k + " = 0; " + k + " < $0; ++" +
                         k + ") " + sum + " = " + sum + " * 3u + (ulong)in32[$1 + " + k + "];\n" +
                         leave(sum) + "\n}",
                     chance(50) ? small(15) : node(Node::Kind::text, std::to_string(1 + below(12))), index());
  case 1:
    return statement("{\nint " + k + " = 0;\n" + hint + "\nwhile (" + k + "++ < " +
                         std::to_string(2 + below(6)) + ") {\nif ($0) " + any_of({"continue", "break"}) +
                         ";\n$1\n}\n}",
                     condition(1), assignment());
  case 2: { // a helper whose pointers share nothing
    declared(name, any_of({"__attribute__((noinline)) ", "__attribute__((always_inline)) ", "inline ",
                           "static inline ", "__attribute__((noinline, pure)) "}) +
                       "uint " + name +
                       "(global const int* restrict a, global const uchar* restrict b, const int count) "
                       "{\nuint s = 0;\n" +
                       hint +
                       "\nfor (int q = 0; q < count; ++q) s = s * 5u + (uint)a[q] * b[q];\nreturn s;\n}");
    std::string& text = views_[name];
    if (text.starts_with("inline ")) text = "static " + text;
    return statement(leave(name + "(in32 + $0, in8 + $1, $2)"), index(), index(), small(15));
  }
  case 3: { // a kernel that is called as a function
    declared(name, "__attribute__((reqd_work_group_size(" + number(8) + "1, 1, 1)))\n" +
                       any_of({"__attribute__((vec_type_hint(float4)))\n",
                               "__attribute__((work_group_size_hint(8, 1, 1)))\n", ""}) +
                       "kernel void " + name +
                       "(global int* restrict to, global const int* from, int by) {\n*to ^= from[by & "
                       "7];\nif (by & 8) return;\nto[1] = by;\n}");
    return statement(name + "(out32 + i * 4 + 1, in32 + $0, $1);", index(),
                     expression(scalar_type("int"), 1));
  }
  default: {
    const std::string own = fresh("own");
    return statement("{\n" + any_of({"volatile ", "const volatile ", ""}) + "uint __attribute__((aligned(" +
                         any_of({"4", "16", "64", "128"}) + "))) " + own +
                         "[4] = {(uint)$0, 2u, (uint)i, 4u};\n" +
                         leave("(ulong)" + own + "[$1 & 3] + (ulong)" + own + "[2] * 3u") + "\n}",
                     expression(scalar_type("int"), 1), expression(scalar_type("int"), 2));
  }
  }
}

} // namespace differential
