// Pointers that walk through memory, to an end, to each other, or to what they look for.

#include "differential/generator.hpp"

namespace differential {

namespace {

struct Memory {
  const char *space, *type, *name;
};
constexpr Memory read[] = {{"global const ", "int", "in32"},
                           {"global const ", "uchar", "in8"},
                           {"global const ", "long", "in64"},
                           {"global const ", "int", "in32"}};

/// P: the pointer's type; F: the first place; L: how far at most; E, D: ends; S: the sum; A, B: pointers.
// NOLINTBEGIN(bugprone-suspicious-missing-comma): long forms go on in the next line
constexpr const char* forms[] = {
    "for (P A = F, B = A + L; A != B; ++A) S = S * 3u + (ulong)*A;",
    "for (P A = F, B = F + L; A < B; ++A) S += (ulong)*A;",
    "P A = F, B = F + L;\nwhile (A != B) S ^= (ulong)*A++;",
    "P A = F, B = A + L;\nfor (; A < B; A += K) S += (ulong)*A;",
    "P A = F, B = A + L;\nfor (; A <= B; A += K) S += (ulong)*A * 5u;",
    "P B = F, A = B + L;\nwhile (A != B) S = S * 5u + (ulong)*--A;",
    "P B = F, A = B + L;\nwhile (A-- != B) S += (ulong)*A;",
    "P B = F, A = B + L;\nfor (; A > B; --A) S ^= (ulong)A[-1];",
    "P A = F, B = A + L;\nwhile (A < B) S += (ulong)*A++ * (ulong)*--B;",
    "P A = F, B = A + L;\nwhile (A != B && (ulong)*A % 5u != (ulong)$2 % 5u) ++A;\nS = (ulong)(A - F);",
    "P A = F, B = A + L;\nfor (; A != B; ++A) {\nif (*A == 0) break;\nif ((*A & 3) == 1) continue;\nS += "
    "(ulong)*A;\n}",
    "P A = F, B = A + L;\ndo S += (ulong)*A;\nwhile (++A < B);",
    "P A = F, B = A + L + 1;\ndo S = S * 3u + (ulong)*A++;\nwhile (A != B);",
    "P B[4];\nfor (int q = 0; q < 4; ++q) B[q] = F + q * 3;\nP A = F, D = B[$2 & 3];\nfor (; A != D; ++A) S "
    "+= (ulong)*A;",
    "P B[2] = {F, F + L};\nfor (; B[0] != B[1]; ++B[0]) S = S * 3u + (ulong)*B[0];",
    "P A = F, B = A + L, D = A;\nfor (; A < B; ++A) {\nif (*A > *D) D = A;\nS += (ulong)(D - F);\n}",
    "P A = F;\nfor (P B = A + L; A != B; ++A) for (P D = B; D != A; --D) S += (ulong)D[-1] ^ (ulong)(B - D);",
    "P A = F, B = A + L;\nwhile (A < B) {\nS += (ulong)*A;\nif ($3) ++A;\nelse --B;\n}",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

void replace(std::string& form, const std::string& name, const std::string& text) {
  auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; (at = form.find(name, at)) != std::string::npos;) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_part(form[at - 1])) || (end < form.size() && is_part(form[end]))) {
      at = end;
      continue;
    }
    form.replace(at, name.size(), text);
    at += text.size();
  }
}

} // namespace

Node Generator::walk() {
  const std::string a = fresh("p"), b = fresh("end"), d = fresh("at"), sum = fresh("sum");
  std::string form = forms[below(std::size(forms))];
  Memory memory = read[below(std::size(read))];
  std::string before, first;
  Node at = index();
  Node length = chance(50)   ? small(15)
                : chance(50) ? node(Node::Kind::text, "(in32[i] & 15)")
                             : small(7, true);
  const unsigned kind = below(10);
  if (kind < 6) {
    first = std::string("(") + memory.name + " + $0)";
  } else if (kind < 7) { // rows
    first = std::string("(") + memory.name + " + i * 4)";
  } else if (kind < 8 && form.find("B[4]") == std::string::npos) { // of what the work-item has written itself
    first = "((global const int*)out32 + i * 4)";
    memory = {"global const ", "int", ""};
    length = small(3);
  } else {
    const std::string own = fresh("own");
    memory = {"", "uint", ""};
    if (chance(50)) memory.space = "private ";
    before = "uint " + own + "[20];\nfor (int q = 0; q < 20; ++q) " + own +
             "[q] = (uint)(q * 7 + i) ^ (uint)in32[q];\n";
    first = own;
    length = small(15);
  }
  // A second pointer of one declaration needs its own star.
  const std::string type = std::string(memory.space) + memory.type + "*";
  if (form.find("P A = F, B") != std::string::npos || form.find("P B = F, A") != std::string::npos)
    for (const char* other : {", A = ", ", B = ", ", D = "})
      for (std::size_t place = 0; (place = form.find(other, place)) != std::string::npos; place += 6)
        form.insert(place + 2, "*");
  if (const std::size_t place = form.find(", D = B[$2"); place != std::string::npos)
    form.insert(place + 2, "*");
  replace(form, "P", type);
  replace(form, "F", first);
  replace(form, "L", "$1");
  replace(form, "K", number(3) == "0" ? "2" : "3");
  replace(form, "A", a);
  replace(form, "B", b);
  replace(form, "D", d);
  replace(form, "S", sum);
  return statement("{\n" + before + "ulong " + sum + " = 0;\n" + form + "\n" + leave(sum) + "\n}",
                   std::move(at), std::move(length), expression(scalar_type("uint"), 2), condition(1));
}

} // namespace differential
