// Functions whose arguments and results are structures, with arrays and vectors in them; by value and by pointer.

#include "differential/generator.hpp"

namespace differential {

namespace {

/// A structure's members, and four of them that are numbers; N numbers an element.
struct Shape {
  const char *name, *members;
  const char* places[4];
};
constexpr Shape shapes[] = {
    {"of_one", "uchar a;\n", {"a", "a", "a", "a"}},
    {"of_three", "uchar a;\nuchar b;\nuchar c;\n", {"a", "b", "c", "a"}},
    {"of_pair", "uint a;\nulong b;\n", {"a", "b", "a", "b"}},
    {"of_floats", "float f;\nfloat g;\nuint b;\n", {"b", "b", "b", "b"}},
    {"of_vectors", "uint4 v;\nuint a;\nuchar b;\nuint t[4];\n", {"a", "v.y", "t[N & 3]", "b"}},
    {"of_arrays", "uint a;\nuint t[8];\nulong b;\nuint v[4];\n", {"a", "t[N & 7]", "v[1]", "b"}},
    {"of_nested",
     "struct {\nushort x;\nuint t[3];\n} in;\nuint a;\nulong b;\nuint t[4];\n",
     {"in.x", "in.t[2]", "a", "t[N & 3]"}},
    {"of_many", "uint t[20];\nuint a;\nulong b;\n", {"a", "t[N & 15]", "t[19]", "b"}},
};

void put(std::string& text, const std::string& name, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size())
    text.replace(at, name.size(), by);
}

/// Uses of two structures S and T.
constexpr const char* uses[] = {"S = STEM_make((uint)$0, $1, S);",
                                "S = STEM_turn(S, $1);",
                                "STEM_alter(&S, T, $1);",
                                "T = STEM_turn(STEM_turn(S, $1), 3);",
                                "if ($2) S = STEM_make(7u, $1, T);",
                                "S = $2 ? S : T;",
                                "STEM_alter(&T, STEM_make((uint)$0, 5, S), $1);",
                                "T = S;",
                                "for (int q = 0; q < 3; ++q) S = STEM_turn(T, q);"};

} // namespace

/// A structure, functions on it, and calls of them.
Node Generator::structure() {
  const Shape& shape = shapes[below(std::size(shapes))];
  const std::string name = std::string("struct ") + shape.name, stem = fresh("call_");
  declared(shape.name, name + " {\n" + shape.members + "};");
  auto place = [&] { return std::string(shape.places[below(4)]); };
  // Declarations stand in the reverse order of their names.
  auto function = [&](const std::string& what, std::string text) {
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos;)
      text.replace(at, 1, place());
    put(text, "NAME", name);
    put(text, "STEM", stem);
    put(text, "N &", "turns &");
    declared(stem + what,
             any_of({"", "__attribute__((noinline)) ", "__attribute__((always_inline)) ", "static "}) + text);
  };
  function("_turn", "NAME STEM_turn(NAME s, int turns) {\ns.@ += (uint)turns & 15u;\n" +
                        any_of({"if (turns & 1) return s;\n", "", "for (int q = 0; q < (turns & 3); ++q) "}) +
                        "s.@ ^= 5;\nreturn s;\n}");
  function("_make", "NAME STEM_make(uint x, int turns, NAME from) {\nNAME s = from;\ns.@ = x & 127u;\n" +
                        any_of({"", "if (turns < 3) return STEM_turn(from, turns);\n"}) +
                        "s.@ += (uint)from.@;\nreturn s;\n}");
  function("_fold", "ulong STEM_fold(const NAME s, int turns) {\nreturn (ulong)s.@ * 3u + (ulong)s.@;\n}");
  function("_alter", "void STEM_alter(private NAME* s, NAME by, int turns) {\ns->@ += by.@;\nif (turns & 2) "
                     "*s = STEM_turn(by, turns);\n}");

  const std::string s = fresh("s"), t = fresh("s");
  auto named = [&](std::string text) {
    put(text, "STEM", stem);
    for (const auto& [letter, variable] : {std::pair('S', s), std::pair('T', t)})
      for (std::size_t at = 0; (at = text.find(letter, at)) != std::string::npos; at += variable.size())
        text.replace(at, 1, variable);
    return text;
  };
  Node calls = list();
  for (unsigned count = 1 + below(3); count > 0; --count)
    calls.children.push_back(statement(named(uses[below(std::size(uses))]),
                                       expression(scalar_type("uint"), 1), expression(scalar_type("int"), 1),
                                       condition(1)));
  const std::string from = "((global const " + name + "*)in64)",
                    fill = name + " " + s + " = " + from + "[$1 & 3], " + t + " = " + from + "[i & 7];\n";
  const std::string floats =
      shape.name == std::string("of_floats") ? named("S.f = S.g = T.f = T.g = 1.5f;\n") : "";
  return statement("{\n" + fill + floats + "$0\n" + leave(stem + "_fold(" + (chance(50) ? s : t) + ", $1)") +
                       "\n}",
                   std::move(calls), expression(scalar_type("int"), 1));
}

} // namespace differential
