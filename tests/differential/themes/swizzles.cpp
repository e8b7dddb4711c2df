// Elements of vectors, selected, stored, moved and compared.

#include "differential/generator.hpp"

namespace differential {

namespace {

/// Selections that host/vectors.hpp has. Those of `stored` name no element twice.
struct Selections {
  unsigned count;
  std::initializer_list<const char*> pairs, fours, stored_pairs;
};
constexpr const char* pairs_of_4[] = {"lo", "hi", "even", "odd", "xz", "yw", "xy", "yx", "wz"};
constexpr const char* fours_of_4[] = {"wzyx", "s3210", "xxzz", "yxwz", "xyzx", "zwxy", "hi.yxyx"};
constexpr const char* whole_of_4[] = {"wzyx", "s3210", "yxwz", "zwxy"};
constexpr const char* halves[] = {"lo", "hi", "even", "odd"};

} // namespace

/// One to four lines about two vectors of four, one of two, one of three and one of eight numbers.
Node Generator::swizzle() {
  const Type type = scalar_type(any_of({"uint", "uint", "uchar", "ushort", "ulong"}));
  const std::string t = type.name(), a = fresh("a"), b = fresh("b"), two = fresh("c"), three = fresh("d"),
                    eight = fresh("e");
  auto any = [&](auto& names) { return std::string(names[below(std::size(names))]); };
  auto op = [&] { return any_of({" = ", " += ", " ^= ", " = ", " -= ", " |= "}); };
  std::string body = t + "4 " + a + " = $0, " + b + " = (" + t + "4)($1, $2, 3, 4);\n" + t + "2 " + two +
                     " = " + a + "." + any(pairs_of_4) + ";\n" + t + "3 " + three + " = " +
                     any_of({"vload3(0, ", "vload3(1, "}) + "(global const " + t + "*)in64 + ($3 & 31));\n" +
                     t + "8 " + eight + " = (" + t + "8)(" + a + ", " + b + "." + any(fours_of_4) + ");\n";
  for (unsigned lines = 1 + below(4); lines > 0; --lines) {
    switch (below(14)) {
    case 0:
      body += a + "." + any(pairs_of_4) + op() + b + "." + any(pairs_of_4) + ";\n";
      break;
    case 1:
      body += a + "." + any(pairs_of_4) + op() + two + any_of({".yx", ".xx", "", ".xy"}) + ";\n";
      break;
    case 2:
      body += a + op() + (chance(50) ? a : b) + "." + any(fours_of_4) + " * (" + t + ")3;\n";
      break;
    case 3:
      body += a + "." + any(whole_of_4) + op() + b + ";\n";
      break;
    case 4:
      body += a + " = select(" + a + ", " + b + ", " + a + any_of({" < ", " == ", " >= "}) + b + "." +
              any(fours_of_4) + ");\n";
      break;
    case 5:
      body += eight + "." + any(halves) + op() + a + "." + any(fours_of_4) + ";\n";
      break;
    case 6:
      body += a + " = " + eight + "." + any(halves) + " + " + eight + "." + any(halves) + ";\n";
      break;
    case 7:
      body += three + "." + any_of({"zyx", "yzx"}) + op() + three + ";\n" + two + " = " + three + "." +
              any_of({"zx", "xy"}) + ";\n";
      break;
    case 8:
      body += a + "." + any_of({"x", "w", "s1", "z"}) + " += (" + t + ")any(" + b + any_of({" > ", " != "}) +
              a + ");\n";
      break;
    case 9:
      body += b + " = shuffle(" + a + ", (" + t + "4)(" + number(8) + ", " + number(8) + ", " + a + ".y, " +
              number(4) + "));\n";
      break;
    case 10:
      body += "((private " + t + "*)&" + eight + ")[$3 & 7] = " + a + "." + any_of({"x", "w", "s2"}) + ";\n";
      break;
    case 11:
      body += eight + " = (" + t + "8)(" + two + ", " + three + ", " + a + ".yzw);\n" + b +
              ".zyx = " + three + ";\n";
      break;
    case 12:
      body += a + any_of({" <<= ", " >>= "}) + "(" + b + " & (" + t + ")7);\n";
      break;
    default:
      body += "vstore4(" + a + "." + any(fours_of_4) + ", 0, (global " + t + "*)(raw + slot * 64));\n" + b +
              " += vload4(0, (global const " + t + "*)(raw + slot * 64));\n";
    }
  }
  return statement(
      "{\n" + body + leave("(ulong)" + a + ".x + (ulong)" + a + ".w * 3u + (ulong)" + b + ".y * 5u") + "\n" +
          leave("(ulong)" + eight + ".s" + number(8) + " + (ulong)" + three + "." + any_of({"x", "y", "z"}) +
                " * 7u + (ulong)" + two + ".y") +
          "\n}",
      expression({type.scalar, type.bits, 'u', 4}, 1), expression(type, 1), expression(type, 2), small(31));
}

} // namespace differential
