// What a work-item asks of the range, in each dimension, in those that no range has, and in those that data decide.

#include "differential/generator.hpp"

namespace differential {

/// An expression that would be a work-item's global id if all of its queries asked for the same dimension, or an element of the
/// input with that index. In a launch of one dimension, queries of the dimensions 0, 1, 0 are easily taken for the global id.
std::string Generator::crossed_start() {
  const std::string start = chance(80) ? "get_group_id(0) * get_local_size(1) + get_local_id(0)"
                                       : "get_group_id(" + number(2) + ") * get_local_size(" + number(2) +
                                             ") + get_local_id(" + number(2) + ")";
  return chance(40)   ? "(" + start + ")"
         : chance(50) ? "in32[" + start + "]"
                      : "in32[(" + start + ") % (size_t)n]";
}

Node Generator::query() {
  static constexpr const char* of_range[] = {"get_global_id", "get_global_id", "get_global_size",
                                             "get_global_offset"};
  static constexpr const char* of_groups[] = {"get_group_id", "get_local_id", "get_local_size",
                                              "get_enqueued_local_size", "get_num_groups"};
  Node result = statement("", expression(scalar_type("uint"), 1), small(3));
  auto dimension = [&] {
    return any_of({"0", "1", "2", "3", "0", "1", "2", "7", "0xffffffffu", "$0", "$1", "$0 & 1u",
                   "(uint)n % 3u", "m", "4"});
  };
  auto ask = [&]() -> std::string {
    const unsigned kind = below(10);
    if (kind == 0) return "get_work_dim()";
    if (kind == 1) return sees_groups_ ? "get_local_linear_id()" : "get_global_linear_id()";
    if (kind < 6 && sees_groups_) return of_groups[below(std::size(of_groups))] + ("(" + dimension() + ")");
    return of_range[below(std::size(of_range))] + ("(" + dimension() + ")");
  };
  if (!sees_groups_ && chance(60)) return append();
  const std::string q = fresh("q");
  switch (below(4)) {
  case 0:
    result.form = "for (uint " + q + " = 0; " + q + " < 5u; ++" + q + ") " +
                  leave("(ulong)" + ask() + " * (" + q + " + 1u)");
    for (std::size_t at = 0; (at = result.form.find("($0)", at)) != std::string::npos;)
      result.form.replace(at, 4, "(" + q + ")");
    break;
  case 1:
    result.form = leave("(ulong)(" + ask() + " * " + ask() + " + " + ask() + ")");
    break;
  case 2: // as an index into what the group or the range has
    result.form = leave("(ulong)in32[(" + ask() + " * " + ask() + " + " + ask() + ") % (size_t)n]");
    break;
  default:
    result.form =
        "if (" + ask() + any_of({" == ", " < ", " != "}) + ask() + ") " + leave("(ulong)" + ask() + " + 1u");
  }
  return result;
}

} // namespace differential
