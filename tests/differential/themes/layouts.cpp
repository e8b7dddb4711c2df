// Memory that holds several things at once: pointers to pointers, lists, unions and packed structures.

#include "differential/generator.hpp"

namespace differential {

namespace {

constexpr const char* packed_text =
    "struct __attribute__((packed, may_alias)) packed_record {\nuchar a;\nint b;\n"
    "short c[3];\nlong d;\nuint e;\n};";
constexpr const char* overlay_text = "union __attribute__((may_alias)) overlay {\nint a;\nuchar "
                                     "b[16];\nushort c[8];\nlong d;\nstruct {\nushort lo;\nuchar "
                                     "mid[3];\nuint hi;\n} e;\nuint f[4];\nulong g[2];\n};";
constexpr const char* link_text = "struct link {\nprivate struct link* next;\nuint value;\n};";

} // namespace

Node Generator::layout() {
  switch (below(4)) {
  case 0:
    return pointers();
  case 1:
    return packed();
  case 2:
    return overlay();
  default:
    return linked();
  }
}

/// Pointers in arrays, in structures and in memory.
Node Generator::pointers() {
  const std::string p = fresh("p"), all = fresh("all"), old = fresh("old");
  auto value = [&] { return expression(scalar_type("int"), 1); };
  switch (below(5)) {
  case 0:
    return statement(
        "{\nglobal int* " + all + "[2] = {out32 + i * 4, out32 + i * 4 + 2};\nglobal int* private* " + p +
            " = &" + all + "[$0 & 1];\n**" + p + " = $1;\n(*" + p + ")[$2 & 1] ^= 77;\n++*" + p + ";\n**" +
            p + " ^= 5;\n" + leave("(ulong)" + all + "[0][-1 & -(" + all + "[0] != out32 + i * 4)]") + "\n}",
        expression(scalar_type("int"), 2), value(), expression(scalar_type("int"), 2));
  case 1: // a pointer that stays in global memory for a while
    return statement(
        "{\n"
        "global ulong* const place = out64 + (n - 1 - i) * 4 + " +
            number(4) + ";\nconst ulong " + old + " = *place;\n*(global " +
            declared("kept_pointer", "typedef global int* __attribute__((may_alias)) kept_pointer;") +
            "*)place = out32 + i * 4 + ($0 & 3);\n"
            "global int* " +
            p + " = *(global kept_pointer*)place;\n*" + p + " = $1;\n*place = " + old + ";\n}",
        expression(scalar_type("int"), 2), value());
  case 2: // which of several, by another memory's contents
    return statement("{\nglobal const int* " + all +
                         "[4] = {in32 + $0, in32 + $1, in32 + i, (global const int*)out32 + i * 4};\nulong " +
                         old + " = 0;\nfor (int q = 0; q < 4; ++q) " + old + " = " + old + " * 3u + (ulong)" +
                         all + "[(in8[i + q] + q) & 3][q];\n" + leave(old) + "\n}",
                     index(), index());
  case 3: { // private pointers to private pointers
    const std::string a = fresh("a"), b = fresh("b"), q = fresh("q");
    return statement("{\nuint " + a + " = (uint)$0, " + b + " = (uint)$1;\nprivate uint* " + p + " = $2 ? &" +
                         a + " : &" + b + ";\nprivate uint* private* " + q + " = &" + p + ";\n**" + q +
                         " += 3u;\n*" + q + " = $3 ? &" + b + " : " + p + ";\n**" + q + " ^= 9u;\n" +
                         leave("(ulong)" + a + " * 3u + " + b) + "\n}",
                     value(), value(), condition(1), condition(1));
  }
  default: {
    declared("holder", "struct holder {\nglobal const int* from;\nglobal int* to;\nint step;\n};");
    return statement("{\nstruct holder " + p +
                         "[2] = {{in32 + $0, out32 + i * 4, 1}, {in32 + i, out32 + i * 4 + 1, 2}};\n" +
                         "private struct holder* " + all + " = &" + p +
                         "[$1 & 1];\nfor (int q = 0; q < 3; ++q) {\n*" + all + "->to ^= *" + all +
                         "->from;\n" + all + "->from += " + all + "->step;\nif ($2) " + all + " = &" + p +
                         "[q & 1];\n}\n}",
                     index(), expression(scalar_type("int"), 2), condition(1));
  }
  }
}

/// A list in private memory, linked in an order that data decide.
Node Generator::linked() {
  declared("link", link_text);
  const std::string chain = fresh("chain"), head = fresh("head"), sum = fresh("sum"), at = fresh("at");
  const std::string order = any_of({"q", "(q * 3 + 1) & 3", "q ^ ($0 & 3)", "3 - q", "(q + in8[i]) & 3"});
  return statement(
      "{\nstruct link " + chain + "[4];\nprivate struct link* " + head +
          " = 0;\nfor (int q = 0; q < 4; ++q) {\n" + "private struct link* " + at + " = &" + chain + "[" +
          order + "];\n" + at + "->value = (uint)(q * 5) ^ (uint)$1;\n" + at + "->next = " + head + ";\n" +
          head + " = " + at + ";\n}\nulong " + sum + " = 0;\nfor (private struct link* " + at + " = " + head +
          "; " + at + "; " + at + " = " + at + "->next) {\n" + sum + " = " + sum + " * 3u + " + at +
          "->value;\n$2\n}\n" + leave(sum) + "\n}",
      small(3, true), expression(scalar_type("int"), 1), list(statement("if ($0) break;", condition(1))));
}

Node Generator::packed() {
  declared("packed_record", packed_text);
  const std::string r = fresh("r"), copy = fresh("copy");
  const std::string place = "(global struct packed_record*)(raw + slot * 64)";
  switch (below(4)) {
  case 0:
    return statement("{\nglobal struct packed_record* " + r + " = " + place + " + ($0 & 1);\n" + r +
                         "->b = $1;\n" + r + "->c[$2 % 3u] = (short)$1;\n" + r + "->d ^= (long)" + r +
                         "->b;\n" + leave("(ulong)" + r + "->e + (ulong)" + r + "->c[1]") + "\n}",
                     expression(scalar_type("int"), 2), expression(scalar_type("int"), 1),
                     expression(scalar_type("uint"), 2));
  case 1:
    return statement("{\nstruct packed_record " + copy + " = *(" + place + ");\n" + copy +
                         ".e += (uint)$0;\n" + copy + ".a = (uchar)" + copy + ".c[2];\n(" + place +
                         ")[1] = " + copy + ";\n" + leave("(ulong)" + copy + ".d ^ " + copy + ".e") + "\n}",
                     expression(scalar_type("int"), 1));
  case 2: // of memory that is only read, which has as many records as work-items and 32 more
    return statement("{\nconst struct packed_record " + copy +
                         " = ((global const struct packed_record*)in64)[" +
                         any_of({"i", "i ^ $0", "n - 1 - i", "(i + $0) % n", "$0"}) + "];\n" +
                         leave("(ulong)" + copy + ".d + (ulong)" + copy + ".b * " + copy + ".a + (ulong)" +
                               copy + ".c[$1 % 3u]") +
                         "\n}",
                     small(31), expression(scalar_type("uint"), 2));
  default:
    return statement(
        "{\nstruct packed_record " + copy + "[2] = {{1, $0, {2, 3, -4}, 5, 6u}, *(" + place +
            ")};\nprivate struct packed_record* " + r + " = &" + copy + "[$1 & 1];\n" + r +
            "->c[$2 % 3u] ^= 300;\n" + r + "->b = (int)((uint)" + r + "->b + " + r + "->e);\n" +
            leave("(ulong)" + copy + "[0].b + (ulong)" + copy + "[1].c[0] * 3u + (ulong)" + copy + "[1].b") +
            "\n}",
        expression(scalar_type("int"), 1), expression(scalar_type("int"), 2),
        expression(scalar_type("uint"), 2));
  }
}

Node Generator::overlay() {
  declared("overlay", overlay_text);
  const std::string u = fresh("u");
  auto at = [&] { return expression(scalar_type("uint"), 2); };
  static constexpr const char* stores[] = {"b[$1 & 15] = (uchar)$2;", "c[$1 & 7] ^= (ushort)$2;",
                                           "d = (long)$2;",           "e.mid[$1 % 3u] = (uchar)$2;",
                                           "f[$1 & 3] += (uint)$2;",  "a = (int)$2;",
                                           "e.hi = (uint)$2;",        "g[$1 & 1] ^= (ulong)$2;"};
  static constexpr const char* loads[] = {"b[$3 & 15]", "c[$3 & 7]",      "d", "e.hi",
                                          "f[$3 & 3]",  "e.mid[$3 % 3u]", "a", "g[$3 & 1]"};
  std::string body;
  const bool is_global = chance(60);
  const std::string access = is_global ? u + "->" : u + ".";
  body = is_global
             ? "global union overlay* " + u + " = (global union overlay*)(raw + slot * 64) + ($0 & 3);\n"
             : "union overlay " + u + ";\n" + u + ".g[0] = (ulong)$0;\n" + u +
                   ".g[1] = (ulong)i * 0x12345678ul;\n";
  for (unsigned count = 1 + below(3); count > 0; --count)
    body += access + stores[below(std::size(stores))] + "\n";
  return statement("{\n" + body +
                       leave("(ulong)" + access + loads[below(std::size(loads))] + " * 3u + (ulong)" +
                             access + loads[below(std::size(loads))]) +
                       "\n}",
                   expression(scalar_type("int"), 2), at(), expression(scalar_type("int"), 1), at());
}

} // namespace differential
