// Temporally divergent values: values of loops that work-items leave after different iterations, used after the loop. Uses are
// the start, end and step of other loops, addresses, strides, conditions, and operands of atomics.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Use = Rule::Use;

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
/// #e is the last value of a loop, 1 to 63. #s is the sum that the kernel writes in the end.
const Rules rules = {
    {"exits",
     {"{\nuint #e = 1, #s = "
      "0;\n@left\n@zero\nbarrier(CLK_LOCAL_MEM_FENCE);\n@use\n@use\nbarrier(CLK_LOCAL_MEM_FENCE);"
      "\n@read_back\nbarrier(CLK_LOCAL_MEM_FENCE);\n@made@mine] = #s;\n}"}},
    {"exits_in_memory",
     {"{\nuint #e = 1, #s = 0;\n@left\n@use\n@use\n@use\n@made@mine] = #s;\n}",
      "{\nuint #e = 1, #s = 0;\nif (@who) {\n@left\n}\n@use\n@use\n@made@mine] = #s;\n}"}},
    {"left",
     {"@leave", "@leave", "@leave", "@late", "@late", "@late", "@late", "@search",
      "@leave\n#s = #e;\n@leave"},
     Use::statement},
    {"use", {"@used", "@used", "@used", "if (@who) @used", "if (#e > @more + 3u) @used\nelse @used"}},
    {"used", {"{\n@one_use\n}"}, Use::statement},
    {"one_use",
     {"for (uint #x = @from; #x < @to; #x += @by) @act",
      "for (uint #x = @from; #x < @to; #x += @by) @act",
      "for (uint #x = @from; #x < @to; #x += @by) @act",
      "for (int #k = (int)#e - 1; #k >= 0; --#k) @down",
      "for (int #k = (int)#e - 1; #k >= 0; --#k) @down",
      "@walk",
      "#s += @seen;",
      "#s += @seen;",
      "#s = #s * 5 + @seen;",
      "#s = #e > 12u ? #s * 3 : far32[#e + i];",
      "while (#e > 3u) {\n#e -= 3;\n#s += far32[i + #e];\n}",
      "switch (#e & 3u) {\ncase 0:\n#s += far32[i];\nbreak;\ncase 2:\n#s ^= 77u;\ndefault:\n#s += #e;\n}",
      "const uint #x = #e;\n@hit",
      "@walked",
      "@walked",
      "@walked",
      "@walked",
      "@walked",
      "@walked",
      "uint #own[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n#own[#e & 7u] += #e;\n#s += #own[3] + #own[#e / 8u];",
      "@leave\n#s += far32[i + #e];"}},
    // A loop without a guard: no phi after the loop merges its value with another one.
    {"late",
     {"#e = @first;\nuint #w = 0;\ndo {\n#e += @more;\n#w = #w * 5 + 1;\n} while (#w < @times * 3);"}},
    {"walked",
     {"for (uint #x = @row; #x < 300u; #x += #e * 16u) @hit",
      "for (uint #x = @row; #x < 300u; #x += #e) @hit",
      "for (uint #x = @row; #x < 100u + #e * 4u; #x += 64u * unit) @hit"}},
    {"row", {"get_global_id(0)", "(uint)i"}},
    {"from", {"get_global_id(0)", "get_global_id(0)", "i", "#e", "i + #e", "(uint)i * 2u"}},
    {"to", {"300u", "300u", "200u + #e", "#e * 9u", "400u + (uint)per"}},
    {"by", {"#e", "#e * 3u", "#e * unit", "64u * #e", "32u", "#e + unit"}},
    {"act",
     {"@hit", "@hit", "#s += far32[#x];", "#s = #s * 3 + far8[#x];", "if (far8[#x] > 50) @hit",
      "{\n#s ^= far32[#x];\n@hit\n}"}},
    {"down", {"{\nconst uint #x = (uint)#k * 64u + (uint)i;\n@act\n}", "#s += far32[#k * 64 + i];"}},
    {"seen",
     {"far32[#e]", "far32[i + #e]", "far32[i * 2 + #e]", "far8[#e * 64 + i]", "#e * 7u",
      "far32[i * 3 + #e / 2]", "far32[#e * 4 + 1]"}},
    {"mine", {"i", "n - 1 - i", "slot", "i * 2 + 1"}},
};

const Rules in_groups = {
    {"row", {"get_local_id(0)", "get_local_id(0)", "lid"}},
    {"from", {"get_local_id(0)", "get_local_id(0)", "lid + #e", "lid * 2"}},
    {"down", {"{\nconst uint #x = #k * lsize + lid;\n@act\n}", "#s += far32[#k * lsize + lid];"}},
    {"seen", {"far32[lid * #e]", "far8[#e * lsize + lid]", "far32[lid * #e + 3]"}},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace

Node Generator::exits() {
  if (made_parts_ == most_made_parts) return store();
  const bool is_local = chance(60);
  Phrases texts = table_phrases(is_local);
  texts.add(rules);
  if (sees_groups_) texts.add(in_groups);
  texts.let("made", part_of_made());
  return texts.statement(is_local ? "exits" : "exits_in_memory");
}

} // namespace differential
