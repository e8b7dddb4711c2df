#include "differential/generator.hpp"

namespace differential {

namespace {

template <class... Children>
Node jump(std::string form, Children... children) {
  Node result = statement(std::move(form), std::move(children)...);
  result.is_jump = true;
  return result;
}

} // namespace

Node Generator::block(Flow flow, unsigned length) {
  Node result = list();
  ++depth_;
  for (unsigned i = 0; i < length && budget_ > 0; ++i) {
    --budget_;
    result.children.push_back(any_statement(flow));
  }
  --depth_;
  return result;
}

Node Generator::any_statement(Flow flow) {
  if (flow == Flow::divergent) return divergent_statement();
  if (chance(40)) return uniform_statement();
  bool in_uniform_loop = std::exchange(in_loop_, false); // which work-items must not leave alone
  Node result = divergent_statement();
  in_loop_ = in_uniform_loop;
  return result;
}

Node Generator::divergent_statement() {
  if (depth_ < 5 && budget_ > 0 && chance(40)) return nested(Flow::divergent);
  if (chance(8) && (in_loop_ || may_return_)) return jumping(Flow::divergent);
  return simple_statement();
}

Node Generator::simple_statement() {
  if (in_function_) return assignment();
  if (named_ && !named_->is_uniform && chance(70)) return (this->*named_->statement)();
  if (theme_ != Theme::all && theme_ != Theme::named && chance(60)) return statement_of(theme_);
  static constexpr Theme themes[] = {
      Theme::memory,      Theme::memory,      Theme::memory,      Theme::views,      Theme::atomics,
      Theme::atomics,     Theme::logs,        Theme::calls,       Theme::edges,      Theme::assignments,
      Theme::assignments, Theme::assignments, Theme::assignments, Theme::assignments};
  const Theme theme = themes[below(std::size(themes))];
  // The host's C++ has no types of other alignment.
  return statement_of(named_ && theme == Theme::views ? Theme::memory : theme);
}

Node Generator::statement_of(Theme theme) {
  switch (theme) {
  case Theme::memory:
    return chance(65) ? store() : chance(50) ? pointer_statement() : row_sum();
  case Theme::edges:
    return guarded_statement();
  case Theme::views:
    return chance(40) ? view_reads() : chance(70) ? view_writes() : private_views();
  case Theme::atomics:
    return atomic_statement();
  case Theme::logs:
    return chance(75) ? append() : claim();
  case Theme::calls:
    return chance(60) ? call_statement() : structure_statement();
  default:
    return assignment();
  }
}

Node Generator::assignment() {
  if (!arrays_.empty() && chance(20)) {
    const Array& array = pick(std::span<const Array>(arrays_));
    Node at = chance(30) ? literal(scalar_type("int")) : expression(scalar_type("int"), 2);
    return statement(array.name + "[$0 & " + std::to_string(array.mask) + "] = $1;", std::move(at),
                     expression(array.type, 1));
  }
  const Variable* variable = target([](const Variable&) { return true; });
  return variable ? assignment_to(Variable(*variable)) : statement(";");
}

Node Generator::assignment_to(const Variable& variable) {
  const Type type = variable.type, element = type.element();
  if (type.count == 4 && chance(40))
    return statement(variable.name + "." + any_of({"x", "y", "z", "w"}) + " = $0;", expression(element, 1));
  if (type.count > 1 && type.count != 3 && !variable.is_volatile && chance(25))
    return statement("((private " + std::string(element.scalar) + "*)&" + variable.name + ")[$0 & " +
                         std::to_string(type.count - 1) + "] = $1;",
                     expression(scalar_type("int"), 2), expression(element, 1));
  if (type.kind == 'u' && type.bits >= 32 && chance(25))
    return statement(variable.name + any_of({" += ", " ^= ", " -= ", " *= "}) + "$0;", expression(type, 1));
  if (type.kind == 'u' && type.count == 1 && !variable.is_volatile &&
      chance(10)) // the divisor is zero in lanes that stay out
    return statement("if (" + variable.name + " != 0) " + variable.name + " = (" + type.name() + ")($0 " +
                         any_of({"/", "%"}) + " " + variable.name + ");",
                     expression(type, 1));
  return statement(variable.name + " = $0;", expression(type));
}

/// To what belongs to this work-item alone.
Node Generator::store() {
  auto value = [&](const char* type) { return expression(scalar_type(type), 1); };
  switch (below(10)) {
  case 9:
    return statement("*(volatile global int*)(out32 + i * 4 + " + number(4) + ") = $0;", value("int"));
  case 0:
  case 1:
    return statement("out32[i * 4 + $0] = $1;", small(3), value("int"));
  case 2:
    return statement("out32[i + " + std::to_string(4 + below(4)) + " * n] = $0;", value("int"));
  case 3:
    return statement("out8[i * 8 + $0] = $1;", small(7), value("uchar"));
  case 4:
    return statement("out64[(n - 1 - i) * 4 + $0] = $1;", small(3), value("ulong"));
  case 5:
    return statement("outf[i * 4 + $0] = canonical($1);", small(3), value("float"));
  case 6:
    return statement("vstore4($0, i, out32);", expression({"int", 32, 's', 4}, 1));
  case 7:
    return statement("vstore3($0, 0, out8 + i * 8 + " + std::to_string(below(6)) + ");",
                     expression({"uchar", 8, 'u', 3}, 1));
  default:
    return statement("*(global long2*)(out64 + (n - 1 - i) * 4 + 2) = $0;",
                     expression({"long", 64, 's', 2}, 1));
  }
}

/// Addresses that differ between lanes in more than a number.
Node Generator::pointer_statement() {
  const std::string pointer = fresh("p");
  if (chance(50) || arrays_.size() < 2 || !(arrays_[0].type == arrays_[1].type)) {
    if (chance(30))
      return statement("{\nglobal int* " + pointer + " = $0 ? out32 + i * 4 : out32 + i * 4 + 2;\n" +
                           pointer + "[$1 & 1] = $2;\n}",
                       condition(1), expression(scalar_type("int"), 2), expression(scalar_type("int"), 1));
    return statement("{\nglobal const int* " + pointer +
                         " = $0 ? in32 + $1 : in32 + $2;\nout32[i * 4 + 1] = " + pointer + "[$3];\n}",
                     condition(1), index(), index(), small(15));
  }
  const char* space = chance(50) ? "private " : ""; // or generic
  std::string mask = std::to_string(std::min(arrays_[0].mask, arrays_[1].mask));
  std::string type = arrays_[0].type.name();
  return statement("{\n" + (space + type) + "* " + pointer + " = $0 ? " + arrays_[0].name + " : " +
                       arrays_[1].name + ";\n" + pointer + "[$1 & " + mask + "] = (" + type + ")(" + pointer +
                       "[$2 & " + mask + "] + (" + type + ")1u);\n}",
                   condition(1), expression(scalar_type("int"), 2), expression(scalar_type("int"), 2));
}

Node Generator::nested(Flow flow) {
  bool uniform = flow == Flow::uniform;
  if (loops_ < 3 && chance(40)) return loop(flow);
  if (chance(25)) return choice(flow);
  Node test = condition(0, uniform);
  Node yes = block(flow, 1 + below(3));
  if (chance(50)) return statement("if ($0) {\n$1\n}", std::move(test), std::move(yes));
  return statement("if ($0) {\n$1\n} else {\n$2\n}", std::move(test), std::move(yes),
                   block(flow, 1 + below(3)));
}

Node Generator::choice(Flow flow) {
  bool outer = std::exchange(in_loop_, false); // break means something else here, and continue would skip it
  bool uniform = flow == Flow::uniform;
  std::string form = "switch ($0 & " + std::to_string(chance(70) ? 3 : 7) + ") {\n";
  Node result = statement("", expression(scalar_type("int"), 1, uniform));
  unsigned cases = 1 + below(4);
  for (unsigned i = 0; i < cases; ++i) {
    Node body = block(flow, 1 + below(2));
    if (outer && chance(15)) {
      Node next = statement("if ($0) continue;", condition(1, uniform));
      next.is_jump = true;
      body.children.push_back(std::move(next));
    }
    result.children.push_back(std::move(body));
    std::string hole = "$" + std::to_string(result.children.size() - 1);
    form += "case " + std::to_string(i) + ": {\n" + hole + "\n}" + (chance(70) ? "\nbreak;\n" : "\n");
  }
  if (chance(60)) {
    result.children.push_back(block(flow, 1));
    form += "default: {\n$" + std::to_string(result.children.size() - 1) + "\n}\n";
  }
  result.form = form + "}";
  in_loop_ = outer;
  return result;
}

Node Generator::loop(Flow flow) {
  bool uniform = flow == Flow::uniform;
  bool outer = std::exchange(in_loop_, true);
  ++loops_;
  std::string counter = fresh("k");
  Node limit =
      chance(30) ? node(Node::Kind::text, std::to_string(1 + below(5))) : small(chance(80) ? 3 : 7, uniform);
  Node test = condition(0, uniform);
  unsigned kind = below(10);
  bool counts = kind < 5;
  if (counts) variables_.push_back({counter, scalar_type("int"), uniform, true});
  Node body = block(flow, 1 + below(4));
  if (counts) variables_.pop_back();
  --loops_;
  in_loop_ = outer;
  const std::string bound = " && " + counter + "++ < " + std::to_string(2 + below(6));
  if (kind < 4)
    return statement("for (int " + counter + " = " + any_of({"0", "0", "-1"}) + "; " + counter + " < $0; ++" +
                         counter + ") {\n$1\n}",
                     std::move(limit), std::move(body));
  if (kind == 4)
    return statement("for (int " + counter + " = $0; " + counter + " > 0; --" + counter + ") {\n$1\n}",
                     std::move(limit), std::move(body));
  if (kind < 7)
    return statement("{\nint " + counter + " = 0;\nwhile ($0" + bound + ") {\n$1\n}\n}", std::move(test),
                     std::move(body));
  if (kind < 9)
    return statement("{\nint " + counter + " = 0;\ndo {\n$1\n} while ($0" + bound + ");\n}", std::move(test),
                     std::move(body));
  if (has_jump(body))
    return statement("{\nint " + counter + " = 0;\nwhile ($0" + bound + ") {\n$1\n}\n}", std::move(test),
                     std::move(body));
  return jump_loop(counter, bound, std::move(test), std::move(body), uniform);
}

/// A loop of jumps: with one entry, or with two.
Node Generator::jump_loop(const std::string& counter, const std::string& bound, Node test, Node body,
                          bool uniform) {
  std::string label = fresh("again_");
  switch (below(required_lanes_ == 0 ? 3 : 2)) {
  case 0:
    return statement("{\nint " + counter + " = 0;\n" + label + ":;\n$1\nif ($0" + bound + ") goto " + label +
                         ";\n}",
                     std::move(test), std::move(body));
  case 1:
    return statement("{\nint " + counter + " = 0;\nif ($2) goto " + label + ";\nwhile ($0" + bound +
                         ") {\n$1\n" + label + ":;\n$3\n}\n}",
                     std::move(test), std::move(body), condition(1, uniform),
                     uniform ? statement(";") : assignment());
  default: { // two parts that go to each other, both of which are entered
    const std::string other = fresh("part_");
    has_entered_loops_ = true;
    return statement("{\nint " + counter + " = 0;\nif ($2) goto " + other + ";\n" + label + ":;\n$1\n" +
                         other + ":;\n$3\nif ($0" + bound + ") goto " + label + ";\nif ($4" + bound +
                         ") goto " + other + ";\n}",
                     std::move(test), std::move(body), condition(1, uniform),
                     uniform ? statement(";") : assignment(), condition(1, uniform));
  }
  }
}

Node Generator::jumping(Flow flow) {
  Node test = condition(0, flow == Flow::uniform);
  if (in_loop_ && chance(75))
    return jump("if ($0) " + any_of({"break;", "break;", "continue;"}), std::move(test));
  if (!may_return_) return assignment();
  if (in_function_) return statement("if ($0) return $1;", std::move(test), expression(result_type_, 2));
  if (chance(50)) return statement("if ($0) goto out;", std::move(test));
  return statement("if ($0) {\nresult[" + place_ + "] = 1234 + (ulong)$1;\nreturn;\n}", std::move(test),
                   expression(scalar_type("uint"), 2));
}

Node Generator::structure_statement() {
  if (chance(35)) {
    const std::string record = fresh("r");
    return statement("{\nconst struct record " + record + " = ((global const struct record*)in64)[" +
                         any_of({"i", "i ^ $0", "n - 1 - i", "(i + $0) % n", "$0"}) +
                         "];\nout64[(n - 1 - i) * 4 + " + number(4) + "] = " + record + ".a + (ulong)" +
                         record + any_of({".b", ".c", ".d[1]"}) + " * 3 + bits(" + record + ".e);\n}",
                     distance());
  }
  if (structures_.empty()) return call_statement();
  const std::string &to = pick(std::span<const std::string>(structures_)),
                    from = pick(std::span<const std::string>(structures_));
  if (chance(50)) return statement(to + " = ((global const struct parts*)in64)[$0];", small(31));
  return statement(to + " = $0 ? " + from + " : ((global const struct parts*)in64)[" +
                       any_of({"i", "n - 1 - i", "i ^ 1", "0"}) + "];",
                   condition(1));
}

/// Loops that do little but read: down columns, along rows, and along rows whose lengths differ.
Node Generator::row_sum() {
  const std::string k = fresh("k"), sum = fresh("sum");
  Node limit = chance(50) ? node(Node::Kind::text, "4") : expression_node("1 + $0", small(3, chance(70)));
  std::string begin = "0", term;
  switch (below(dimensions_ > 1 ? 5 : 4)) {
  case 0:
    term = "(uint)in32[i + $k * n]";
    break;
  case 1:
    term = "(uint)in32[i * 4 + $k]";
    break;
  case 2:
    term = "(uint)in32[$k] * (uint)in32[i + $k]";
    break;
  case 3:
    begin = "in32[i] & 7";
    limit = node(Node::Kind::text, "(in32[i + 1] & 15)");
    term = "(uint)in32[$k] * (uint)in32[in8[$k] & 63]";
    break;
  default:
    term = "(uint)in32[y * 4 + $k] * (uint)in32[$k * sx + x]";
  }
  if (chance(30))
    for (std::size_t at = 0; (at = term.find("(uint)in32", at)) != std::string::npos;)
      term.replace(at, 10, "inf");
  for (std::size_t at = 0; (at = term.find("$k", at)) != std::string::npos;)
    term.replace(at, 2, k);
  const bool is_float = term.starts_with("inf");
  return statement("{\n" + std::string(is_float ? "float " : "uint ") + sum + " = 0;\nfor (int " + k + " = " +
                       begin + "; " + k + " < $0; ++" + k + ") " + sum + " += " + term +
                       ";\nout64[(n - 1 - i) * 4 + " + number(4) + "] = bits(" +
                       (is_float ? sum : "(ulong)" + sum) + ");\n}",
                   std::move(limit));
}

} // namespace differential
