#include "differential/generator.hpp"

namespace differential {

namespace {

template <class... Children>
Node jump(std::string form, Children... children) {
  Node result = statement(std::move(form), std::move(children)...);
  result.is_jump = true;
  return result;
}

std::string cell(const char* operation, unsigned number) {
  return std::string("cells[") + operation + " * 8 + " + std::to_string(number) + "]";
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
  if (depth_ < 5 && chance(45)) return nested(Flow::divergent);
  if (chance(8) && (in_loop_ || may_return_)) return jumping(Flow::divergent);
  return simple_statement();
}

Node Generator::simple_statement() {
  if (in_function_) return assignment();
  switch (below(20)) {
  case 0:
  case 1:
  case 2:
    return store();
  case 3:
    return pointer_statement();
  case 4:
    return global_atomic();
  case 5:
    return local_atomic();
  case 6:
    return chance(40) ? cas_loop() : assignment();
  case 7:
    return chance(50) ? call_statement() : structure_statement();
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
  std::vector<const Variable*> targets;
  for (const Variable& variable : variables_)
    if (!variable.is_constant && !variable.is_uniform) targets.push_back(&variable);
  if (targets.empty()) return statement(";");
  const Variable target = *targets[below(static_cast<unsigned>(targets.size()))];
  Type element{target.type.scalar, target.type.bits, target.type.kind};
  if (target.type.count == 4 && chance(40))
    return statement(target.name + "." + any_of({"x", "y", "z", "w"}) + " = $0;", expression(element, 1));
  if (target.type.count > 1 && target.type.count != 3 && chance(25))
    return statement("((private " + std::string(element.scalar) + "*)&" + target.name + ")[$0 & " +
                         std::to_string(target.type.count - 1) + "] = $1;",
                     expression(scalar_type("int"), 2), expression(element, 1));
  if (!target.type.is_float() && target.type.kind == 'u' && target.type.bits >= 32 && chance(25))
    return statement(target.name + any_of({" += ", " ^= ", " -= ", " *= "}) + "$0;",
                     expression(target.type, 1));
  if (target.type.kind == 'u' && target.type.count == 1 &&
      chance(10)) // the divisor is zero in lanes that stay out
    return statement("if (" + target.name + " != 0) " + target.name + " = (" + target.type.name() + ")($0 " +
                         any_of({"/", "%"}) + " " + target.name + ");",
                     expression(target.type, 1));
  return statement(target.name + " = $0;", expression(target.type));
}

/// To what belongs to this work-item alone.
Node Generator::store() {
  auto value = [&](const char* type) { return expression(scalar_type(type), 1); };
  switch (below(9)) {
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
  std::string pointer = fresh("p"), value = fresh("v");
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
  std::string label = fresh("again_");
  if (chance(50))
    return statement("{\nint " + counter + " = 0;\n" + label + ":;\n$1\nif ($0" + bound + ") goto " + label +
                         ";\n}",
                     std::move(test), std::move(body));
  // A loop with two entries.
  return statement("{\nint " + counter + " = 0;\nif ($2) goto " + label + ";\nwhile ($0" + bound +
                       ") {\n$1\n" + label + ":;\n$3\n}\n}",
                   std::move(test), std::move(body), condition(1, uniform), assignment());
}

Node Generator::jumping(Flow flow) {
  Node test = condition(0, flow == Flow::uniform);
  if (in_loop_ && chance(75))
    return jump("if ($0) " + any_of({"break;", "break;", "continue;"}), std::move(test));
  if (!may_return_) return assignment();
  if (in_function_) return statement("if ($0) return $1;", std::move(test), expression(result_type_, 2));
  if (chance(50)) return statement("if ($0) goto out;", std::move(test));
  return statement("if ($0) {\nresult[i] = 1234 + (ulong)$1;\nreturn;\n}", std::move(test),
                   expression(scalar_type("uint"), 2));
}

Node Generator::structure_statement() {
  if (structures_.empty()) return call_statement();
  const std::string &to = pick(std::span<const std::string>(structures_)),
                    from = pick(std::span<const std::string>(structures_));
  if (chance(50)) return statement(to + " = ((global const struct parts*)in64)[$0];", small(31));
  return statement(to + " = $0 ? " + from + " : ((global const struct parts*)in64)[" +
                       any_of({"i", "n - 1 - i", "lid"}) + "];",
                   condition(1));
}

/// Results are not used, or only in sums over all of them: they depend on the order.
Node Generator::global_atomic() {
  Node at = small(7);
  Node value = expression(scalar_type("uint"), 1);
  switch (below(10)) {
  case 0:
    return statement("atomic_add(&cells[ADD * 8 + $0], $1);", std::move(at), std::move(value));
  case 1:
    return statement("atomic_sub(&" + cell("ADD", below(8)) + ", $0);", std::move(value));
  case 2:
    return statement(
        "atomic_" +
            any_of({"or(&cells[OR", "and(&cells[AND", "xor(&cells[XOR", "max(&cells[MAX", "min(&cells[MIN"}) +
            " * 8 + $0], $1);",
        std::move(at), std::move(value));
  case 3:
    return statement(
        "atomic_" +
            any_of({"or(&cells[OR", "and(&cells[AND", "xor(&cells[XOR", "max(&cells[MAX", "min(&cells[MIN"}) +
            " * 8 + 1], $0);",
        std::move(value));
  case 4:
    return statement("atomic_inc(&cells[ADD * 8 + $0]);", std::move(at));
  case 5: // each of the numbers up to the last is returned once, and ends in the same sum
    return statement("atomic_add(&cells[SUM * 8 + $0], scramble(atomic_inc(&cells[COUNT * 8 + $0])));",
                     std::move(at));
  case 6:
    return statement("atomic_add(&" + cell("TICKET", 1) + ", scramble(atomic_inc(&" + cell("TICKET", 0) +
                     ")));");
  case 7:
    return statement("atomic_fetch_add_explicit((volatile global atomic_uint*)&cells[ADD * 8 + $0], $1, " +
                         any_of({"memory_order_relaxed", "memory_order_acq_rel", "memory_order_seq_cst"}) +
                         ", " + any_of({"memory_scope_device", "memory_scope_work_group"}) + ");",
                     node(Node::Kind::text, std::to_string(below(8))), std::move(value));
  case 8:
    return statement("atomic_" +
                         any_of({"max((global int*)&cells[SIGNED", "min((global int*)&cells[1 + SIGNED"}) +
                         " * 8], (int)$0);",
                     std::move(value));
  default:
    return statement("atom_add(&cells64[$0], (ulong)$1);", std::move(at), std::move(value));
  }
}

Node Generator::local_atomic() {
  if (histograms_.empty()) return global_atomic();
  const std::string& histogram = pick(std::span<const std::string>(histograms_));
  switch (below(3)) {
  case 0:
    return statement("atomic_inc(&" + histogram + "[$0 & 15]);", expression(scalar_type("int"), 1));
  case 1:
    return statement("atomic_add(&" + histogram + "[$0], $1);", small(15),
                     expression(scalar_type("uint"), 1));
  default:
    return statement("atomic_sub(&" + histogram + "[" + std::to_string(below(16)) + "], $0);",
                     expression(scalar_type("uint"), 1));
  }
}

Node Generator::cas_loop() {
  std::string old = fresh("old"), seen = fresh("seen");
  if (chance(50))
    return statement("{\nuint " + old + " = cells[CAS * 8 + $0], " + seen + ";\nwhile ((" + seen +
                         " = atomic_cmpxchg(&cells[CAS * 8 + $0], " + old + ", " + old + " + $1)) != " + old +
                         ") " + old + " = " + seen + ";\n}",
                     node(Node::Kind::text, std::to_string(below(8))), node(Node::Kind::text, "(uint)lid"));
  return statement("{\nuint " + old + ", " + seen + ";\ndo {\n" + old +
                   " = *(volatile global uint*)&cells[FLOAT * 8 + 1];\n" + seen + " = as_uint(as_float(" +
                   old + ") + (float)(lid & 7));\n} while (atomic_cmpxchg(&cells[FLOAT * 8 + 1], " + old +
                   ", " + seen + ") != " + old + ");\n}");
}

Node Generator::call_statement() {
  std::vector<const Variable*> targets;
  for (const Variable& variable : variables_)
    if (!variable.is_constant && !variable.is_uniform && variable.type == scalar_type("int"))
      targets.push_back(&variable);
  if (targets.empty()) return assignment();
  return statement("step(&" + targets[below(static_cast<unsigned>(targets.size()))]->name + ", $0);",
                   expression(scalar_type("int"), 1));
}

} // namespace differential
