// Guards, and the indices that they guard, around zero and at the edges of int and uint. Each statement reads places that exist,
// whatever wraps before its guard.

#include "differential/generator.hpp"

namespace differential {

namespace {

/// `$j` stands for the number that is guarded.
std::string with_name(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find("$j", at)) != std::string::npos;)
    text.replace(at, 2, name);
  return text;
}

} // namespace

Node Generator::guarded_statement() {
  const std::string j = fresh("j");
  const std::string out = "out32[i * 4 + " + number(4) + "] = ";
  switch (below(5)) {
  case 0:
    return statement(with_name(guarded_neighbours(out), j));
  case 1:
    return statement(with_name(guarded_at_edge(out), j));
  case 2:
    return statement(with_name(guarded_mask(out), j));
  case 3:
    return statement(with_name(coordinates(out), j));
  default:
    return statement("{\nconst int " + j + " = i + " + number(6) + " - 3;\nif (" + j + " > " + number(3) +
                         " && " + j + " < n - " + number(3) + ") out32[i * 4 + " + number(4) + "] = $0;\n}",
                     expression(scalar_type("int"), 1));
  }
}

/// A stencil inside a border.
std::string Generator::guarded_neighbours(const std::string& out) {
  const std::string sum = "(int)((uint)in32[$j - 1] + (uint)in32[$j] * 3u + (uint)in32[$j + 1]);";
  switch (below(5)) {
  case 0:
    return "{\nconst int $j = i + " + number(7) + " - 3;\nif ($j > " + number(3) + " && $j < n - 1) " + out +
           sum + "\n}";
  case 1:
    return "{\nconst int $j = i + " + number(7) + " - 3;\nif ($j < 1 || $j >= n + " + number(4) + ") " + out +
           "7;\nelse " + out + sum + "\n}";
  case 2: // wraps in front of the first items
    return "{\nconst uint $j = (uint)i - " + number(5) + "u;\nif ($j > 0 && $j < (uint)n - 1u) " + out + sum +
           "\n}";
  case 3:
    return "{\nuint $j = 0;\nif (i >= 2 && i < n - " + number(3) +
           ") {\nfor (int q = -2; q <= 2; ++q) $j += " + "(uint)in32[i + q];\n" + out + "(int)$j;\n}\n}";
  default:
    return "{\nconst int $j = " +
           any_of({"i == 0 ? n - 1 : i - 1", "i + 1 == n ? 0 : i + 1", "(i + 1) % n", "(i + n - 1) % n",
                   "i > 2 ? i - 3 : 0"}) +
           ";\n" + out + "in32[$j];\n}";
  }
}

/// A number that passes the edge of its type between two items.
std::string Generator::guarded_at_edge(const std::string& out) {
  const std::string edge = any_of({"0x7fffffffu", "0x7ffffff0u", "0x7ffffffcu", "0x80000000u", "0xfffffff8u",
                                   "0xfffffffdu", "0x7fffffc0u"});
  const std::string declared = chance(60) ? "const int $j = (int)((uint)i + " + edge + ");"
                                          : "const uint $j = (uint)i + " + edge + ";";
  const std::string guard = any_of({"$j > 0", "$j >= 0", "$j < 5", "$j > 2", "$j < 0x7fffffff", "(int)$j > 0",
                                    "(int)$j < 0", "(uint)$j < 0x80000000u", "$j != 0"});
  const std::string at =
      any_of({"(uint)$j - EDGE", "(int)((uint)$j - EDGE)", "$j & 63", "(uint)$j & 31u", "($j >> 1) & 63",
              "(ulong)(uint)$j & 63ul", "($j & 0x7fffffff) % n", "(int)((uint)$j - 1u) & 63",
              "(uint)$j % (uint)n", "(long)(int)$j - (long)(int)EDGE & 15"});
  std::string text = "{\n" + declared + "\nif (" + guard + ") " + out + "in32[" + at + "];\n}";
  for (std::size_t place = 0; (place = text.find("EDGE", place)) != std::string::npos;)
    text.replace(place, 4, edge);
  return text;
}

/// A mask that keeps what the guard leaves, or cuts it.
std::string Generator::guarded_mask(const std::string& out) {
  if (chance(50))
    return "{\nconst ulong $j = (ulong)id + " + number(9) + "ul;\nif ((int)$j > " + number(4) + ") " + out +
           "in32[" +
           any_of({"$j & 0x7fffffff", "$j & 0xffffffff", "($j & 1023) % n", "$j & 63", "(uint)$j & 0x3fu"}) +
           "];\n}";
  return "{\nconst ulong $j = (ulong)id + " +
         any_of({"0x7ffffffcul", "0xfffffffcul", "0x17ffffffaul", "0xfffffffffffffffdul"}) + ";\nif (" +
         any_of({"(int)$j > 0", "(int)$j >= 0", "(int)$j < 0", "(uint)$j < 77u", "(long)$j > 0"}) + ") " +
         out + "in32[(" +
         any_of({"$j & 0x7fffffff", "$j & 0xffffffff", "(ulong)(int)$j & 0x7fffffff", "(uint)$j"}) +
         ") % (ulong)n];\n}";
}

/// Quotients and remainders by a number that all items share.
std::string Generator::coordinates(const std::string& out) {
  switch (below(4)) {
  case 0:
    return "{\nconst int $j = (int)(m & " + any_of({"15u", "1u", "255u"}) + ") + " + any_of({"1", "2", "7"}) +
           ";\n" + out + "in32[" +
           any_of({"(i / $j) * $j + i % $j", "i % $j + i / $j", "i / $j", "(i % $j) & 63"}) + "];\n}";
  case 1:
    return "{\nconst int $j = " +
           any_of({"-(int)(m & 7u) - 2", "0x7fffffff", "-0x7fffffff - 1", "(int)(m & 0xffffu) + 2",
                   "(int)(m & 3u) - 5"}) +
           ";\nconst int q = (int)((uint)i * " + any_of({"1u", "0x01010101u", "0xfffffff1u"}) + " + " +
           any_of({"0u", "0x7ffffff0u", "0x80000000u"}) + ");\n" + out +
           "(int)((uint)(q / $j) * 31u + (uint)(q % $j));\n}";
  case 2:
    return "{\nconst uint $j = " + any_of({"m | 1u", "0xffffffffu", "0x80000001u", "(m & 7u) + 1u"}) +
           ";\nconst uint q = (uint)i * " + any_of({"1u", "0x01010101u", "0xfffffff1u"}) + " - " +
           any_of({"0u", "5u", "0x80000000u"}) + ";\n" + out + "(int)((q / $j) * 31u + q % $j);\n}";
  default:
    return "{\nconst ulong $j = (ulong)(m & 31u) + 1ul;\n" + out + "in32[" +
           any_of({"(id / $j) * $j + id % $j", "id / $j + id % $j"}) + "];\n}";
  }
}

} // namespace differential
