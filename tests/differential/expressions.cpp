#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

namespace {

constexpr Type types[] = {{"char", 8, 's'},  {"uchar", 8, 'u'},  {"short", 16, 's'}, {"ushort", 16, 'u'},
                          {"int", 32, 's'},  {"uint", 32, 'u'},  {"long", 64, 's'},  {"ulong", 64, 'u'},
                          {"half", 16, 'f'}, {"float", 32, 'f'}, {"double", 64, 'f'}};
constexpr unsigned integer_types = 8;

Type unsigned_of(Type type) {
  for (Type candidate : types)
    if (candidate.bits == type.bits && candidate.kind == 'u')
      return {candidate.scalar, type.bits, 'u', type.count};
  return type;
}

/// Where arithmetic on the type wraps: narrow types would be promoted to int, which must not overflow.
Type arithmetic_type(Type type) {
  if (type.count > 1) return unsigned_of(type);
  return scalar_type(type.bits == 64 ? "ulong" : "uint");
}

} // namespace

std::string convert(Type to, const std::string& what) {
  return (to.count > 1 ? "convert_" + to.name() : "(" + to.name() + ")") + "(" + what + ")";
}

Type scalar_type(std::string_view name) {
  return *std::find_if(std::begin(types), std::end(types),
                       [&](const Type& type) { return name == type.scalar; });
}

Type Generator::any_integer() {
  return chance(50) ? types[4 + below(2)] : types[below(integer_types)];
}

Type Generator::any_scalar(bool with_float) {
  if (!with_float || chance(75)) return any_integer();
  return types[integer_types + (uses_half_ ? below(3) : 1 + below(2))];
}

Node Generator::typed(Type type, bool is_uniform, Node tree) const {
  tree.kind = Node::Kind::expression;
  tree.type = type.name();
  tree.is_uniform = is_uniform;
  return tree;
}

Node Generator::small(unsigned mask, bool is_uniform) {
  return expression_node("($0 & " + std::to_string(mask) + ")",
                         expression(scalar_type("int"), 2, is_uniform));
}

Node Generator::literal(Type type) {
  std::string value = any_of({"0", "1", "2", "3", "5", "7", "8", "12", "31", "63", "100", "127"});
  if (type.is_float()) {
    value += any_of({".0", ".5", ".25"});
    if (type.bits == 32) value += "f";
    return expression_node("(" + type.name() + ")(" + value + ")");
  }
  if (type.bits >= 32 && chance(20)) value = any_of({"0x7fffffff", "65535", "1000003", "0x55aa55aa"});
  if (type.bits >= 64 && chance(10)) value = "0x123456789abcdefL";
  if (type.kind == 's' && chance(25)) value = "-" + value;
  return expression_node("(" + type.name() + ")(" + value + ")");
}

Node Generator::leaf(Type type, bool is_uniform) {
  std::vector<const Variable*> fitting, others;
  for (const Variable& variable : variables_) {
    if (is_uniform && !variable.is_uniform) continue;
    if (variable.type == type)
      fitting.push_back(&variable);
    else if (variable.type.count == type.count && variable.type.is_float() == type.is_float())
      others.push_back(&variable);
  }
  auto one_of = [&](const std::vector<const Variable*>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  };
  if (!fitting.empty() && chance(60)) return expression_node(one_of(fitting)->name);
  if (!others.empty() && chance(40)) return expression_node(convert(type, one_of(others)->name));
  if (!is_uniform && type.count == 1 && chance(60)) return memory_read(type);
  if (type.count > 1) return vector_expression(type, 9, is_uniform);
  return literal(type);
}

Node Generator::integer_operation(Type type, unsigned depth, bool is_uniform) {
  Type wide = arithmetic_type(type);
  auto part = [&](Type of) { return expression(of, depth + 1, is_uniform); };
  auto as = [&](const char* hole) { return convert(wide, hole); };
  auto number = [&](Type of, const char* value) { return "(" + of.name() + ")(" + value + ")"; };
  std::string form;
  switch (below(type.count == 1 ? 11 : 7)) {
  case 0:
  case 1:
    form = as("$0") + any_of({" + ", " - ", " * "}) + as("$1");
    break;
  case 2:
    form = as("$0") + any_of({" & ", " | ", " ^ "}) + as("$1");
    break;
  case 3:
    form = as("$0") + " << (" + as("$1") + " & " + number(wide, "7") + ")";
    break;
  case 4: // an arithmetic shift where the type is signed
    form = "($0) >> (($1) & " + number(type, "7") + ")";
    break;
  case 5:
    form = "($0) " + any_of({"/", "%"}) + " ((($1) & " + number(type, "7") + ") + " + number(type, "1") + ")";
    break;
  case 6:
    if (type.count == 1 && type.kind == 's' && chance(50)) {
      form = "($0) " + any_of({"/", "%"}) + " (($1) == 0 || ($1) == -1 ? " + number(type, "3") + " : ($1))";
      break;
    }
    form = as("$0") + any_of({" / ", " % "}) + "(" + as("$1") + " | " + number(wide, "1") + ")";
    break;
  case 7: // shifts count modulo the number of bits, but not in C++
    form = as("$0") + any_of({" << ", " >> "}) +
           (named_ ? "(" + as("$1") + " & " + std::to_string(wide.bits - 1) + ")" : as("$1"));
    break;
  case 8: // what must not overflow, and so is known not to
    form = any_of({"((int)($0) & 2047) * ((int)($1) & 2047)", "((int)($0) & 65535) - ((int)($1) & 65535)",
                   "((int)($0) & 255) + ((int)($1) & 255) * 3", "((int)($0) & 15) << ((int)($1) & 7)"});
    break;
  default:
    return typed(type, is_uniform,
                 expression_node(convert(type, "$0 ? $1 : $2"), condition(depth + 1, is_uniform), part(type),
                                 part(type)));
  }
  return typed(type, is_uniform, expression_node(convert(type, form), part(type), part(type)));
}

Node Generator::built_in(Type type, unsigned depth, bool is_uniform) {
  const std::string name = type.name();
  auto part = [&] { return expression(type, depth + 1, is_uniform); };
  switch (below(8)) {
  case 0:
    return expression_node(any_of({"min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate"}) +
                               "($0, $1)",
                           part(), part());
  case 1:
    return expression_node("as_" + name + "(abs_diff($0, $1))", part(), part());
  case 2:
    return expression_node("as_" + name + "(abs($0))", part());
  case 3:
    return expression_node(any_of({"popcount", "clz"}) + "($0)", part());
  case 4:
    return expression_node("bitselect($0, $1, $2)", part(), part(), part());
  case 5:
    return expression_node("clamp($0, (" + name + ")(3), (" + name + ")(100))", part());
  case 6:
    return expression_node("convert_" + name + "_sat($0)",
                           expression({any_integer().scalar, 0, 's', type.count}, depth + 2, is_uniform));
  default:
    if (type.bits == 32 && type.count == 1 && chance(50))
      return expression_node(convert(type, "mul24((int)($0) & 0xfff, (int)($1) & 0xfff)"), part(), part());
    const Type wide = arithmetic_type(type); // which may overflow
    return expression_node(convert(type, convert(wide, "$0") + " + " + convert(wide, "$1")), part(),
                           literal(type));
  }
}

/// Exact in every implementation: no contraction, no NaN of a certain payload.
Node Generator::float_operation(Type type, unsigned depth, bool is_uniform) {
  auto part = [&] { return expression(type, depth + 1, is_uniform); };
  switch (below(type.count == 1 ? 7 : 4)) {
  case 0:
  case 1:
    return expression_node("($0" + any_of({" + ", " - ", " * "}) + "$1)", part(), part());
  case 2:
    if (type.bits > 16) return expression_node("($0 / $1)", part(), part());
    return expression_node("($0 * $1)", part(), part());
  case 3:
    return expression_node(any_of({"fabs", "floor", "trunc", "-"}) + "($0)", part());
  case 4:
    if (type.bits > 16) return expression_node("fma($0, $1, $2)", part(), part(), part());
    return expression_node("fabs($0)", part());
  case 5:
    return expression_node("($0 ? $1 : $2)", condition(depth + 1, is_uniform), part(), part());
  default:
    return expression_node("(" + type.name() + ")($0)", expression(any_integer(), depth + 1, is_uniform));
  }
}

Node Generator::conversion(Type type, unsigned depth, bool is_uniform) {
  Type from = any_scalar();
  from.count = type.count;
  if (from.is_float() && !type.is_float()) {
    // What does not fit has no defined result.
    if (type.count > 1)
      return expression_node("convert_" + type.name() + "_sat($0)",
                             expression({"int", 32, 's', type.count}, depth + 1, is_uniform));
    return expression_node("(" + type.name() + ")bounded($0)", expression(from, depth + 1, is_uniform));
  }
  return expression_node(convert(type, "$0"), expression(from, depth + 1, is_uniform));
}

Node Generator::vector_expression(Type type, unsigned depth, bool is_uniform) {
  const Type element = type.element();
  auto part = [&](Type of) { return expression(of, depth + 1, is_uniform); };
  const std::string name = type.name();
  if (depth < 4 && chance(50)) {
    if (chance(30) && type.count == 4)
      // The cast makes a vector of what was selected, from which C++ of the host can select again.
      return expression_node(
          "((" + name + ")($0))." + any_of({"wzyx", "xxzz", "yxwz", "xyzx", "hi.yxyx", "s3210"}), part(type));
    if (type.is_float()) return float_operation(type, depth, is_uniform);
    switch (below(6)) {
    case 0:
      return expression_node("select($0, $1, $2" + any_of({" < ", " == ", " != "}) + "$3)", part(type),
                             part(type), part(type), part(type));
    case 1:
      return built_in(type, depth, is_uniform);
    case 2:
      return conversion(type, depth, is_uniform);
    default:
      return integer_operation(type, depth, is_uniform);
    }
  }
  if (!is_uniform && !in_function_ && chance(50)) {
    const std::string count = std::to_string(type.count);
    if (type.is_float() && type.bits == 32)
      return expression_node("vload" + count + "(0, inf + $0)", index());
    if (name == "uchar" + count) return expression_node("vload" + count + "(0, in8 + $0)", index());
    if (!type.is_float())
      return expression_node("convert_" + name + "(vload" + count + "(0, in32 + $0))", index());
  }
  if (depth > 8 || chance(40))
    return expression_node("(" + name + ")($0)", depth > 8 ? literal(element) : part(element));
  if (type.count == 2) return expression_node("(" + name + ")($0, $1)", part(element), part(element));
  if (type.count == 4)
    return expression_node("(" + name + ")($0, $1, $2, $3)", part(element), part(element), literal(element),
                           part(element));
  return expression_node("(" + name + ")($0)", part(element));
}

Node Generator::condition(unsigned depth, bool is_uniform) {
  Type type = any_scalar();
  auto part = [&] { return expression(type, depth + 1, is_uniform); };
  auto finish = [&](Node tree) {
    tree.type = "bool";
    tree.is_uniform = is_uniform;
    return tree;
  };
  if (depth < 2 && chance(12))
    return finish(expression_node("($0" + any_of({" && ", " || "}) + "$1)", condition(depth + 1, is_uniform),
                                  condition(depth + 1, is_uniform)));
  if (chance(8)) return finish(expression_node("!$0", condition(depth + 1, is_uniform)));
  if (chance(35)) {
    const unsigned divisor = 2 + below(4);
    return finish(expression_node("($0 % " + std::to_string(divisor) + "u == " + number(divisor) + "u)",
                                  expression(scalar_type("uint"), depth + 1, is_uniform)));
  }
  return finish(
      expression_node("($0 " + any_of({"<", ">", "==", "!=", "<=", ">="}) + " $1)", part(), part()));
}

Node Generator::expression(Type type, unsigned depth, bool is_uniform) {
  if (type.bits == 0)
    type = {type.scalar, scalar_type(type.scalar).bits, scalar_type(type.scalar).kind, type.count};
  if (depth >= expression_depth_ || chance(30)) return typed(type, is_uniform, leaf(type, is_uniform));
  if (type.count > 1) return typed(type, is_uniform, vector_expression(type, depth, is_uniform));
  if (chance(10)) return typed(type, is_uniform, conversion(type, depth, is_uniform));
  if (!functions_.empty() && chance(theme_ == Theme::calls ? 40 : 8)) return call(type, depth, is_uniform);
  if (type.is_float()) return typed(type, is_uniform, float_operation(type, depth, is_uniform));
  if (chance(15)) return typed(type, is_uniform, built_in(type, depth, is_uniform));
  return integer_operation(type, depth, is_uniform);
}

} // namespace differential
