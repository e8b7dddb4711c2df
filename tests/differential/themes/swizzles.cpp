// Elements of vectors, selected, stored, moved and compared.

#include "differential/generator.hpp"

namespace differential {

namespace {

/// Selections that host/vectors.hpp has. Those of `whole` name each element once.
constexpr const char* pairs[] = {"lo", "hi", "even", "odd", "xz", "yw", "xy", "yx", "wz"};
constexpr const char* fours[] = {"wzyx", "s3210", "xxzz", "yxwz", "xyzx", "zwxy", "hi.yxyx"};
constexpr const char* whole[] = {"wzyx", "s3210", "yxwz", "zwxy"};
constexpr const char* halves[] = {"lo", "hi", "even", "odd"};
constexpr const char* operators[] = {"=", "+=", "^=", "=", "-=", "|="};
constexpr const char* comparisons[] = {"<", "==", ">=", ">", "!="};
constexpr const char* single[] = {"x", "w", "s1", "z"};
constexpr const char* numbers[] = {"0", "1", "2", "3", "4", "5", "6", "7"};

/// A and B are vectors of four numbers of type T, C of two, D of three, E of eight; $0 is an index. One of each list:
/// @p, @f, @w, @h, @o, @c, @s, @n.
constexpr const char* lines[] = {
    "A.@p @o B.@p;",
    "A.@p @o C;",
    "A.@p @o C.yx;",
    "A.@p @o C.xx;",
    "A @o B.@f * (T)3;",
    "A @o A.@f * (T)5;",
    "A.@w @o B;",
    "A = select(A, B, A @c B.@f);",
    "E.@h @o A.@f;",
    "A = E.@h + E.@h;",
    "D.zyx @o D;",
    "D.yzx @o D;",
    "C = D.zx;",
    "A.@s += (T)any(B @c A);",
    "B = shuffle(A, (T4)(@n, @n, A.y, @n));",
    "((private T*)&E)[$0 & 7] = A.@s;",
    "E = (T8)(C, D, A.yzw);",
    "B.zyx = D;",
    "A <<= (B & (T)7);",
    "A >>= (B & (T)7);",
    "vstore4(A.@f, 0, (global T*)(raw + slot * 64));",
    "B += vload4(0, (global const T*)(raw + slot * 64));",
};

} // namespace

Node Generator::swizzle() {
  const Type type = scalar_type(any_of({"uint", "uint", "uchar", "ushort", "ulong"}));
  const std::pair<char, std::string> names[] = {{'A', fresh("a")}, {'B', fresh("b")}, {'C', fresh("c")},
                                                {'D', fresh("d")}, {'E', fresh("e")}, {'T', type.name()}};
  const std::pair<char, std::span<const char* const>> lists[] = {
      {'p', pairs},     {'f', fours},       {'w', whole},  {'h', halves},
      {'o', operators}, {'c', comparisons}, {'s', single}, {'n', numbers}};
  auto named = [&](std::string text) {
    for (const auto& [letter, name] : names)
      for (std::size_t at = 0; (at = text.find(letter, at)) != std::string::npos; at += name.size())
        text.replace(at, 1, name);
    for (const auto& [letter, list] : lists)
      for (std::size_t at = 0; (at = text.find(std::string("@") + letter, at)) != std::string::npos;)
        text.replace(at, 2, pick(list));
    return text;
  };
  Node parts = list();
  for (unsigned count = 1 + below(5); count > 0; --count)
    parts.children.push_back(
        statement(named(lines[below(std::size(lines))]), expression(scalar_type("int"), 2)));
  return statement(
      named("{\nT4 A = $0, B = (T4)($1, $2, 3, 4);\nT2 C = A.@p;\nT3 D = vload3(@n, (global const T*)in64 + "
            "($3 & 15));\nT8 E = (T8)(A, B.@f);\n$4\n") +
          leave(named("(ulong)A.x + (ulong)A.w * 3u + (ulong)B.y * 5u")) + "\n" +
          leave(named("(ulong)E.s@n + (ulong)D.x * 7u + (ulong)C.y + (ulong)D.z")) + "\n}",
      expression({type.scalar, type.bits, 'u', 4}, 1), expression(type, 1), expression(type, 2), small(31),
      std::move(parts));
}

} // namespace differential
