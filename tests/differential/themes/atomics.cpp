// Atomics. What they return depends on the order of the work-items; what is made of it here does not.

#include "differential/generator.hpp"

namespace differential {

namespace {

/// Cells of 32 bits: eight for each kind of operation, so that all that happens to one commutes. See
/// buffers.cpp for those of exchanges.
std::string cell(const char* row) {
  return std::string("cells[") + row + " * 8 + $0]";
}

struct Operation {
  const char *row, *name, *fetch_name;
  const char* combined; ///< what the operation leaves, of `old` and `by`
};

constexpr Operation operations[] = {{"ADD", "atomic_add", "atomic_fetch_add", "old + by"},
                                    {"ADD", "atomic_sub", "atomic_fetch_sub", "old - by"},
                                    {"OR", "atomic_or", "atomic_fetch_or", "old | by"},
                                    {"AND", "atomic_and", "atomic_fetch_and", "old & by"},
                                    {"XOR", "atomic_xor", "atomic_fetch_xor", "old ^ by"},
                                    {"MAX", "atomic_max", "atomic_fetch_max", "max(old, by)"},
                                    {"MIN", "atomic_min", "atomic_fetch_min", "min(old, by)"}};

constexpr const char* orders[] = {"memory_order_relaxed", "memory_order_acq_rel", "memory_order_seq_cst",
                                  "memory_order_acquire", "memory_order_release"};

} // namespace

Node Generator::atomic_statement() {
  switch (below(9)) {
  case 0:
    return local_atomic();
  case 1:
    return cas_loop();
  case 2:
    return used_result();
  case 3:
    return exchange_result();
  case 4:
    return own_atomic();
  case 5:
    return shared_bins();
  case 6:
    return explicit_atomic();
  default:
    return global_atomic();
  }
}

/// Results are not used, or only in sums over all of them.
Node Generator::global_atomic() {
  // One address for all, or one that differs.
  Node at = chance(40) ? node(Node::Kind::text, number(8)) : small(7);
  Node value = expression(scalar_type("uint"), 1);
  switch (below(7)) {
  case 0:
  case 1:
  case 2: {
    const Operation& operation = operations[below(std::size(operations))];
    return statement(std::string(operation.name) + "(&" + cell(operation.row) + ", $1);", std::move(at),
                     std::move(value));
  }
  case 3:
    return statement("atomic_inc(&" + cell("ADD") + ");", std::move(at));
  case 4: // each of the numbers up to the last is returned once, and ends in the same sum
    return statement("atomic_add(&" + cell("SUM") + ", scramble(atomic_inc(&" + cell("COUNT") + ")));",
                     std::move(at));
  case 5:
    return statement("atomic_" +
                         any_of({"max((global int*)&cells[SIGNED", "min((global int*)&cells[1 + SIGNED"}) +
                         " * 8], (int)$0);",
                     std::move(value));
  default:
    return statement("atom_add(&cells64[$0], (ulong)$1);", std::move(at), std::move(value));
  }
}

Node Generator::explicit_atomic() {
  const Operation& operation = operations[below(std::size(operations))];
  return statement(
      std::string(operation.fetch_name) + "_explicit((volatile global atomic_uint*)&" + cell(operation.row) +
          ", $1, " + pick(std::span<const char* const>(orders)) + ", " +
          any_of({"memory_scope_device", "memory_scope_work_group", "memory_scope_all_svm_devices"}) + ");",
      chance(50) ? node(Node::Kind::text, number(8)) : small(7), expression(scalar_type("uint"), 1));
}

/// From one value to the next: in a sum over all that happens to a cell, only the first and the last are
/// left.
Node Generator::used_result() {
  const Operation& operation = operations[below(std::size(operations))];
  return statement(
      "{\nconst uint at = $0, by = $1, old = " + std::string(operation.name) + "(&cells[(USED + " +
          operation.row + ") * 8 + at], by);\natomic_add(&cells[SUM * 8 + at], scramble(" +
          operation.combined + ") - scramble(old));\n}",
      chance(50) ? node(Node::Kind::text, number(8)) : small(7), expression(scalar_type("uint"), 1));
}

Node Generator::exchange_result() {
  Node at = chance(60) ? node(Node::Kind::text, number(8)) : small(7);
  if (chance(50))
    return statement(
        "{\nconst uint at = $0;\natomic_add(&cells[FOUND * 8 + at], scramble(atomic_xchg(&cells[LAST * 8 "
        "+ at], $1)));\n}",
        std::move(at), expression(scalar_type("uint"), 1));
  return statement(
      "{\nconst uint at = $0, by = $1, from = " + any_of({"by ^ 1", "0", "(uint)i", "by >> 1"}) +
          ", old = atomic_cmpxchg(&cells[LAST * 8 + at], from, by);\natomic_add(&cells[FOUND * 8 + at], "
          "scramble(old) - scramble(old == from ? by : old));\n}",
      std::move(at), expression(scalar_type("uint"), 1));
}

/// Words that no other work-item touches, side by side or further apart.
Node Generator::own_atomic() {
  const std::string place =
      chance(60) ? "out32[i + " + std::to_string(4 + below(4)) + " * n]" : "out32[i * 4 + $1 % 4u]";
  const std::string operation = any_of({"add", "sub", "or", "and", "xor", "max", "min", "xchg"});
  const std::string call = "atomic_" + operation + "(&" + place + ", (int)$0)";
  Node value = expression(scalar_type("uint"), 1), at = expression(scalar_type("uint"), 2);
  const Variable* variable =
      target([](const Variable& v) { return v.type.count == 1 && !v.type.is_float(); });
  if (variable && chance(50))
    return statement(variable->name + " = (" + variable->type.name() + ")" + call + ";", std::move(value),
                     std::move(at));
  return statement(call + ";", std::move(value), std::move(at));
}

/// Words that a few work-items share.
Node Generator::shared_bins() {
  static constexpr const char* places[] = {"i",           "id",
                                           "i / 32",      "i >> 3",
                                           "n - 1 - i",   "i ^ 1",
                                           "id / 2",      "i & 31",
                                           "in8[i] & 63", "(uint)in32[i] % (uint)n",
                                           "id ^ 5",      "i / 16",
                                           "min(i, 20)",  "(uint)i * 3u % (uint)n"};
  if (bins_operation_.empty()) bins_operation_ = any_of({"add", "or", "xor", "max", "and", "min", "add"});
  const std::string place = "bins[" + std::string(places[below(std::size(places))]) + "]";
  Node value = chance(30) ? literal(scalar_type("uint")) : expression(scalar_type("uint"), 1);
  return statement("atomic_" + bins_operation_ + "(&" + place + ", $0);", std::move(value));
}

Node Generator::local_atomic() {
  if (histograms_.empty()) return global_atomic();
  const std::string& histogram = pick(std::span<const std::string>(histograms_));
  switch (below(4)) {
  case 0:
    return statement("atomic_inc(&" + histogram + "[$0 & 15]);", expression(scalar_type("int"), 1));
  case 1:
    return statement("atomic_add(&" + histogram + "[$0], $1);", small(15),
                     expression(scalar_type("uint"), 1));
  case 2:
    if (sees_groups_) // as many numbers as the group has work-items here
      return statement("atomic_add(&cells[SUM * 8 + $0], scramble(atomic_inc(&tickets[$0])));",
                       node(Node::Kind::text, number(8)));
    [[fallthrough]];
  default:
    return statement("atomic_sub(&" + histogram + "[" + number(16) + "], $0);",
                     expression(scalar_type("uint"), 1));
  }
}

Node Generator::cas_loop() {
  if (required_lanes_ != 0) return used_result(); // a loop that waits is not run in vectors, and so refused
  std::string old = fresh("old"), seen = fresh("seen");
  if (chance(50))
    return statement("{\nuint " + old + " = cells[CAS * 8 + $0], " + seen + ";\nwhile ((" + seen +
                         " = atomic_cmpxchg(&cells[CAS * 8 + $0], " + old + ", " + old + " + $1)) != " + old +
                         ") " + old + " = " + seen + ";\n}",
                     node(Node::Kind::text, number(8)), node(Node::Kind::text, "(uint)i"));
  return statement("{\nuint " + old + ", " + seen + ";\ndo {\n" + old +
                   " = *(volatile global uint*)&cells[FLOAT * 8 + 1];\n" + seen + " = as_uint(as_float(" +
                   old + ") + (float)(i & 7));\n} while (atomic_cmpxchg(&cells[FLOAT * 8 + 1], " + old +
                   ", " + seen + ") != " + old + ");\n}");
}

/// One work-item gets each place that several want; which one cannot be seen.
Node Generator::claim() {
  if (claims_form_.empty())
    claims_form_ = any_of({"atomic_cmpxchg(&claims[key], 0u, (uint)i + 1u) == 0u",
                           "(atomic_or(&claims[key >> 5], 1u << (key & 31u)) >> (key & 31u) & 1u) == 0u",
                           "atomic_xchg(&claims[key], 1u) == 0u", "atomic_inc(&claims[key]) == 0u"});
  const std::string key =
      chance(50) ? "(uint)(" + any_of({"i / 2", "i >> 3", "i & 31", "in8[i]", "i", "id / 5"}) + ") % (uint)n"
                 : "$0 % ((uint)n + 64u)";
  return statement("{\nconst uint key = " + key + ";\nif (" + claims_form_ +
                       ") atomic_add(&cells[SUM * 8 + 3], scramble(key));\n}",
                   expression(scalar_type("uint"), 1));
}

/// Places that an atomic hands out. A work-item appends only so often that logs are large enough: each
/// statement outside of loops once, and those in loops as long as some are `left`.
Node Generator::append() {
  struct Log {
    const char *name, *type, *count;
  };
  static constexpr Log logs[] = {{"log8", "uchar", "counts[0]"},
                                 {"log32", "uint", "counts[1]"},
                                 {"log64", "ulong", "*(volatile global ulong*)(counts + 4)"}};
  const unsigned which = chance(60) ? 1 : below(3);
  const Log& log = logs[which];
  const bool is_limited = loops_ > 0 || direct_appends_[which] == 2;
  if (!is_limited) ++direct_appends_[which];
  const std::string place = "&" + std::string(log.count), prefix = which == 2 ? "atom_" : "atomic_";
  std::string take = prefix + "inc(" + place + ")";
  if (chance(25)) take = prefix + "add(" + place + ", 1)";
  if (which != 2 && chance(25))
    take = "atomic_fetch_add_explicit((volatile global atomic_uint*)" + place + ", 1u, " +
           any_of({"memory_order_relaxed", "memory_order_seq_cst"}) + ", memory_scope_device)";
  const std::string guard = is_limited ? "left-- > 0" : "";
  const Type type = scalar_type(log.type);
  Node value = sees_groups_ && chance(theme_ == Theme::groups ? 80 : 20)
                   ? expression_node("(" + type.name() + ")(" + group_query() + ")")
               : has_queries() && chance(60) ? expression_node("(" + type.name() + ")" + crossed_start())
               : chance(40)                  ? expression_node("(" + type.name() + ")i")
                                             : expression(type, 1);
  const bool asks = loops_ == 0 && depth_ <= 1 && chance(70);
  if (which == 1 && !is_limited && chance(15)) // two at a time
    return statement("{\nconst uint at = atomic_add(" + place +
                         ", 2);\nlog32[at] = $0;\nlog32[at + 1] = $1;\n}",
                     std::move(value), expression(type, 1));
  const std::string text = std::string(log.name) + "[" + take + "] = $0;";
  if (guard.empty() && !asks) return statement(text, std::move(value));
  return statement("if (" + guard + (asks && !guard.empty() ? " && " : "") + (asks ? "$1" : "") + ") " + text,
                   std::move(value), asks ? condition(1) : node(Node::Kind::text, ""));
}

} // namespace differential
