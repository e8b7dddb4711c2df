// Arguments that share memory, in every way that a program can give them: a work-item has four places in it, which it
// reaches through each of them, and the words before all places are only read.

#include "differential/generator.hpp"
#include "differential/sharing.hpp"

namespace differential {

Launches Generator::overlapping(Launches launches) {
  for (Range& range : launches.ranges)
    range.sharing = pick(sharings()).name;
  return launches;
}

Node Generator::overlap() {
  auto argument = [&] { return below(shared_arguments); };
  auto start = [&](unsigned number) {
    const std::string digit = std::to_string(number);
    return "over" + digit + " + i * 4 + at" + digit;
  };
  auto place = [&](const char* which) { return "(" + start(argument()) + ")[" + which + "]"; };
  auto own = [&] { return place(any_of({"0", "1", "2", "3", "$0 & 3", "i & 3"}).c_str()); };
  const std::string k = fresh("k"), p = fresh("p"), q = fresh("p"), t = fresh("t"),
                    all = "over" + number(shared_arguments);
  std::string form;
  switch (below(9)) {
  case 0:
    form = own() + any_of({" = ", " += ", " ^= ", " -= "}) + "$1;";
    break;
  case 1:
    form = own() + " = " + own() + any_of({" + ", " ^ ", " * "}) + own() + any_of({";", " + $1;"});
    break;
  case 2: // each iteration reads what the last one has written
    form = "for (int " + k + " = 0; " + k + " < $3; ++" + k + ") " + place((k + " & 3").c_str()) +
           any_of({" += ", " = "}) + place(("(" + k + " + 1) & 3").c_str()) +
           any_of({" * 3u + ", " ^ ", " + "}) + own() + ";";
    break;
  case 3:
    form = "vstore4(vload4(0, " + start(argument()) + ")" + any_of({"", ".wzyx", ".zwxy", " + 1u"}) +
           ", 0, " + start(argument()) + ");";
    break;
  case 4: // read, written, and read again
    form = "{\nconst uint " + t + " = " + own() + ";\n" + own() + " = $1;\nif ($2) " + own() + " = " + t +
           " + " + own() + " * 5u;\n}";
    break;
  case 5:
    form = "{\nglobal uint* " + p + " = " + start(argument()) + ";\nglobal const uint* " + q + " = " +
           start(argument()) + ";\nfor (int " + k + " = 0; " + k + " < " +
           any_of({"4", "3", "2", "($3 & 3)"}) + "; ++" + k + ") *" + p + "++ " + any_of({"=", "^=", "+="}) +
           " *" + q + "++ + (uint)" + k + ";\n}";
    break;
  case 6:
    form = "atomic_" + any_of({"add", "xor", "max"}) + "(&" + own() + ", $1);\n" + leave("(ulong)" + own());
    break;
  case 7: // what is only read, between writes
    form =
        "for (int " + k + " = 0; " + k + " < $3; ++" + k + ") " + own() + " += " + all + "[" +
        pick({k, "(" + k + " * 3 & 31)", "31 - " + k, std::string("$0 & 31"), std::string("(in8[i] & 31)")}) +
        "];";
    break;
  default:
    form = "(" + any_of({"$2", "i & 1", "m == 0"}) + " ? " + start(argument()) + " : " + start(argument()) +
           ")[$0 & 3] " + any_of({"= ", "+= "}) + own() + " + $1;\n" + leave("(ulong)" + own() + " * 3u");
  }
  return statement(std::move(form), expression(scalar_type("int"), 2), expression(scalar_type("uint"), 1),
                   condition(1), chance(50) ? small(7) : small(15, true));
}

} // namespace differential
