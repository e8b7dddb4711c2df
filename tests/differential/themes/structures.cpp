// Functions whose arguments and results are structures, arrays in them, and vectors; by value and by pointer.

#include "differential/generator.hpp"

namespace differential {

namespace {

struct Shape {
  const char *name, *members;
  std::initializer_list<const char*> numbers; ///< members that are numbers, or elements
};

} // namespace

/// A structure, functions on it, and a call of them.
Node Generator::structure() {
  static constexpr std::pair<const char*, const char*> shapes[] = {
      {"one", "uchar a;\n"},
      {"three", "uchar a;\nuchar b;\nuchar c;\n"},
      {"pair", "uint a;\nulong b;\n"},
      {"floats", "float a;\nfloat c;\nuint b;\n"},
      {"vectors", "uint4 v;\nuint a;\nuchar b;\nuint t[4];\n"},
      {"arrays", "uint a;\nuint t[8];\nulong b;\nuint v[4];\n"},
      {"nested", "struct {\nushort x;\nuint t[3];\n} in;\nuint a;\nulong b;\nuint t[4];\n"},
      {"large", "uint t[20];\nuint a;\nulong b;\n"},
  };
  static constexpr const char* places[][4] = {{"a", "a", "a", "a"},
                                              {"a", "b", "c", "a"},
                                              {"a", "b", "a", "b"},
                                              {"b", "b", "b", "b"},
                                              {"a", "v.y", "t[b & 3]", "b"},
                                              {"a", "t[b & 7]", "v[1]", "b"},
                                              {"in.x", "in.t[2]", "a", "t[b & 3]"},
                                              {"a", "t[b & 15]", "t[19]", "b"}};
  const unsigned which = below(std::size(shapes));
  const std::string name = "struct of_" + std::string(shapes[which].first), stem = fresh("call_");
  auto place = [&](const std::string& s) {
    std::string text = places[which][below(4)];
    if (const std::size_t at = text.find("[b &"); at != std::string::npos) text.replace(at, 4, "[b2 &");
    return s + text;
  };
  auto inlining = [&] {
    return any_of({"", "__attribute__((noinline)) ", "__attribute__((always_inline)) ", "static "});
  };
  const std::string change = stem + "_change", make = stem + "_make", fold = stem + "_fold",
                    alter = stem + "_alter";
  std::string text = inlining() + name + " " + change + "(" + name + " s, int b2) {\n" + place("s.") +
                     " += (uint)b2 & 15u;\n" +
                     any_of({"if (b2 & 1) return s;\n", "", "for (int q = 0; q < (b2 & 3); ++q) "}) +
                     place("s.") + " ^= 5;\nreturn s;\n}\n";
  text += inlining() + name + " " + make + "(uint x, int b2, " + name + " from) {\n" + name + " s = from;\n" +
          place("s.") + " = x & 127u;\n" +
          any_of({"", ("if (b2 < 3) return " + change + "(from, b2);\n").c_str()}) + place("s.") +
          " += (uint)" + place("from.") + ";\nreturn s;\n}\n";
  text += inlining() + "ulong " + fold + "(const " + name + " s, int b2) {\nreturn (ulong)" + place("s.") +
          " * 3u + (ulong)" + place("s.") + ";\n}\n";
  text += inlining() + "void " + alter + "(private " + name + "* s, " + name + " by, int b2) {\n" +
          place("s->") + " += " + place("by.") + ";\nif (b2 & 2) *s = " + change + "(by, b2);\n}";
  const std::string zeroed = "for (int q = 0; q < (int)sizeof(" + name + "); ++q) ((private uchar*)&";
  declared("of_" + std::string(shapes[which].first), name + " {\n" + shapes[which].second + "};");
  declared(stem, text);
  const std::string s = fresh("s"), t = fresh("s");
  static constexpr const char* uses[] = {"S = MAKE((uint)$0, $1, S);",
                                         "S = CHANGE(S, $1);",
                                         "ALTER(&S, T, $1);",
                                         "T = CHANGE(CHANGE(S, $1), 3);",
                                         "if ($2) S = MAKE(7u, $1, T);",
                                         "S = $2 ? S : T;",
                                         "ALTER(&T, MAKE((uint)$0, 5, S), $1);",
                                         "T = S;",
                                         "for (int q = 0; q < 3; ++q) S = CHANGE(T, q);"};
  // The name of the declaration stands in front of what it has: of_... sorts behind call_...
  std::string body = name + " " + s + ", " + t + ";\n" + zeroed + s + ")[q] = (uchar)(q + i);\n" + zeroed +
                     t + ")[q] = (uchar)(q * 3);\n/* " + stem + " */\n";
  if (shapes[which].first == std::string("floats"))
    body += s + ".a = " + s + ".c = " + t + ".a = " + t + ".c = 1.5f;\n";
  for (unsigned count = 1 + below(3); count > 0; --count)
    body += std::string(uses[below(std::size(uses))]) + "\n";
  body += leave(fold + "(" + (chance(50) ? s : t) + ", $1)");
  auto put = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = body.find(from, at)) != std::string::npos; at += to.size())
      body.replace(at, from.size(), to);
  };
  put("MAKE", make);
  put("CHANGE", change);
  put("ALTER", alter);
  for (std::size_t at = 0; at < body.size(); ++at)
    if ((body[at] == 'S' || body[at] == 'T') &&
        (at == 0 || !std::isalnum(static_cast<unsigned char>(body[at - 1]))) &&
        !std::isalnum(static_cast<unsigned char>(body[at + 1])))
      body.replace(at, 1, body[at] == 'S' ? s : t);
  return statement("{\n" + body + "\n}", expression(scalar_type("uint"), 1),
                   expression(scalar_type("int"), 1), condition(1));
}

} // namespace differential
