// Arithmetic of 8 and 16 bits, which is done in 32 and wraps where it is stored.

#include "differential/generator.hpp"

namespace differential {

Node Generator::narrow() {
  if (chance(35)) return narrow_loop();
  const bool is_byte = chance(60);
  const std::string u = is_byte ? "uchar" : "ushort", s = is_byte ? "char" : "short";
  const std::string a = fresh("a"), b = fresh("b"), c = fresh("c"), bits = is_byte ? "7" : "15";
  std::string body = u + " " + a + " = $0, " + b + " = (" + u + ")$1;\n" + s + " " + c + " = $2;\n";
  for (unsigned lines = 2 + below(4); lines > 0; --lines) {
    const std::string x = chance(50) ? a : b, y = chance(50) ? a : b;
    switch (below(14)) {
    case 0:
      body +=
          x + any_of({" += ", " -= ", " ^= ", " |= "}) + any_of({"200", y.c_str(), c.c_str(), "1"}) + ";\n";
      break;
    case 1:
      body += any_of({"++", "--"}) + x + ";\n";
      break;
    case 2:
      body += x + " = " + any_of({"-", "~"}) + y + ";\n";
      break;
    case 3:
      body += x + " = (" + u + ")((uint)" + a + " * " + b + any_of({"", " >> 8", " + 128u"}) + ");\n";
      break;
    case 4:
      body += x + any_of({" <<= ", " >>= "}) + "(" + y + " & " + bits + ");\n";
      break;
    case 5:
      body += x + " = (" + a + " + " + b + any_of({" + 1) >> 1;\n", ") >> 1;\n", ") / 3;\n"});
      break;
    case 6:
      body += x + " = " + a + " > " + b + " ? " + a + " - " + b + " : " + b + " - " + a + ";\n";
      break;
    case 7:
      body += "if (" + a + any_of({" < ", " == ", " > "}) + c + ") " + x + " = (" + u + ")~" + y + ";\n";
      break;
    case 8:
      body += c + " = (" + s + ")(" + x + any_of({" + 130);\n", " - 100);\n", " * 2);\n"});
      break;
    case 9:
      body += c + any_of({" >>= 1;\n", " /= 3;\n", " %= 7;\n", " = -"}) + "";
      if (body.ends_with("-")) body += c + ";\n";
      break;
    case 10:
      body += x + " = min(" + a + " + " + b + ", " + (is_byte ? "255" : "65535") + ");\n";
      break;
    case 11:
      body += "if ((" + u + ")(" + a + " + 1) == 0 || " + a + " - " + b + " < 0) " + x + " ^= 0x55;\n";
      break;
    case 12:
      body += x + " = rotate(" + y + ", (" + u + ")" + number(9) + ");\n";
      break;
    default:
      body += "if (" + y + " != 0) " + x + any_of({" /= ", " %= "}) + y + ";\n";
    }
  }
  if (chance(40)) body += "out8[i * 8 + (" + a + " & 7)] = (uchar)" + b + ";\n";
  return statement("{\n" + body + leave("(ulong)" + a + " + (ulong)" + b + " * 3u + (ulong)" + c) + "\n}",
                   expression(scalar_type(u), 1), expression(scalar_type("int"), 1),
                   expression(scalar_type(s), 1));
}

/// Loops whose counters wrap, and that filter rows of bytes.
Node Generator::narrow_loop() {
  const std::string k = fresh("k"), sum = fresh("sum");
  const std::string type = any_of({"uchar", "ushort", "char", "short"});
  const bool is_byte = type.ends_with("char");
  std::string loop;
  switch (below(6)) {
  case 0:
    loop = "for (uchar " + k + " = 250; " + k + " > 4; ++" + k + ") " + sum + " += " + k + " ^ in8[$0 + " +
           k + " - 250];\n";
    break;
  case 1:
    loop = "for (" + type + " " + k + " = (" + type + ")$1; " + k + " != (" + type + ")((uint)$1 + 5u); ++" +
           k + ") " + sum + " = (" + type + ")(" + sum + " * 3 + " + k + ");\n";
    break;
  case 2:
    loop = "for (uchar " + k + " = 3; " + k + " < 9; --" + k + ") " + sum + " = (" + type + ")(" + sum +
           " + in8[$0 + " + k + "]);\n";
    break;
  case 3: {
    const std::string x = fresh("x"), y = fresh("y");
    loop = "for (int K = 0; K < 6; ++K) {\nconst uchar X = in8[$0 + K], Y = in8[$0 + K + 1];\nS = (T)(S + "
           "((X + Y + 1) >> "
           "1) + (X > Y ? X - Y : Y - X));\nout8[i * 8 + K] = (uchar)((X * 3 + Y + 2) >> 2);\n}\n";
    const std::pair<char, std::string> names[] = {{'K', k}, {'X', x}, {'Y', y}, {'S', sum}, {'T', type}};
    for (const auto& [letter, name] : names)
      for (std::size_t at = 0; (at = loop.find(letter, at)) != std::string::npos; at += name.size())
        loop.replace(at, 1, name);
    break;
  }
  case 4:
    loop = "for (ushort " + k + " = 0; " + k + " < (ushort)(3 + ($1 & 7)); " + k + " += 2) " + sum + " ^= (" +
           type + ")(in32[$0 + " + k + "] >> " + (is_byte ? "3" : "9") + ");\n";
    break;
  default:
    loop = "for (" + type + " " + k + " = 100; " + k + " > 0; " + k + " = (" + type + ")(" + k +
           " / 2 - ($1 & 1))) " + sum + " = (" + type + ")(" + sum + " - " + k + ");\n";
  }
  return statement("{\n" + type + " " + sum + " = 0;\n" + loop + leave("(ulong)" + sum) + "\n}", index(),
                   expression(scalar_type("int"), 2));
}

} // namespace differential
