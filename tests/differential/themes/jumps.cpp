// switch and goto in shapes that loops and branches do not make: automata, jumps into loops, out of several, and over
// code; early returns of helper functions.

#include "differential/generator.hpp"

namespace differential {

Node Generator::jumps() {
  switch (below(10)) {
  case 0:
  case 1:
  case 2:
    return state_machine();
  case 3:
  case 4:
    return unrolled_switch();
  case 5:
  case 6:
    return graph_of(false);
  case 7: { // over code, in an order in which the jumps cross
    const std::string a = fresh("over_"), b = fresh("over_"), c = fresh("over_");
    return statement("if ($0) goto " + a + ";\n$3\nif ($1) goto " + b + ";\n$4\n" + a +
                         ":;\n$5\nif ($2) goto " + c + ";\n" + b + ":;\n$6\n" + c + ":;",
                     condition(1), condition(1), condition(1), list(assignment()), list(assignment()),
                     list(assignment()), list(assignment()));
  }
  case 8: { // out of two loops, and on with the outer one
    const std::string j = fresh("j"), k = fresh("k"), done = fresh("done_"), next = fresh("next_");
    return statement("for (int " + j + " = 0; " + j + " < 3; ++" + j + ") {\nfor (int " + k + " = 0; " + k +
                         " < 3; ++" + k + ") {\nif ($0) goto " + done + ";\n$2\nif (" + k +
                         " == ($1 & 3)) goto " + next + ";\n$3\n}\n$4\n" + next + ":;\n}\n" + done + ":;",
                     condition(1), expression(scalar_type("int"), 1), list(assignment()), list(assignment()),
                     list(assignment()));
  }
  default: { // early returns in a helper
    const std::string name = fresh("early_");
    const std::string inlining = any_of({"", "__attribute__((noinline)) "});
    declared(name, inlining + "uint " + name +
                       "(uint a, int b) {\nfor (int q = 0; q < 5; ++q) {\nif (a % 7u == " + number(7) +
                       "u) return a + (uint)q;\n" +
                       "switch (b & 3) {\ncase 0:\nreturn a * 3u;\ncase 1:\na += 5u;\nbreak;\ncase 2:\nif (a "
                       "& 1u) return (uint)q;\n" +
                       any_of({"break;", "a ^= 21u;", "continue;"}) +
                       "\ndefault:\na = a * 5u + 1u;\n}\nb >>= 1;\n}\nreturn a;\n}");
    return statement(leave(name + "((uint)$0, $1)"), expression(scalar_type("int"), 1),
                     expression(scalar_type("int"), 1));
  }
  }
}

/// A switch in a loop that says where it goes on.
Node Generator::state_machine() {
  const std::string state = fresh("state"), fuel = fresh("fuel");
  Node cases = list();
  for (int number = 0; number < 4; ++number) {
    const std::string label =
        number == 3 && chance(50) ? "default:\n" : "case " + std::to_string(number) + ":\n";
    const std::string next =
        any_of({"1", "2", "3", "0", "$1 & 3", "($2) ? 2 : 1", (state + " * 3 + 1").c_str()});
    const std::string after =
        any_of({"break;", "break;", "continue;", "", "if ($2) break;", (fuel + " -= 2;\nbreak;").c_str()});
    cases.children.push_back(statement(label + "$0\n" + state + " = (" + next + ") & 3;\n" + after,
                                       list(assignment()), expression(scalar_type("int"), 2), condition(1)));
  }
  return statement("{\nint " + state + " = $0 & 3, " + fuel + " = " + std::to_string(3 + below(6)) +
                       ";\nwhile (" + fuel + "-- > 0) {\nswitch (" + state + ") {\n$1\n}\n$2\n}\n" +
                       leave("(ulong)" + state) + "\n}",
                   expression(scalar_type("int"), 1), std::move(cases), list(assignment()));
}

/// Duff's device.
Node Generator::unrolled_switch() {
  const std::string fuel = fresh("fuel");
  return statement("{\nint " + fuel + " = 1 + ($0 & 3);\nswitch ($1 & 3) {\ncase 0:\ndo {\n$3\n" +
                       any_of({"case 3:", "default:"}) + "\n$4\ncase 2:\n$5\ncase 1:\n$6\n} while (--" +
                       fuel + " > 0 && $2);\n}\n}",
                   expression(scalar_type("int"), 1), expression(scalar_type("int"), 1), condition(1),
                   list(assignment()), list(assignment()), list(assignment()),
                   list(chance(50) ? store() : assignment()));
}

} // namespace differential
