// What kernels read, and the forms that addresses take: affine, scattered, permuted, wrapping in narrow
// types.

#include "differential/generator.hpp"

#include <algorithm>

namespace differential {

Node Generator::index() {
  Node result = index_form();
  result.type = "index";
  return result;
}

Node Generator::index_form() {
  if (chance(30)) return plain_index();
  if (dimensions_ > 1 && chance(50)) return grid_index();
  return odd_index();
}

/// At most 31, and mostly not 0.
Node Generator::distance() {
  if (chance(50)) return small(chance(50) ? 7 : 31, true);
  return expression_node("(int)(m + " + std::to_string(1 + below(chance(50) ? 7 : 28)) + "u)");
}

Node Generator::plain_index() {
  switch (below(8)) {
  case 0:
  case 1:
    return expression_node("i");
  case 2:
    return expression_node("id");
  case 3:
    return expression_node("(i ^ $0)", distance());
  case 4:
    return expression_node("(id ^ (size_t)$0)", distance());
  case 5:
    return expression_node("i + " + number(32));
  case 6:
    return expression_node("n - 1 - i");
  default:
    return expression_node("id * " + std::to_string(2 + below(3)) + " + " + number(32));
  }
}

/// Rows and columns of the range.
Node Generator::grid_index() {
  switch (below(7)) {
  case 0:
    return expression_node("y * sx + x");
  case 1:
    return expression_node("x * sy + y");
  case 2:
    return expression_node("(sy - 1 - y) * sx + x");
  case 3:
    return expression_node("y * sx + (x ^ $0)", small(15, true));
  case 4:
    return expression_node("y * sx + " + number(32));
  case 5:
    return expression_node("x + " + number(32));
  default:
    return expression_node("y * sx + min(x + 1, sx - 1)");
  }
}

Node Generator::odd_index() {
  const std::string lid = sees_groups_ ? "lid" : "(i & 63)";
  switch (below(26)) {
  case 0:
    return expression_node("((uint)" + lid + " ^ (uint)$0) + " + number(9), small(31, true));
  case 1:
    return expression_node("2u * (uint)i - ((uint)i & ((1u << $0) - 1u)) + " + any_of({"0", "1", "8", "16"}) +
                               "u",
                           small(7, true));
  case 2:
    return expression_node("i * " + std::to_string(2 + below(3)) + " + " + number(32));
  case 3:
    return expression_node("(uint)(n - i) * " + std::to_string(1 + below(3)) + "u");
  case 4:
    return expression_node("i + $0", small(chance(50) ? 15 : 1));
  case 5:
    return expression_node("(uint)$0 % (uint)n", expression(scalar_type("int"), 1));
  case 6:
    return expression_node("$0", small(31));
  case 7:
    return expression_node("(i >> " + number(5) + ")");
  case 8:
    return expression_node("(i & " + any_of({"1", "3", "15", "16", "31", "60"}) + ") + " + number(9));
  case 9:
    return expression_node("i / " + std::to_string(1 + below(7)));
  case 10:
    return expression_node("i % " + std::to_string(1 + below(17)));
  case 11:
    return expression_node("$0 * n + i", small(3));
  case 12:
    return expression_node("(uint)(i * 2) - 1u + (i == 0)");
  case 13:
    return expression_node("(uchar)(i * " + number(9) + ") % (uint)n");
  case 14:
    return expression_node("(ushort)(i + 65530 + " + number(9) + ") % (uint)n");
  case 15:
    return expression_node("(size_t)" + lid + " * " + any_of({"1", "2"}));
  case 16:
    return expression_node("(long)i + $0", small(7, true));
  case 17:
    return expression_node("(uint)i + 7u - (uint)(n & 7)");
  case 18: // reversed in blocks
    return expression_node("(i | " + any_of({"7", "15", "3"}) + ") - (i & " + any_of({"7", "15", "3"}) + ")");
  case 19:
    return expression_node("(i ^ (i >> 1))");
  case 20:
    return expression_node("min(i + " + number(9) + ", n - 1)");
  case 21:
    return expression_node("(i + $0) % n", small(15, true));
  case 22:
    return expression_node("(i & ~$0) + " + number(5), small(15, true));
  case 23:
    return expression_node("max(i - 1, 0)");
  case 24: // as coordinates of images
    return expression_node("clamp(i * " + any_of({"1", "1", "2", "-1"}) + " + $0, " + number(5) + "%n, n-1)",
                           small(60, true));
  default:
    return expression_node("(in32[i] & 63)");
  }
}

Node Generator::table_read(Type type) {
  const std::string cast = "(" + type.name() + ")";
  Node at = expression(scalar_type("int"), 2);
  if (type.is_float())
    return expression_node(cast + "rows[$0 & 3]" + any_of({".x", ".y", ".w"}), std::move(at));
  switch (below(3)) {
  case 0:
    return expression_node(cast + "bytes[$0 & 15]", std::move(at));
  case 1:
    return expression_node(cast + "models[$0 & 1]" + any_of({".a", ".b[1]", ".c"}), std::move(at));
  default:
    return expression_node(cast + "table[$0 & 7]", std::move(at));
  }
}

Node Generator::memory_read(Type type) {
  std::string cast = "(" + type.name() + ")";
  if (!arrays_.empty() && chance(40)) {
    const Array& array = pick(std::span<const Array>(arrays_));
    Node at = chance(30) ? literal(scalar_type("int")) : expression(scalar_type("int"), 2);
    std::string read = array.name + "[$0 & " + std::to_string(array.mask) + "]";
    if (type.is_float() != array.type.is_float()) return leaf(type, false);
    return expression_node(cast + read, std::move(at));
  }
  if (chance(8)) return table_read(type);
  if (in_function_) return literal(type);
  if (!named_ && chance(theme_ == Theme::views ? 60 : 8)) return view_read(type);
  if (type.is_float()) {
    if (chance(10)) return expression_node(cast + "vload_half($0, (global const half*)in32)", index());
    return expression_node(cast + "inf[$0]", index());
  }
  switch (below(8)) {
  case 7:
    return expression_node(cast + "*(volatile global const int*)(in32 + $0)", index());
  case 0:
    return expression_node(cast + "in8[$0]", index());
  case 1:
    return expression_node(cast + "in64[$0]", index());
  case 2:
    return expression_node(cast + "out32[i * 4 + $0]", small(3));
  case 3:
    return expression_node(cast + "((global const short*)in32)[$0]", index());
  default:
    return expression_node(cast + "in32[$0]", index());
  }
}

} // namespace differential
