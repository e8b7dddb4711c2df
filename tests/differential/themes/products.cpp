// Loop nests over rows and columns, and arithmetic for which the vectoriser has special code: the patterns that heuristics
// for loop nests, products, divisions, narrow integers and records look for.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Use = Rule::Use;

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
/// #s is a sum, whose type is @type.
const Rules rules = {
    {"products",
     {"{\n@type #s = 1;\n@nest\n@made@mine] = (uint)#s;\n}",
      "{\n@type #s = 0;\n@nest\n@nest\n@made@mine] = (uint)#s;\n}",
      "if (@who) {\n@type #s = 0;\n@nest\n@made@mine] = (uint)#s;\n}",
      "{\nuint #s = 0;\n@number\n@number\n@number\n@made@mine] = #s;\n}",
      "{\nuint #s = 0;\n@number\n@number\n@made@mine] = #s;\n}", "@stores", "@stores"}},
    {"type", {"uint", "uint", "int", "float", "float", "ulong", "double", "ushort"}, Use::once},
    {"mine", {"i", "i", "id", "n - 1 - i"}},
    {"length", {"16", "12", "per", "per * 2", "(int)(m + 2u) * 3"}},
    {"nest", {"@loop"}, Use::statement},
    {"loop",
     {// Rows and columns.
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far8[i * 16 + #k] & 15);",
      "for (@int #k = 0; #k < @length; ++#k) #s += ((global const @type*)far32)[i * 4 + #k] > 0 ? 1 : 2;",
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far32[i * 16 + #k] & 15u);",
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far32[#k * n + i] & 15u);",
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far8[#k * 1024 + i] & 15);",
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far8[i * 16 + #k] & 7) * (@type)(far8[#k] & 7);",
      "for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far8[far8[#k * n + i]] & 7);",
      // Rows whose lengths are read from memory.
      "for (uint #k = far8[i]; #k < (uint)far8[i] + far8[i + 1]; ++#k) #s += (@type)(far8[#k] & 3);",
      "for (uint #k = far8[i]; #k < (uint)far8[i + 1]; ++#k) #s += (@type)(far8[#k] & 3) * "
      "(@type)(far8[far8[#k + 40]] & 3);",
      // Neighbours.
      "for (int #k = -1; #k <= 1; ++#k) for (int #j = -1; #j <= 1; ++#j) #s += (@type)(far8[clamp(i + #k * "
      "16 + #j, 0, n - 1)] & 7);",
      "@type #window[9];\nfor (int #k = 0; #k < 9; ++#k) #window[#k] = (@type)(far8[i + #k] & 7);\nfor (int "
      "#k = 1; #k < 9; ++#k) "
      "#s += #window[#k] * #window[#k - 1];",
      "@type #sums[4] = {0, 1, 2, 3};\nfor (int #k = 0; #k < 8; ++#k) #sums[#k & 3] += (@type)(far8[#k * n + "
      "i] & 7);\n#s += "
      "#sums[0] + #sums[3];",
      "for (int #h = 1; #h < 64; #h <<= 1) #s += (@type)(far8[i ^ #h] & 7);",
      "#s += (@type)(far32[i ^ @bit] & 7u);",
      "for (int #h = 1; #h < 32; #h <<= 1) #s += (@type)(far8[(i / #h) * #h * 2 + i % #h] & 7);"}},
    {"bit", {"1", "2", "4", "7", "8", "(int)m"}},
    // Arithmetic on 32-bit numbers; #s is such a number as well.
    {"number",
     {"#s += mul_hi(@word, 0x9e3779b9u);",
      "#s += (uint)(mul_hi(@long, @long) >> 7);",
      "#s ^= (uint)mul_hi(@long, (ulong)@word | 1ul << 40);",
      "#s += sin((float)@word * 3e5f) > 0.25f ? @word : 5u;",
      "#s ^= mul_hi(@word, @word);",
      "#s += (uint)mul_hi((ulong)@word << 32 | @word, @long);",
      "#s ^= (uint)mul_hi(@long, 0x9e3779b97f4a7c15ul);",
      "#s += (uint)(((ulong)@word * @word) >> 32);",
      "#s += (uint)((@long * @long) >> 40);",
      "#s += @word / 7u;",
      "#s += @word % 10u;",
      "#s ^= @word / (uint)per;",
      "#s += @word % (@word | 1u);",
      "#s += @word / (@word >> 20 | 1u);",
      "#s += (uint)((int)far8[i] - 100) / 7u;",
      "#s += (uint)(((int)far8[i] - 100) / 7);",
      "#s += (uint)(((int)@word >> 3) / per);",
      "#s += far32[i / per * per + i % per];",
      "#s += far32[i / 5 * 5 + i % 5 + 1];",
      "#s += rotate(@word, 7u) ^ popcount(@word);",
      "#s += (uint)(uchar)((far8[i] + far8[i + 1] + 1) >> 1);",
      "#s += abs_diff(far8[i], far8[i + 3]);",
      "#s += (uint)min(abs((int)far8[i] - (int)far8[i + 1]) + abs((int)far8[i + 2] - (int)far8[i + 1]), "
      "255u);",
      "for (int #k = 0; #k < 20; ++#k) {\n#s ^= #s << 13;\n#s ^= #s >> 17;\n#s ^= #s << 5;\n}",
      "uint4 #v = vload4(i, far32);\n#v = #v * 3u + #v.yxwz;\n#s += #v.x ^ #v.w;",
      "uint2 #v = vload2(i, far32);\n#s += #v.x * #v.y;",
      "uchar4 #v = vload4(i, far8);\n#s += (uint)#v.x + #v.z;",
      "#s += far32[i * 3] ^ far32[i * 3 + 1] ^ far32[i * 3 + 2];",
      "volatile uint #x = #s;\n#x += @word;\n#s = #x * 3;",
      "#s = min(#s, 1000u) + far32[min(#s, (uint)n)];",
      "#s += sin((float)@word * 1e6f) > 0 ? 1 : 2;",
      "#s += cos((float)i * 1e9f) > 0 ? 1 : 2;",
      "#s += far32[min((uint)i + 3u, (uint)n - 1u)];"},
     Use::statement},
    {"word", {"far32[i]", "far32[n + i]", "far32[i + 1]", "(uint)far8[i * 4]", "#s"}},
    {"long", {"((global const ulong*)far32)[i]", "((ulong)far32[i] << 20)", "(ulong)(i * 77)"}},
    {"stores",
     {"@made 2 * i] = far32[i];\n@made 2 * i + 1] = far32[n + i];",
      "vstore4(vload4(i, far32) + 1u, i, &@made 0]);", "@made i] = far32[i] + far32[n + i];",
      "@made i * 8 + (far8[i] & 7)] = far32[i];",
      "((global uchar*)&@made 0])[i * 9 + far8[i] % 9] = far8[i + 1];",
      "((global uchar*)&@made 0])[i] = (uchar)((far8[i] + far8[i + 1] * 2 + far8[i + 2] + 2) >> 2);",
      "((global uchar*)&@made 0])[i] = (uchar)abs((int)far8[i] - (int)far8[i + 1]);",
      "((global uchar*)&@made 0])[i] = (uchar)((far8[i] + far8[i + 1] * 2 + 2) / 3);",
      "((global ushort*)&@made 0])[i] = (ushort)(far8[i] * far8[i + 1]);",
      "((global ulong*)&@made 0])[i] = @long * 3u;",
      "((global float*)&@made 0])[i] = (float)far8[i] * 0.5f + 1.0f;", "@made (i ^ 1)] = far32[i];",
      "@made (i ^ @bit)] = far32[i];",
      "@made i * 7] = far32[i * 7];\n@made i * 7 + 3] = far32[i * 7 + 4];\n@made i * 7 + 6] = far32[i * 7 + "
      "1];"}},
};

const Rules in_planes = {
    {"products", {"@plane", "@plane", "@plane", "@plane", "@plane", "@plane", "@plane", "@plane"}},
    {"plane",
     {"{\n@type #s = 0;\n@rows\n@made@place] = (uint)#s;\n}",
      "{\n@type #s = 0;\n@rows\n@rows\n@made@place] = (uint)#s;\n}",
      "if (@who) {\n@type #s = 0;\n@rows\n@made@place] = (uint)#s;\n}", "@made@place] = far32[y * sx + x];",
      "@made@place] = far32[x * sy + y] + far32[y * sx + x];"}},
    {"rows", {"@row", "@row", "@whole_row"}, Use::statement},
    {"whole_row",
     {"for (@int #k = 0; #k < sx; ++#k) #s += (@type)far8[y * 16 + #k] * (@type)(far8[#k * sx + x] & 3);"}},
    {"row",
     {"for (@int #k = 0; #k < @length; ++#k) #s += (@type)(far8[y * 16 + #k] & 7) * (@type)(far8[#k * sx + "
      "x] & 7);",
      "for (@int #k = 0; #k < sx; ++#k) #s += (@type)(far8[y * sx + #k] & 7) * (@type)(far8[#k * sx + x] & "
      "7);",
      "for (@int #k = 0; #k < sx; ++#k) #s += (@type)(far32[y * sx + #k] & 63u) * (@type)(far32[#k * 16 + x] "
      "& 63u);",
      "for (@int #k = 0; #k < sx; ++#k) #s += (@type)(far32[y * sx + #k] & 63u) * (@type)(far32[x * 16 + #k] "
      "& 63u);",
      "for (int #k = -1; #k <= 1; ++#k) for (int #j = -1; #j <= 1; ++#j) #s += (@type)(far8[clamp(y + #k, 0, "
      "sy - 1) * sx + clamp(x + "
      "#j, 0, sx - 1)] & 7);",
      "for (@int #k = 0; #k < sy; ++#k) #s += (@type)(far8[#k * sx + x] & 7);",
      "#s += (@type)(far32[x * sy + y] & 7u);"}},
    {"place", {"(@z * sy + y) * sx + x", "(@z * sy + y) * sx + x", "(@z * sx + x) * sy + y", "i"}},
};

/// Arithmetic in `half` with numbers that `half` represents: at most one operation rounds each number.
const Rules with_half = {
    {"products",
     {"{\nuint #s = 0;\nhalf #h = (half)(far8[i] & 63) * (half)0.25f;\n@halves\n@halves\n@made@mine] = "
      "#s;\n}"}},
    {"halves",
     {"#s += (uint)floor(#h);", "#s += (uint)rint(#h) * 3u;", "#h = fmax(#h, (half)(far8[i + 1] & 15));",
      "#h = fmin(#h + (half)1, (half)9);", "#h = fma(#h, (half)2, (half)1);\n#s += (uint)#h;",
      "#h = trunc(#h * (half)0.5f);\n#s += (uint)#h;"},
     Use::statement},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace

Node Generator::product() {
  if (made_parts_ == most_made_parts) return store();
  Phrases texts = phrases(rules);
  if (dimensions_ > 1) texts.add(in_planes);
  if (uses_half_) texts.add(with_half);
  texts.let("made", part_of_made());
  return texts.statement("products");
}

} // namespace differential
