#include "differential/generator.hpp"

namespace differential {

namespace {

constexpr const char* local_fence = "barrier(CLK_LOCAL_MEM_FENCE);";

} // namespace

/// Where all work-items of a group come together.
Node Generator::uniform_statement() {
  if (theme_ == Theme::groups && depth_ < 3 && chance(60)) return chance(60) ? unset_variable() : append();
  if (named_ && named_->is_uniform && depth_ < 4 && chance(60)) return (this->*named_->statement)();
  if (has_locks() && chance(20)) return kept_ticket();
  const unsigned kind = below(20);
  if (kind < 5 && depth_ < 4 && budget_ > 0) return nested(Flow::uniform);
  if (kind < 7 && in_loop_) return jumping(Flow::uniform);
  if (kind < 8 && depth_ == 1 && !uses_sub_groups_)
    return statement("if ($0) {\nresult[i] = 77;\nreturn;\n}", condition(0, true));
  if (kind < 11) return uniform_assignment();
  return sees_groups_ ? group_statement() : chance(85) ? simple_statement() : statement(local_fence);
}

Node Generator::group_statement() {
  if (depth_ < 4 && chance(12)) return unset_variable();
  const unsigned kind = below(10);
  if (kind < 3 && uses_sub_groups_) return sub_group();
  if (kind < 4)
    return statement("barrier(" +
                     any_of({"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                             "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"}) +
                     ");");
  if (kind < 6) return collective();
  if (kind < 7) return chance(80) ? tree_reduction() : copy();
  if (kind < 8) return compaction();
  return exchange();
}

/// Those of a group whose condition holds append together.
Node Generator::compaction() {
  if (loops_ > 0 || direct_appends_[1] == 2) return exchange();
  ++direct_appends_[1];
  const std::string fence(local_fence);
  return statement("if (lid == 0) kept[256] = 0;\n" + fence +
                       "\nif ($0) kept[atomic_inc(&kept[256])] = $1;\n" + fence +
                       "\nif (lid == 0) kept[257] = atomic_add(&counts[1], kept[256]);\n" + fence +
                       "\nif (lid < (int)kept[256]) log32[kept[257] + lid] = kept[lid];\n" + fence,
                   condition(1), expression(scalar_type("uint"), 1));
}

Node Generator::uniform_assignment() {
  std::vector<const Variable*> targets;
  for (const Variable& variable : variables_)
    if (!variable.is_constant && variable.is_uniform) targets.push_back(&variable);
  if (targets.empty()) return simple_statement();
  const Variable target = *targets[below(static_cast<unsigned>(targets.size()))];
  return statement(target.name + " = $0;", expression(target.type, 0, true));
}

/// Each work-item reads what another one has written.
Node Generator::exchange() {
  std::string other = any_of({"(lid + 1) % lsize", "lsize - 1 - lid", "((uint)$2 % (uint)lsize)",
                              "(lid ^ 1) < lsize ? (lid ^ 1) : lid", "0", "lid > 0 ? lid - 1 : 0",
                              "(uint)(lid * 3) % (uint)lsize"});
  std::string place = "out32[i * 4 + 3]";
  const Variable* variable = target([](const Variable& v) { return v.type.count == 1; });
  if (variable && chance(60)) place = variable->name;
  Node at = expression(scalar_type("int"), 2);
  switch (below(4)) {
  case 0: // through global memory
    return statement("out64[(n - 1 - i) * 4] = $0;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n" + place +
                         " = $1;\nbarrier(CLK_GLOBAL_MEM_FENCE);",
                     expression(scalar_type("ulong"), 1),
                     node(Node::Kind::text, "out64[(n - 1 - (int)neighbour) * 4]"));
  case 1:
    return statement("wide[lid] = $0;\n" + std::string(local_fence) + "\n" + place + " = wide[" + other +
                         "]" + any_of({".x", ".y", ".w"}) + ";\n" + local_fence,
                     expression({"short", 16, 's', 4}, 1), node(Node::Kind::text, ""), std::move(at));
  case 2:
    return statement("exchange[lid] = $0;\n" + std::string(local_fence) + "\n" + place + " = exchange[" +
                         other + "] + exchange[lid];\n" + local_fence,
                     expression(scalar_type("uint"), 1), node(Node::Kind::text, ""), std::move(at));
  default: // a pointer in between
    return statement("{\nlocal uint* mine = exchange + lid;\n*mine = $0;\n" + std::string(local_fence) +
                         "\nlocal uint* theirs = exchange + (" + other + ");\n" + place + " = *theirs;\n" +
                         local_fence + "\n}",
                     expression(scalar_type("uint"), 1), node(Node::Kind::text, ""), std::move(at));
  }
}

/// The classic loops with a barrier in each iteration.
Node Generator::tree_reduction() {
  std::string step = fresh("s");
  if (chance(50))
    return statement("exchange[lid] = $0;\n" + std::string(local_fence) + "\nfor (int " + step + " = 128; " +
                         step + " > 0; " + step + " >>= 1) {\nif (lid < " + step + " && lid + " + step +
                         " < lsize) exchange[lid] " + any_of({"+= ", "^= "}) + "exchange[lid + " + step +
                         "];\n" + local_fence + "\n}\nout32[i * 4 + " + std::to_string(below(4)) +
                         "] = exchange[" + any_of({"0", "lid"}) + "];\n" + local_fence,
                     expression(scalar_type("uint"), 1));
  std::string value = fresh("sum"), part = fresh("part");
  return statement("{\nuint " + value + " = $0;\nfor (int " + step + " = 1; " + step + " < lsize; " + step +
                       " <<= 1) {\nexchange[lid] = " + value + ";\n" + local_fence + "\nuint " + part +
                       " = lid >= " + step + " ? exchange[lid - " + step + "] : 0;\n" + local_fence + "\n" +
                       value + " += " + part + ";\n}\nout32[i * 4 + " + std::to_string(below(4)) +
                       "] = " + value + ";\n}",
                   expression(scalar_type("uint"), 1));
}

Node Generator::copy() {
  std::string event = fresh("event");
  return statement("{\nevent_t " + event +
                       " = async_work_group_copy(exchange, (global const uint*)in32 + $0, lsize, "
                       "0);\nwait_group_events(1, &" +
                       event + ");\nout32[i * 4 + " + std::to_string(below(4)) +
                       "] = exchange[lsize - 1 - lid];\n" + local_fence + "\n}",
                   small(63, true));
}

Node Generator::collective() {
  Type type = scalar_type(any_of({"int", "uint", "long", "ulong"}));
  std::string form;
  switch (below(7)) {
  case 6: {
    static constexpr const char* lanes[] = {"0", "0, get_local_size(1) - 1", "0, 0, get_local_size(2) - 1"};
    form = "work_group_broadcast($0, " +
           std::string(dimensions_ == 1 && chance(50) ? "get_local_size(0) - 1" : lanes[dimensions_ - 1]) +
           ")";
    break;
  }
  case 0:
    form = any_of({"work_group_all", "work_group_any"}) + "($1)";
    break;
  case 1:
    form = "work_group_reduce_" + any_of({"min", "max"}) + "($0)";
    break;
  case 2:
    type = scalar_type(chance(50) ? "uint" : "ulong");
    form = "work_group_reduce_add($0)";
    break;
  case 3:
    type = scalar_type(chance(50) ? "uint" : "ulong");
    form = "work_group_scan_" + any_of({"inclusive", "exclusive"}) + "_add($0)";
    break;
  case 4:
    form = "work_group_scan_" + any_of({"inclusive_min", "inclusive_max", "exclusive_max"}) + "($0)";
    break;
  default:
    form = "work_group_reduce_add((float)((int)$0 & 255))";
  }
  return statement("out64[(n - 1 - i) * 4 + " + std::to_string(below(4)) + "] = (ulong)" + form + ";",
                   expression(type, 1), condition(1));
}

/// A variable without initial value, which the work-items that set it before a barrier read after it.
Node Generator::unset_variable() {
  Variable variable{fresh("x"), any_scalar()};
  if (chance(20)) variable.type.count = chance(50) ? 4 : 2;
  const std::string &x = variable.name, set = fresh("set");
  const Type type = variable.type;
  auto value = [&] {
    if (chance(40)) return expression(type, 1, chance(40));
    const std::string read = convert(type.element(), "in32[$0]"); // one place for the group
    return typed(
        type, true,
        expression_node(type.count > 1 ? "(" + type.name() + ")(" + read + ")" : read, small(31, true)));
  };
  const std::string who = chance(30) ? "$0"
                          : chance(50)
                              ? "lid == 0"
                              : any_of({"lid == lsize - 1", "(lid & 3) == 1", "lid >= 5", "i % 7 == 2"});
  static constexpr const char* forms[] = {
      "if (SET) {\nX = $1;\n$2\n}\nWAIT",
      "if (SET) {\n$2\nX = $1;\n}\nWAIT",
      "if (!SET) {\n$2\n} else if ($3) {\nX = $1;\n$2\n} else {\nX = $4;\n}\nWAIT",
      "switch (SET ? $6 : 4) {\ncase 0:\nX = $1;\n$2\nbreak;\ncase 4:\nbreak;\ndefault:\nX = $4;\n}\nWAIT",
      "for (int R = 0; R < 3; ++R) {\nif (SET) {\nif (R == 0) X = $1; else X = $4;\n}\nWAIT\n}",
      "for (int R = 0; R < 3; ++R) {\nif (R == 1 && SET) {\nX = $1;\n$2\n}\nWAIT\n}",
      "if (SET) {\nX = $1;\nfor (int R = 0; R < (int)(m & 3u); ++R) X = $4;\n$2\n}\nWAIT",
  };
  std::string form = forms[below(std::size(forms))];
  auto put = [&](const std::string& name, const std::string& text) {
    for (std::size_t at = 0; (at = form.find(name, at)) != std::string::npos; at += text.size())
      form.replace(at, name.size(), text);
  };
  put("SET", set);
  put("WAIT", local_fence);
  put("X", x);
  put("R", fresh("r"));
  const Type element = type.element();
  const std::string result = "out64[(n - 1 - i) * 4 + " + number(4) + "] = bits((" +
                             (element.is_float() ? element.name() : "ulong") + ")" + x +
                             (type.count > 1 ? ".s1" : "") + ");";
  return statement("{\nconst bool " + set + " = " + who + ";\n" + type.name() + " " + x + ";\n" + form +
                       "\n$5\nif (" + set + ") " + result + "\n" + local_fence + "\n}",
                   condition(1), value(), store(), condition(2, chance(50)), value(),
                   block(Flow::uniform, below(3)), small(3, chance(50)));
}

/// An index of the group and the work-item in it, whose queries may be of different dimensions.
std::string Generator::group_query() {
  auto query = [&](std::initializer_list<const char*> names) {
    return any_of(names) + "(" + any_of({"0", "0", "1", "2"}) + ")";
  };
  return query({"get_group_id", "get_group_id", "get_local_id", "get_global_id"}) + " * " +
         query({"get_local_size", "get_enqueued_local_size", "get_global_size", "get_num_groups"}) + " + " +
         query({"get_local_id", "get_local_id", "get_group_id", "get_local_size", "get_global_offset"});
}

/// Functions of the prelude, each with a second body that needs only barriers.
Node Generator::sub_group() {
  static constexpr const char* types[] = {"int", "uint", "long", "ulong", "float"};
  unsigned which = below(5);
  std::string type = types[which];
  std::string call;
  auto value = [&] {
    return which == 4 ? node(Node::Kind::text, "(float)(i & 63)") : expression(scalar_type(type), 1);
  };
  switch (below(7)) {
  case 0:
  case 1:
    call = any_of({"group_reduce_add_", "group_reduce_min_", "group_reduce_max_", "group_inclusive_add_",
                   "group_exclusive_add_", "group_inclusive_max_"}) +
           type + "(scratch, $0)";
    break;
  case 2:
    call = "group_shuffle_" + type + "(scratch, $0, (uint)$1)";
    break;
  case 3:
    call = any_of({"group_xor_", "group_down_", "group_up_", "group_rotate_"}) + type + "(scratch, $0, " +
           any_of({"1", "2", "3", "5"}) + ")";
    break;
  case 4:
    call = "group_broadcast_" + type + "(scratch, $0, $2)";
    break;
  case 5:
    return statement("out32[i * 4 + " + std::to_string(below(4)) +
                         "] = " + any_of({"group_any", "group_all", "group_ballot"}) + "(scratch, $0);",
                     condition());
  default:
    call = "group_elect_" + type + "(scratch, $0)";
  }
  return statement("out64[(n - 1 - i) * 4 + " + std::to_string(below(4)) + "] = (ulong)(long)" + call + ";",
                   value(), expression(scalar_type("int"), 1), small(63, true));
}

} // namespace differential
