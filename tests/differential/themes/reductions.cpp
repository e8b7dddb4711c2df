// Tree reductions and scans in local memory. Their trip count is uniform, but the offset between the combined elements may
// differ between work-items.

#include "differential/generator.hpp"

#include <cstring>

namespace differential {

namespace {

/// How an element N is combined with another one, F. `kinds` are the kinds of types for which the result is the same in any
/// order: unsigned (u), signed (s), floating (f).
struct Operation {
  const char *text, *kinds;
};
// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
constexpr Operation operations[] = {
    {"N += F;", "usf"},        {"N += F;", "usf"},
    {"N = F + N;", "usf"},     {"N ^= F;", "us"},
    {"N |= F;", "us"},         {"N &= F;", "us"},
    {"N = max(N, F);", "usf"}, {"N = min(F, N);", "usf"},
    {"N = F * N;", "u"},       {"N = N > F ? N : F;", "usf"},
    {"N -= F;", "us"},
};
constexpr const char* types[] = {"uint", "uint", "int", "long", "ulong", "float"};

constexpr unsigned elements = 512; ///< twice as many as the largest group has work-items

/// Offsets are at most 256 and groups have at most 256 work-items, so all accesses are within the array. In one iteration, no
/// work-item reads an element that another one writes: where offsets differ, even-numbered work-items have an even offset o
/// and odd-numbered ones o + 1, so that work-items write below o and read from o on.
const Rules rules = {
    {"reductions",
     {"{\nconst @index #l = @l;\nuint #e = 32, #u = 9;\n@offsets\nfor (@index #q = #l; #q < 512; #q += "
      "@size) @a[#q] = @value;\n"
      "@trees\n@made@mine] = @result;\nbarrier(CLK_LOCAL_MEM_FENCE);\n}"}},
    {"index", {"int", "uint", "size_t"}},
    {"wait", {"barrier(CLK_LOCAL_MEM_FENCE);"}},
    {"offsets", {"", "@leave", "@leave", "do #u += 8;\nwhile (#u < m * 16u);"}, Rule::Use::statement},
    {"even", {"20", "32", "64", "100", "128", "max(lsize / 4, 1) * 2", "max(lsize / 4, 1) * 2"}},
    {"trees", {"@tree", "@tree", "@tree\n@tree"}},
    {"tree",
     {"@wait\nfor (@index #o = @half; @halving) {\n@half_step\n@wait\n}",
      "@wait\nfor (@index #o = @half; @halving) {\n@half_step\n@wait\n}",
      "for (@index #o = @half; @halving) {\n@wait\n@half_step\n}\n@wait",
      "@wait\n@index #o = @half;\ndo {\n@half_step\n@wait\n} while ((#o >>= 1) > 0);",
      "@wait\nfor (@index #o = 1; #o < @end; @doubling) {\n@double_step\n@wait\n}",
      "for (@index #o = 1; #o < @end; @doubling) {\n@wait\n@double_step\n}\n@wait",
      "@wait\nfor (@index #o = 1; #o < @end; @doubling) {\nconst @type #v = #l >= #o ? @a[#l - #o] : "
      "@a[#l];\n@wait\n@scanned\n@wait\n}",
      "@wait\n@sweeps"}},
    {"halving", {"#o > 0; #o >>= 1", "#o > 0; #o /= 2", "#o != 0; #o >>= 1", "#o > 1; #o = #o / 2"}},
    {"half",
     {"lsize / 2", "lsize >> 1", "get_local_size(0) / 2", "16", "128", "256", "33", "100", "7",
      "(lsize + 1) / 2", "min(lsize, 64)", "128 * unit", "per * 4", "#e", "#e", "#e", "#e", "#e", "#e"}},
    {"half_step",
     {"if (#l < #o) @far", "if (#l < #o) @far", "if (#l < #o && #l + #o < lsize) @far",
      "if (#o > #l) {\n@far\n}", "if (#l >= #o) ;\nelse @far"}},
    {"doubling", {"#o *= 2", "#o <<= 1", "#o += #o"}},
    {"end", {"lsize", "lsize", "64", "256", "per * 8", "far8[3]", "#u", "128 * unit"}},
    {"double_step",
     {"if (#l % (2 * #o) == 0) @far", "if (#l % (2 * #o) == 0) @far", "if ((#l & (2 * #o - 1)) == 0) @far",
      "{\nconst @index #x = 2 * #o * #l;\nif (#x < 256) @indexed\n}"}},
    {"sweeps",
     {"for (@index #o = 1; #o < 256; #o <<= 1) {\nconst @index #x = (#l + 1) * 2 * #o - 1;\nif (#x < 256) "
      "@up\n@wait\n}\n"
      "for (@index #o = 128; #o > 0; #o >>= 1) {\nconst @index #x = (#l + 1) * 2 * #o - 1;\nif (#x + #o < "
      "256) @down\n@wait\n}"}},
    {"value",
     {"(@type)(far8[i + #q] & 7)", "(@type)(far8[#q] & 7)", "(@type)(far32[group * 5 + #q] & 7u)",
      "(@type)((#q * 7 + i) & 7)"}},
    {"result", {"(uint)@a[#l]", "(uint)@a[0]", "(uint)@a[#l] + (uint)@a[#l + 1] * 3u", "(uint)@a[255 - #l]"}},
    {"mine", {"i", "n - 1 - i", "slot"}},
};

/// In kernels of one dimension, odd-numbered work-items may have another offset than even-numbered ones.
const Rules in_lines = {{
    "offsets",
    {"#e = @even - 1;\nuint #w = 0;\ndo {\n#e += unit;\n#w = #w * 5 + 1;\n} while (#w < (#l & 1) * 3);",
     "#e = @even - 1;\nuint #w = 0;\ndo {\n#e += 1;\n#w = #w * 5 + 1;\n} while (#w < (#l & 1) * 3);",
     "#e = @even;\nfor (uint #w = 0; #w < (#l & 1); ++#w) #e += unit;", "#e = @even + (#l & 1);"},
}};

const Rules in_planes = {
    {"half_step",
     {"if (lx < #o && lx + #o < get_local_size(0)) @far",
      "if (lx < #o && lx + #o < get_local_size(0)) @far"}},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

std::string combined(std::string form, const std::string& near, const std::string& far) {
  std::string text;
  for (const char c : form)
    text += c == 'N' ? near : c == 'F' ? far : std::string(1, c);
  return text;
}

} // namespace

Node Generator::reduction() {
  if (made_parts_ == most_made_parts) return store();
  Phrases texts = phrases(rules);
  texts.add(dimensions_ == 1 ? in_lines : in_planes);
  const std::string type = types[below(std::size(types))];
  Operation operation = operations[below(std::size(operations))];
  while (!std::strchr(operation.kinds, scalar_type(type).kind))
    operation = operations[below(std::size(operations))];
  const std::string array = type == "uint" && chance(40) ? "pairs" : local_array(type, elements),
                    at = array + "[";
  texts.let("how_often", "@times_of_all");
  texts.let("a", array);
  texts.let("type", type);
  texts.let("far", combined(operation.text, at + "#l]", at + "#l + #o]"));
  texts.let("scanned", combined(operation.text, at + "#l]", "#v"));
  texts.let("indexed", combined(operation.text, at + "#x]", at + "#x + #o]"));
  texts.let("up", combined(operation.text, at + "#x]", at + "#x - #o]"));
  texts.let("down", combined(operation.text, at + "#x + #o]", at + "#x]"));
  texts.let("made", part_of_made());
  return texts.statement("reductions");
}

} // namespace differential
