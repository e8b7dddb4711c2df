// Locks, with acquire and release, around what commutes.

#include "differential/generator.hpp"

namespace differential {

Node Generator::lock() {
  const std::string which = number(8), lock = "locks[" + which + "]", done = fresh("done"),
                    seen = fresh("seen");
  static constexpr const char* inside[] = {"guarded[W] += $0;",
                                           "guarded[W + 8] = max(guarded[W + 8], $0);",
                                           "guarded[W + 16] ^= $0;",
                                           "X = guarded[W + 24];\nguarded[W + 24] = X + 1u;",
                                           "guarded[W + 32] += $0;\nguarded[W + 40] += 1u;",
                                           "if ($1) guarded[W] += $0;\nelse guarded[W + 16] ^= 3u;",
                                           "for (int q = 48; q < 64; q += 8) guarded[W + q] += $0;"};
  std::string body = inside[below(std::size(inside))];
  const bool is_ticket = body[0] == 'X';
  auto put = [](std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  put(body, "W", which);
  put(body, "X", seen);
  // A ticket is the same for all only if each is used once.
  const std::string use =
      is_ticket ? "atomic_add(&cells[SUM * 8 + " + which + "], scramble(" + seen + "));\n" : "";
  static constexpr const char* take[] = {"atomic_cmpxchg(&LOCK, 0u, 1u) == 0u",
                                         "atomic_xchg(&LOCK, 1u) == 0u",
                                         "atomic_fetch_or_explicit((volatile global atomic_uint*)&LOCK, 1u, "
                                         "memory_order_acquire, memory_scope_device) == 0u",
                                         "atomic_exchange_explicit((volatile global atomic_uint*)&LOCK, 1u, "
                                         "memory_order_acq_rel, memory_scope_device) == 0u"};
  static constexpr const char* release[] = {"atomic_xchg(&LOCK, 0u);",
                                            "atomic_store_explicit((volatile global atomic_uint*)&LOCK, 0u, "
                                            "memory_order_release, memory_scope_device);"};
  const bool is_fenced = chance(50);
  std::string acquire = take[is_fenced ? below(2) : 2 + below(2)], let_go = release[is_fenced ? 0 : 1];
  put(acquire, "LOCK", lock);
  put(let_go, "LOCK", lock);
  const std::string fence = is_fenced ? "mem_fence(CLK_GLOBAL_MEM_FENCE);\n" : "";
  // Legacy atomics are relaxed: without volatile, what they guard may be kept in registers.
  std::string guarded = fence + body + "\n" + fence;
  switch (below(3)) {
  case 0: // one work-item of the group spins
    return statement("if (lid == " + any_of({"0", "lsize - 1"}) + ") {\nuint " + seen + " = 0;\nwhile (!(" +
                         acquire + ")) {\n}\n" + guarded + let_go + "\n" + use + "}",
                     expression(scalar_type("uint"), 1), condition(1));
  case 1: // all do, and none keeps the lock over an iteration
    return statement("{\nuint " + seen + " = 0;\nfor (bool " + done + " = false; !" + done + ";)\nif (" +
                         acquire + ") {\n" + guarded + let_go + "\n" + done + " = true;\n}\n" + use + "}",
                     expression(scalar_type("uint"), 1), condition(1));
  default: // some do
    return statement("if ($1) {\nuint " + seen + " = 0;\nint " + done + " = 0;\ndo {\nif (" + acquire +
                         ") {\n" + guarded + done + " = 1;\n" + let_go + "\n}\n} while (!" + done + ");\n" +
                         use + "}",
                     expression(scalar_type("uint"), 1), condition(1));
  }
}

/// Each work-item takes a number under a lock, and uses it after a barrier.
Node Generator::kept_ticket() {
  const std::string which = number(8), seen = fresh("seen"), next = "guarded[" + which + " + 24]";
  const std::string lock = "(volatile global atomic_uint*)&locks[" + which + "]";
  const std::string order = any_of({"memory_order_acquire", "memory_order_acq_rel", "memory_order_seq_cst"});
  return statement("{\nwhile (atomic_exchange_explicit(" + lock + ", 1u, " + order +
                       ", memory_scope_device) != 0u) {\n}\n" + "const uint " + seen + " = " + next + ";\n" +
                       next + " = " + seen + " + 1u;\n" + "atomic_store_explicit(" + lock +
                       ", 0u, memory_order_release, memory_scope_device);\nbarrier(" +
                       any_of({"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"}) +
                       ");\n$0\natomic_add(&cells[SUM * 8 + " + which + "], scramble(" + seen + "));\n}",
                   list(assignment()));
}

} // namespace differential
