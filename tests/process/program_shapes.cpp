#include "program_shapes.hpp"

#include <random>
#include <string_view>

namespace test {

namespace {

constexpr Shape all_shapes[] = {
    {.name = "straight", .body = "v = v * $ + (v >> 3);\n"},
    {.name = "rounds",
     .begin = "uint a = v, b = i, c = 1, d = 2;\n",
     .body = "a += b + $; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u);\n",
     .end = "v = a ^ b ^ c ^ d;\n"},
    {.name = "divisions", .body = "v = v * $ / (i + #) + v % (i + 3);\n"},
    {.name = "vectors",
     .begin = "float4 f = {1, 2, 3, 4}, g = f * (float)i;\n",
     .body = "f = f * $.0f + g.wzyx; g = g - f.yyxx;\n",
     .end = "v = f.x + g.y;\n"},
    {.name = "expression", .begin = "v = ", .body = "(v ^ $) * $ + (i | v) - ", .end = "1;\n"},
    {.name = "selections", .body = "v = v > $ ? v - $ : v * $;\n"},
    {.name = "variables", .body = "uint a# = p[i + #];\n", .second = "v = v * $ + a#;\n"},
    {.name = "else if", .begin = "if (v == 0) v = 2;\n", .body = "else if (v == $) v = v * $ + $;\n"},
    {.name = "switch", .begin = "switch (v) {\n", .body = "case #: v = v * $ + $; break;\n", .end = "}\n"},
    {.name = "call chain",
     .functions = "static uint f#(uint v) { return f`(v * $) + $; }\n",
     .end = "v = f@(v);\n"},
    {.name = "calls with branches",
     .functions = "static uint f#(global uint* p, uint v) { if (v & 1) return p[v & 63]; return v * $; }\n",
     .body = "v = f#(p, v);\n"},
    {.name = "private arrays", .body = "uint a#[4] = {v, i, v + i, $}; v = a#[v & 3] + a#[i & 3];\n"},
    {.name = "variables over barriers",
     .begin = "local uint t[64];\n",
     .body = "uint a# = p[i + #]; t[i & 63] = v; barrier(CLK_LOCAL_MEM_FENCE); v += t[~i & 63] * $;\n",
     .second = "v = v * $ + a#;\n",
     .few = 60},
    {.name = "barriers in loops",
     .begin = "local uint t[64];\nuint u = p[64] & 3;\n",
     .body = "for (uint j = 0; j < u; ++j) { t[i & 63] = v; barrier(CLK_LOCAL_MEM_FENCE);\n"
             "v += t[~i & 63] * $; barrier(CLK_LOCAL_MEM_FENCE); }\n",
     .few = 40},
    {.name = "atomics with results", .body = "v = atomic_max(&p[v & 63], v) + $;\n"},
};

std::string repeat(std::string_view text, unsigned copies, std::mt19937& random) {
  std::string result;
  for (unsigned i = 1; i <= copies; ++i)
    for (char c : text)
      if (c == '#')
        result += std::to_string(i);
      else if (c == '`')
        result += std::to_string(i - 1);
      else if (c == '$')
        result += std::to_string(random() % 10'000'000 * 2 + 1);
      else
        result += c;
  return result;
}

std::string with_count(std::string_view text, unsigned copies) {
  std::string result;
  for (char c : text)
    result += c == '@' ? std::to_string(copies) : std::string(1, c);
  return result;
}

} // namespace

std::span<const Shape> shapes() {
  return all_shapes;
}

std::string source_of(const Shape& shape, unsigned copies, unsigned seed) {
  std::mt19937 random(seed);
  return "static uint f0(uint v) { return v * 3 ^ v >> 5; }\n" + repeat(shape.functions, copies, random) +
         "kernel void k(global uint* p) {\nuint i = get_global_id(0), v = p[i];\n" + shape.begin +
         repeat(shape.body, copies, random) + repeat(shape.second, copies, random) +
         with_count(shape.end, copies) + "p[i] = v;\n}\n";
}

} // namespace test
