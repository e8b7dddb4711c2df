// Accesses whose strides the compiler knows: no index is masked, because the buffers are large enough for all indices.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Use = Rule::Use;

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
const Rules rules = {
    {"strides",
     {"{\nuint #s = @first;\n@sum\n@made@mine] = #s;\n}",
      "{\nuint #s = 1;\n@sum\nif (@who) @made@mine] = #s;\n}",
      "if (@who) {\nuint #s = 0;\n@sum\n@made@mine] = #s;\n}",
      "{\nuint #s = 0;\nif (@who) @sum\nelse @sum\n@made@mine] = #s;\n}",
      "{\nuint #s = 0;\n@sum\n@sum\n@made@mine] = #s;\n}",
      "{\nuint #e, #s = 0;\n@leave\n@sum\n@made@mine] = #s + #e;\n}", "@spread", "@spread",
      "if (@who) @spread", "{\nconst @int #g = @id;\nuint #s = 0;\n@near\n@made@mine] = #s;\n}"}},
    {"sum", {"{\n@loop\n}"}, Use::statement},
    {"loop",
     {"for (@int #k = 0; #k < @count; ++#k) @step", "for (@int #k = 0; #k < @count; ++#k) @step",
      "for (int #k = per - 1; #k >= 0; --#k) @step", "for (uint #k = (uint)per; #k-- > 0;) @step",
      "for (long #k = @count; #k > 0; --#k) @step", "int #k = 0;\ndo @step\nwhile (++#k < per);",
      "for (int #k = 0; #k < per; #k += 2) @step", "for (@int #k = @id; #k < 4 * n; #k += n) @direct",
      "for (@int #k = i; #k < 3 * n + 2; #k += n * (int)unit) @direct",
      "for (int #k = 4 * n - 1 - i; #k >= 0; #k -= n) @direct",
      "for (int #k = 1; #k <= n; #k <<= 1) #s += far32[#k + i];",
      "for (int #k = i; #k >= 0; #k -= 64) @direct",
      "global const @element* #p = (global const @element*)far32 + i;\nfor (int #k = 0; #k < per; ++#k, #p "
      "+= n) #s = #s * 3 + "
      "(uint)*#p;",
      "global const uchar* #p = far8 + i * 16;\nfor (global const uchar* #z = #p + per * 2; #p < #z; ++#p) "
      "#s += *#p;",
      "global const uint* #p = far32 + i * 8 + per;\nfor (int #k = 0; #k < per; ++#k) #s += *--#p;",
      "for (int #k = 0; #k < 3; ++#k) for (int #j = 0; #j < @count; ++#j) @nested",
      "for (int #d = -2; #d <= 2; ++#d) {\nconst int #q = i + #d;\nif (#q >= 0 && #q < n) #s += "
      "far32[#q];\n}",
      "for (int #d = -2; #d <= 2; ++#d) #s = #s * 3 + far32[@clamped];"}},
    {"step",
     {"#s += @read;", "#s += @read;", "#s = #s * 3 + @read;", "#s ^= @read;", "if (@read & 1) #s += @read;",
      "{\n#s += @read;\n#s ^= @read;\n}", "#s = max(#s, @read);",
      "{\nif ((@read & 31) == 7) break;\n#s += @read;\n}",
      "{\nif (@read % 5u == 2) continue;\n#s += @read;\n}", "#s += @read * @read;"}},
    {"direct", {"#s += far32[#k];", "#s = #s * 3 + far8[#k];", "#s += far32[#k] ^ far8[#k + 3];"}},
    {"nested",
     {"#s += far32[(#k * 2 + #j) * n + i];", "#s += far8[i * 8 + #k * 2 + #j];",
      "#s ^= far32[#k * n + i + #j];"}},
    {"read",
     {"far32[@at]", "far32[@at]", "(uint)far8[@at]", "(uint)((global const ushort*)far32)[@at]",
      "(uint)((global const long*)far32)[@near_at]"}},
    {"element", {"uint", "uchar", "short", "uint"}, Use::once},
    // Indices that depend on an induction variable #k below 9. They are less than 9 * n + 300, or less than 16 * n.
    {"at",
     {"#k * n + i", "#k * n + i", "#k * (int)get_global_size(0) + i", "i * per + #k", "i * 8 + #k",
      "i * 15 + #k", "i + #k", "#k * n + (n - 1 - i)", "(8 - #k) * n + i", "(i + #k) * 2",
      "(n - 1 - i) * 8 + #k", "(uint)#k * (uint)n + (uint)i", "(size_t)#k * n + id", "(#k * n + i) * 1u",
      "#k", "#k * 3 + 1", "i"}},
    {"near_at", {"i + #k", "i * 4 + #k / 2", "#k * 5", "#k * (n / 4) + i"}},
    {"clamped",
     {"clamp(i + #d, 0, n - 1)", "max(i + #d, 0)", "min(i + 2 + #d, n - 1)", "abs(i + #d)",
      "(i + #d + n * 2) % n", "i + #d < 0 ? 0 : i + #d", "(i + 2 + #d) & 127"}},
    {"near",
     {"if (#g >= 2 && #g < n - 2) #s += far32[#g - 2] + far32[#g + 2];", "if (#g > 0) #s += far8[#g - 1];",
      "if (#g < n) #s = far32[#g * 3] + far32[#g * 3 + 1] * 3 + far32[#g * 3 + 2];",
      "if (#g >= 5 && #g < n) #s = far32[#g - 5];", "#s = far32[#g] - far32[#g + 1];",
      "for (@int #k = #g; #k < #g + 5; ++#k) #s += far32[#k];"}},
    {"spread",
     {"for (@int #k = 0; #k < @count; ++#k) @made@to] @set @read;",
      "for (int #k = per - 1; #k >= 0; --#k) @made@to] = @read;",
      "for (@int #k = @count; #k-- > 0;) if (@who) @made@to] = @read;",
      "for (@int #k = i; #k < 8 * n; #k += n) @made#k] @set far32[#k] + 1u;"}},
    {"set", {"=", "=", "+=", "^="}},
    {"to", {"#k * n + i", "i * 8 + #k", "(7 - #k) * n + i", "#k * n + (n - 1 - i)", "(n - 1 - i) * 8 + #k"}},
    {"mine",
     {"i", "i", "i", "id", "n - 1 - i", "slot", "i * 8", "i * 3 + 1", "2 * n + i", "(size_t)i * 8 + 7"}},
};

const Rules in_planes = {
    {"mine", {"(@z * sy + y) * sx + x", "(@z * sx + x) * sy + y"}},
    {"at",
     {"y * sx + x", "x * sy + y", "(y + #k) * sx + x", "(x + #k) * sy + y", "(sy - 1 - y) * sx + x + #k",
      "y * sx + #k", "#k * sx + x", "(y * sx + x) * 4 + #k"}},
    {"near",
     {"if (x > 0 && y > 0 && x < sx - 1) #s += far32[(y - 1) * sx + x - 1] + far32[y * sx + x + 1];",
      "for (int #k = 0; #k < sx; ++#k) #s += far32[y * sx + #k];",
      "for (int #k = 0; #k < sy; ++#k) #s += far32[#k * sx + x];"}},
};

const Rules in_groups = {
    {"at",
     {"get_group_id(0) * get_local_size(0) + get_local_id(0) + #k", "lid * per + #k", "#k * lsize + lid",
      "lid + #k * 33"}},
    {"loop", {"for (@int #k = lid; #k < 200; #k += lsize) @direct"}},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace

Node Generator::strides() {
  if (made_parts_ == most_made_parts) return store();
  Phrases texts = phrases(rules);
  if (dimensions_ > 1) texts.add(in_planes);
  if (sees_groups_) texts.add(in_groups);
  texts.let("made", part_of_made());
  return texts.statement("strides");
}

} // namespace differential
