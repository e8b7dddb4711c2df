// Control-flow graphs made of goto: any block may follow any other, so that loops have several entries and blocks
// many predecessors. With barriers, all work-items of a group go the same way, though it may not look so.

#include "differential/generator.hpp"

namespace differential {

Node Generator::graph() {
  return graph_of(true);
}

Node Generator::graph_of(bool is_uniform) {
  const std::string fuel = fresh("fuel"), word = fresh("word"), stem = fresh("block_") + "_";
  std::string begin =
      is_uniform ? any_of({"$0", "$0 + (uint)(lid - lid)", "$0 ^ (uint)in32[(int)get_group_id(0) & 31]",
                           "work_group_broadcast($0, LAST)"})
                 : "$0 + (uint)i";
  if (const std::size_t at = begin.find("LAST"); at != std::string::npos)
    begin.replace(at, 4, dimensions_ == 1 ? "0" : dimensions_ == 2 ? "0, 0" : "0, 0, 0");
  const unsigned blocks = 3 + below(5);
  const bool in_loop = std::exchange(in_loop_, false); // which one part of a group must not leave
  ++loops_;                                            // blocks may run several times
  Node parts = list();
  if (chance(40)) parts.children.push_back(statement("goto " + stem + number(blocks) + ";"));
  for (unsigned b = 0; b < blocks; ++b) {
    Node content = is_uniform ? block(Flow::divergent, below(2)) : chance(75) ? list(assignment()) : list();
    if (is_uniform) content.children.push_back(meeting(word));
    content.children.push_back(statement(word + " = " + word + " * 1664525u + 1013904223u;"));
    content.children.push_back(way_on(word, stem, blocks));
    parts.children.push_back(
        statement(stem + std::to_string(b) + ":;\nif (" + fuel + "-- == 0) goto " + stem + "end;\n$0",
                  std::move(content)));
  }
  --loops_;
  in_loop_ = in_loop;
  return statement("{\nuint " + fuel + " = " + std::to_string(4 + below(9)) + ", " + word + " = " + begin +
                       ";\n$1\n" + stem + "end:;\n" + leave(word) + "\n}",
                   expression(scalar_type("uint"), 1, is_uniform), std::move(parts));
}

/// What a block does with all work-items of a group.
Node Generator::meeting(const std::string& word) {
  static constexpr const char* fence = "barrier(CLK_LOCAL_MEM_FENCE);";
  switch (below(6)) {
  case 0:
  case 1:
    return statement(fence);
  case 2: // what another work-item has
    return statement("exchange[lid] = " + word + " + (uint)i;\n" + fence + "\n" +
                     leave("exchange[(lid + 1) % lsize]") + "\n" + fence);
  case 3: // the same for all, from memory
    return statement("exchange[lid] = " + word + ";\n" + fence + "\n" + word +
                     " = exchange[lsize - 1 - lid];\n" + fence);
  default:
    return statement(";");
  }
}

/// Where the word says that it goes on: at one of the blocks, or at the next one.
Node Generator::way_on(const std::string& word, const std::string& stem, unsigned blocks) {
  auto any = [&] { return "goto " + stem + number(blocks) + ";\n"; };
  switch (below(5)) {
  case 0:
    return statement("if (" + word + " >> 29 & 1u) " + any());
  case 1:
    return statement("switch (" + word + " >> 28 & 3u) {\ncase 0:\n" + any() + "case 1:\n" + any() +
                     "default:\n" + any() + "}");
  case 2:
    return statement(any());
  default:
    return statement("if (" + word + " >> 27 & 1u) " + any() + any());
  }
}

} // namespace differential
