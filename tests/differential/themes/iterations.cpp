// Nests of loops in which work-items reach one barrier equally often, but in different iterations. Compilers make such
// nests: clang 15 turns one loop into two nested loops, of which the inner one has a trip count that differs between
// work-items.

#include "differential/generator.hpp"

namespace differential {

namespace {

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
/// The inner loop ends so that each work-item runs #count barriers in #rounds iterations of the outer loop. The
/// variables #k, #l and #r look uniform, because only constants and arguments are added to the variables.
const Rules rules = {
    {"nest",
     {"{\nconst int #rounds = 2 + (int)(m & 1u) + @few, #count = #rounds + @few;\nuint #x = (uint)i * "
      "2654435761u + 12345u, "
      "#s = 0, #k = 0, #l = 1;\nint #c = 0, #r = 0;\nfor (;;) {\n@op\ndo {\n@op\n@fence\n++#c;\n#x = #x * "
      "1664525u + "
      "1013904223u;\n@op\n#s = #s * 31 + #k * 3 + #l * 5 + (uint)#r;\n} while (!(#c == #count || (#r < "
      "#rounds - 1 && "
      "(@leave || #count - #c <= #rounds - 1 - #r))));\n@op\nif (++#r == #rounds) break;\n}\n@result\n}"}},
    {"few", {"0", "1", "2", "4"}},
    {"fence",
     {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);",
      "barrier(CLK_LOCAL_MEM_FENCE);\nconst uint #v = #k % (77u + m);\nbarrier(CLK_LOCAL_MEM_FENCE);\n#s ^= "
      "#v;",
      "exchange[lid] = #s;\nbarrier(CLK_LOCAL_MEM_FENCE);\n#s ^= exchange[(lid + 1) % lsize];\n"
      "barrier(CLK_LOCAL_MEM_FENCE);"}},
    {"leave", {"(#x >> 13 & 1u)", "(#x >> 17 & 1u)", "(#c & 3) == (i & 3)", "(#c ^ lid) % 3 == 0"}},
    {"op", {"@change", "@change\n@change", "@change\n@change\n@change", ";"}},
    {"change",
     {"#k += 1;", "#l += 3;", "#k = #k * 3 + 7;", "#l ^= #k + 1;", "#k += (uint)#r * 5;", "#s += #k * 9;",
      "#s += #l * m;", "#l = (uint)in32[#k & 31];", "if (#k & 2) #l += m;",
      "do {\n#x = #x * 1664525u + 1013904223u;\n#k += 1;\n} while (#x >> 20 & 1u);",
      "while (#x >> 20 & 1u) {\n#x = #x * 1664525u + 1013904223u;\n#s += #l;\n}"},
     Rule::Use::statement},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace

Node Generator::iterations() {
  Phrases texts([this](unsigned limit) { return below(limit); },
                [this](const char* stem) { return fresh(stem); });
  texts.add(rules);
  texts.let("result", leave("#s"));
  return texts.statement("nest");
}

} // namespace differential
