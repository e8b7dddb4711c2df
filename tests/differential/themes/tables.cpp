// Histograms and the like: loops of atomic updates fill a table in local memory, which the group initialises before and adds to
// a global table afterwards, or a table in global memory. The loops have guards of many forms, and their start, end and step
// may be temporally divergent values of earlier loops.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Use = Rule::Use;

/// The updates of a table, and the statement that merges entry #q of a local table with the global table.
struct Operation {
  const char *start, *merge, *global;
  bool is_for_signed; ///< whether the result has the same bits for signed numbers
  std::vector<std::string> updates;
};
// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
const Operation operations[] = {
    {"0",
     "if (@t[#q] != 0) atomic_add(&tally[#q], (uint)@t[#q]);",
     "tally",
     true,
     {"atomic_inc(&@t[@key]);", "atomic_inc(&@t[@key]);", "atomic_add(&@t[@key], @amount);",
      "atomic_sub(&@t[@key], @amount);", "atomic_dec(&@t[@key]);",
      "atomic_fetch_add_explicit((volatile @space atomic_uint*)&@t[@key], @amount, memory_order_relaxed, "
      "memory_scope_device);"}},
    {"0",
     "atomic_max(&tally[256 + #q], @t[#q]);",
     "(tally + 256)",
     false,
     {"atomic_max(&@t[@key], @amount);"}},
    {"0",
     "atomic_or(&tally[512 + #q], (uint)@t[#q]);",
     "(tally + 512)",
     true,
     {"atomic_or(&@t[@key], @amount);"}},
    {"0",
     "atomic_xor(&tally[768 + #q], (uint)@t[#q]);",
     "(tally + 768)",
     true,
     {"atomic_xor(&@t[@key], @amount);"}},
    {"~0u",
     "atomic_min(&tally[1024 + #q], @t[#q]);",
     "(tally + 1024)",
     false,
     {"atomic_min(&@t[@key], @amount);"}},
    {"~0",
     "atomic_and(&tally[1280 + #q], (uint)@t[#q]);",
     "(tally + 1280)",
     true,
     {"atomic_and(&@t[@key], ~(@amount));"}},
};

constexpr unsigned sizes[] = {16, 64, 100, 256, 256};

/// #x is an index of `far8` and `far32`, #e the last value of an earlier loop.
const Rules rules = {
    {"filled",
     {"{\nuint #e = "
      "1;\n@before\n@zero\nbarrier(CLK_LOCAL_MEM_FENCE);\n@guarded\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
      "@read_back\nbarrier(CLK_LOCAL_MEM_FENCE);\n}"}},
    {"filled_in_memory", {"{\nuint #e = 1;\n@before\n@guarded\n}"}},
    {"before",
     {"", "", "@leave", "@search", "do ++#e;\nwhile (#e < (uint)per);",
      "for (uint #w = 0; #w < m; ++#w) #e += 2;"},
     Use::statement},
    {"zero",
     {"for (uint #q = @l; #q < @entries; #q += @size) @t[#q] = @start;",
      "for (int #q = (int)@l; #q < @entries; #q += (int)@size) @t[#q] = @start;"}},
    {"read_back",
     {"for (uint #q = @l; #q < @entries; #q += @size) @merge",
      "for (int #q = (int)@l; #q < @entries; #q += (int)@size) @merge"}},
    {"guarded",
     {"@divergent", "@divergent", "@divergent", "@divergent", "@walks", "if (@who) @walks",
      "if (@who) @walks", "if (@who && @who) @walks", "if (@who || @who) @walks",
      "if (@who) {\nif (@who) @walks\n@walks\n}", "if (@who) @walks\nelse @walks",
      "do {\nif (@who) break;\n@walks\n} while (0);",
      "switch ((i ^ @turn) & 3) {\ncase 1:\n@walks\nbreak;\ncase 2:\nbreak;\ndefault:\n@walks\n}",
      "for (int #o = 0; #o < 2; ++#o) if (@who) @walks", "if (@who) goto #skip;\n@walks\n#skip:;",
      "if (#e > 1u) @walks",
      "if (@who)\nfor (int #o = 0; #o < @count; ++#o) {\nif (far8[i + #o] > 128) continue;\n@walks\n}"}},
    // The trip count is uniform and not known to the compiler, but only some work-items reach the loop.
    {"divergent",
     {"if (@who) for (@int #k = 0; #k < per; ++#k) @many",
      "if (@who) for (@int #k = 0; #k < per; ++#k) {\nconst int #x = #k * n + i;\n@hit\n}"}},
    {"turn", {"0", "n", "(int)m", "(int)far8[9]"}},
    {"walks", {"{\n@walk\n}", "{\n@walk\n}", "{\n@walk\n@walk\n}"}},
    {"walk",
     {"for (@int #k = 0; #k < @count; ++#k) @many", "for (@int #k = 0; #k < @count; ++#k) @many",
      "for (int #k = per - 1; #k >= 0; --#k) @many", "for (uint #k = 0; #k < (#e & 7u); ++#k) @many",
      "int #k = 0;\ndo @many\nwhile (++#k < per);", "int #k = 0;\ndo @many\nwhile (++#k < (int)@how_often);",
      "for (@int #x = @id; #x < @end; #x += @step) @each",
      "for (@int #x = @id; #x < @end; #x += @step) @each",
      "for (uint #x = i; #x < 900u; #x += @stride) @each", "for (uint #x = #e; #x < 300u; #x += 64) @each"},
     Use::statement},
    {"end",
     {"4 * n", "4 * n - 3", "n + 7", "300", "(int)(m * 40u + 9u)", "(int)#e * 4", "(int)far8[7] * 3",
      "2 * n"}},
    {"step", {"n", "n * (int)unit", "n + 3", "(int)(64u * #e)", "n + (int)#e"}},
    {"stride", {"64u * #e", "32u", "64u * unit", "#e * 8u", "16u + #e"}},
    {"many", {"{\nconst @index #x = @at;\n@hits\n}"}},
    {"index", {"int", "int", "uint", "size_t", "long"}},
    {"hits", {"@hit", "@hit", "@hit\n@hit", "if (@who) @hit", "if (far32[#x] & 1u) continue;\n@hit"}},
    {"each", {"@hit", "@hit", "if (far8[#x] > 99) @hit", "{\n@hit\n@hit\n}"}},
    {"at",
     {"#k * n + i", "#k * n + i", "#k * n + get_global_id(0)", "#k * (int)get_global_size(0) + i",
      "i * per + #k", "i * 15 + #k", "#k * n + n - 1 - i", "i + #k", "(uint)#k * (uint)n + (uint)i"}},
    {"amount", {"1u", "3u", "(uint)#x + 1u", "(uint)i", "far32[i]", "unit", "#e", "far32[i + 5] & 255u"}},
};

const Rules in_groups = {
    {"walk",
     {"for (int #x = lid; #x < n; #x += lsize) @each",
      "for (uint #x = get_local_id(0); #x < 500u; #x += @stride) @each",
      "for (uint #x = get_local_id(0); #x < 500u; #x += @size) @each",
      "for (uint #x = get_local_id(0); #x < 40u * #e; #x += 32u) @each",
      "for (uint #x = get_local_id(0) + #e; #x < 300u; #x += 64u) @each",
      "for (uint #x = lid * 2; #x < 700u; #x += 128) @each"}},
    {"at", {"#k * lsize + lid", "#k * 64 + lid", "#k * 64 + get_local_id(0)", "group * 8 + #k"}},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

/// Indices of a table with `entries` entries, most of which are computed from what the kernel reads at #x.
std::vector<std::string> keys(unsigned entries) {
  const std::string size = std::to_string(entries), mask = std::to_string(entries - 1);
  const bool is_power = (entries & (entries - 1)) == 0;
  const std::string byte = entries == 256 ? "far8[#x]"
                           : is_power     ? "far8[#x] & " + mask
                                          : "far8[#x] % " + size;
  return {byte, byte, is_power ? "far32[#x] & " + mask + "u" : "far32[#x] % " + size + "u", "far8[#x] & 7",
          "5"};
}

} // namespace

/// Texts for a statement that fills a table in local memory, or in global memory.
Phrases Generator::table_phrases(bool is_local) {
  const Operation& operation = operations[below(std::size(operations))];
  const unsigned entries = pick(std::span<const unsigned>(sizes));
  Phrases result = phrases(rules);
  if (sees_groups_) result.add(in_groups);
  result.add({{"hit", operation.updates}, {"key", keys(entries)}});
  result.let("start", operation.start);
  result.let("merge", operation.merge);
  result.let("entries", std::to_string(entries));
  result.let("space", is_local ? "local" : "global");
  const char* type = operation.is_for_signed && chance(30) ? "int" : "uint";
  result.let("t", is_local ? local_array(type, entries) : operation.global);
  return result;
}

Node Generator::filled_table() {
  const bool is_local = chance(75);
  return table_phrases(is_local).statement(is_local ? "filled" : "filled_in_memory");
}

} // namespace differential
