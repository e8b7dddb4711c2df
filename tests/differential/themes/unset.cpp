// Variables, arrays and structures without initial value. What is read of them has been written: by this work-item, by
// all of its sub-group, or by all of its group, but never by all on every path.

#include "differential/generator.hpp"

namespace differential {

namespace {

constexpr const char* local_fence = "barrier(CLK_LOCAL_MEM_FENCE);";

void put(std::string& form, const std::string& name, const std::string& text) {
  for (std::size_t at = 0; (at = form.find(name, at)) != std::string::npos; at += text.size())
    form.replace(at, name.size(), text);
}

/// SET: who writes and reads, SUB: the same by sub-group; X: what; $0, $1: values; $2: another statement; $3: a
/// condition of the group; $5: an index.
constexpr const char* forms[] = {
    "uint X;\nif (SET) X = $0;\n$2\nWAIT\nif (SET) LEAVE(X)",
    "uint X[4];\nif (SET) X[i & 3] = $0;\nWAIT\n$2\nif (SET) LEAVE(X[i & 3])",
    "uint X[3];\nfor (int R = 0; R < 3; ++R) {\nif (SET) X[R] = $0 + (uint)R;\nWAIT\n}\n$2\nif (SET) "
    "LEAVE(X[2] * 3u + X[0])",
    "struct parts X;\nif (SET) {\nX.a = (int)$0;\n$2\n}\nWAIT\nif (SET) X.c = X.a;\nWAIT\nif (SET) "
    "LEAVE((ulong)X.c)",
    "uint4 X;\nif (SET) X.y = $0;\nWAIT\n$2\nif (SET) X.w = X.y + 1u;\nWAIT\nif (SET) LEAVE(X.w)",
    "uint X;\nif ($3) {\nX = $0;\n$2\nWAIT\n}\nWAIT\nif ($3) LEAVE(X)",
    "uint X, Y;\nif ($3) X = $0;\nelse Y = $1;\nWAIT\n$2\nif ($3) LEAVE(X)\nelse LEAVE(Y)",
    "uint X;\nfor (int R = 0; R < 4; ++R) {\nif (R == 2 && SET) LEAVE(X)\nif (R == 1) {\nX = "
    "$0;\n$2\n}\nWAIT\n}",
    "uint X;\nbool Y = false;\nfor (int R = 0; R < 3; ++R) {\nif (SET && !Y) {\nX = $0;\nY = "
    "true;\n$2\n}\nWAIT\nif (Y) LEAVE(X)\n}",
    "uint X;\nswitch (SET ? $3 : 3) {\ncase 0:\nX = $0;\nbreak;\ncase 1:\nX = "
    "$1;\n$2\nbreak;\ndefault:\nbreak;\n}\nWAIT\nif (SET && ($3) < 2) LEAVE(X)",
    "private const uint* X;\nconst uint Y = $0;\nif (SET) X = &Y;\n$2\nWAIT\nif (SET) LEAVE(*X)",
    "uint X;\nif (SET) X = $0;\nWAIT\nconst uint Y = SET ? X : $1;\n$2\nLEAVE(Y)",
    "uint X;\nif (SUB) X = (uint)VOLATILE;\n$2\nWAIT\nLEAVE(SUB ? X : (uint)VOLATILE)",
    "uint X;\nif (!(SET)) goto R;\nX = $0;\n$2\nR:;\nWAIT\nif (SET) LEAVE(X)",
};

} // namespace

Node Generator::unset() {
  if (chance(25)) return unset_variable();
  const std::string set = fresh("set");
  const std::string who =
      any_of({"lid == 0", "lid == lsize - 1", "(lid & 3) == 1", "i % 5 == 2", "$4", "$3", "lid < 8",
              "lid / 4 == 1", "lx == 0", "get_group_id(0) == 0", "(in32[i] & 1) == 0"});
  std::string form = forms[below(std::size(forms))];
  for (std::size_t at = 0; (at = form.find("LEAVE(", at)) != std::string::npos;) {
    std::size_t end = at + 6;
    for (int depth = 1; depth > 0; ++end)
      depth += form[end] == '(' ? 1 : form[end] == ')' ? -1 : 0;
    const std::string value = "(ulong)(" + form.substr(at + 6, end - at - 7) + ")";
    form.replace(at, end - at, leave(value));
  }
  // Which work-items a sub-group has depends on the way; what is read here does not.
  put(form, "SUB",
      any_of(
          {"get_sub_group_id() == 0", "get_sub_group_local_id() == 0", "(get_sub_group_id() & 1u) == 1u"}));
  put(form, "VOLATILE", "*(volatile global const int*)(in32 + $5)");
  put(form, "SET", set);
  put(form, "WAIT", local_fence);
  put(form, "X", fresh("x"));
  put(form, "Y", fresh("y"));
  put(form, "R", fresh("r"));
  auto value = [&] {
    return chance(50) ? expression(scalar_type("uint"), 1)
                      : typed(scalar_type("uint"), true, expression_node("(uint)in32[$0]", small(31, true)));
  };
  Node uniform = condition(1, true);
  return statement("{\nconst bool " + set + " = " + who + ";\n" + form + "\n" + local_fence + "\n}", value(),
                   value(), list(chance(60) ? store() : assignment()), std::move(uniform), condition(1),
                   small(31, true));
}

} // namespace differential
