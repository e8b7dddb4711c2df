// Rules that several themes use: guards, indices, and values of loops that are used after the loop.

#include "differential/generator.hpp"

namespace differential {

namespace {

using Use = Rule::Use;

/// The kernel's arguments `per`, 3 to 8, `m`, 0 to 3, and `unit`, 1, are values that the compiler does not know.
const Rules in_all_kernels = {
    {"int", {"int", "int", "uint", "long", "ulong", "size_t"}},
    {"count", {"per", "per", "8", "5", "(int)(m + 2u)"}},
    {"id", {"i", "i", "id", "get_global_id(0)", "(int)get_global_id(0)", "(uint)get_global_id(0)"}},
    {"who",
     {"i < n - 5", "i >= 5", "i & 1", "(i & 1) == 0", "i % 3 == 1", "i < n / 2", "far8[i] > 100",
      "in32[i] < 7", "!(i & 2)", "i != 3", "get_global_id(0) < 40", "(uint)i - 3u < 20u", "m == 1u", "n > 20",
      "i < (int)far8[3]", "@who && @who", "@who || @who"},
     Use::condition},
    // Trip counts from 0 to 3, which may be divergent; @times_of_all is uniform.
    {"times",
     {"(i & 1)", "(i & 1)", "(i & 3)", "(uint)(i % 3)", "(far8[i] & 1)", "(far32[i] & 3u)", "m",
      "(per & 1)"}},
    {"times_of_all", {"m", "m", "(per & 1)", "(far8[5] & 3)", "1", "2"}},
    {"first", {"0", "1", "3", "7", "unit"}},
    {"more", {"1", "2", "4", "8", "16", "unit", "unit * 4u", "(uint)per"}},
    // A loop that leaves a value from 1 to 63 in #e. The value is temporally divergent if @how_often is divergent.
    {"leave",
     {"#e = @first;\nuint #w = 0;\ndo {\n#e += @more;\n#w = #w * 5 + 1;\n} while (#w < @how_often * 3);",
      "#e = @first;\nuint #w = 0;\ndo {\n#e += @more;\n#w = #w * 5 + 1;\n} while (#w < @how_often * 3);",
      "#e = @first;\ndo #e += @more;\nwhile (#e < @how_often * 8);",
      "#e = 40;\ndo #e -= @more;\nwhile (#e > 20u + @how_often * 4u);",
      "#e = 2;\nfor (uint #w = 0; #w < @how_often; ++#w) #e += @more;",
      "#e = 1;\nfor (int #w = (int)@how_often; #w >= 0; --#w) #e += 3;",
      "#e = 1;\nfor (;; #e += @more) if (#e >= @how_often * 5u) break;",
      "#e = 1;\nfor (uint #w = 0; #w < 2u; ++#w) for (uint #v = 0; #v < @how_often; ++#v) #e += 2;",
      "float #f = 1;\ndo #f += 1.0f;\nwhile (#f < (float)@how_often * 4.0f);\n#e = (uint)#f;",
      "#e = 9;\nwhile (#e > @how_often + 1u) --#e;"}},
    {"how_often", {"@times"}},
    {"search",
     {"#e = 1;\nwhile (#e < 9u && far8[i + #e] < 128) ++#e;",
      "#e = 1;\ndo ++#e;\nwhile (#e < 8u && (far32[#e * n + i] & 1u));",
      "#e = 1;\nfor (; #e < 20u; ++#e) {\nif (far8[i + #e] > 200) break;\nif (#e > (i & 15)) break;\n}",
      "global const uchar* #p = far8 + i + 1;\nwhile (#p < far8 + i + 20 && *#p < 99) ++#p;\n#e = (uint)(#p "
      "- (far8 + i));"}},
};

const Rules in_groups = {
    {"who",
     {"get_local_id(0) >= 5", "lid & 1", "(lid & 1) == 0", "lid == 0", "lid < lsize / 2", "!(lid & 2)",
      "lid < 40", "lid != lsize - 1", "group & 1"}},
    {"times", {"(lid & 1)", "(lid & 1)", "(lid & 3)", "(get_local_id(0) & 1)"}},
};

const Rules in_planes = {{"who", {"x < sx - 1", "y > 0", "x & 1", "y & 1", "x >= y"}},
                         {"times", {"(x & 1)", "(y & 1)"}}};

} // namespace

/// The rules for a statement: the shared ones and the theme's own.
Phrases Generator::phrases(const Rules& own) {
  Phrases result([this](unsigned limit) { return below(limit); },
                 [this](const char* stem) { return fresh(stem); });
  result.add(in_all_kernels);
  if (sees_groups_) result.add(in_groups);
  if (dimensions_ > 1) result.add(in_planes);
  result.add(own);
  result.let("l", dimensions_ == 1 ? "get_local_id(0)" : "get_local_linear_id()");
  result.let("size", dimensions_ == 1 ? "get_local_size(0)"
                                      : "(get_local_size(0) * get_local_size(1) * get_local_size(2))");
  result.let("z", "(int)(get_global_id(2) - get_global_offset(2))");
  return result;
}

/// The beginning of an access to a part of `made` that belongs to one statement, up to the index: 8 * n + 64 numbers. There
/// are most_made_parts.
std::string Generator::part_of_made() {
  const unsigned part = made_parts_++;
  return part == 0 ? "made["
                   : "made[" + std::to_string(part * 8) + " * n + " + std::to_string(part * 64) + " + ";
}

/// Declares an array in local memory for one statement. @returns the array's name
std::string Generator::local_array(const std::string& type, unsigned size) {
  const std::string name = fresh("shared");
  constants_.push_back({name, "local " + type + " " + name + "[" + std::to_string(size) + "];"});
  return name;
}

} // namespace differential
