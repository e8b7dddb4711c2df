// Control-flow graphs made of goto: any block may follow any other, so that loops have several entries and blocks
// many predecessors. With barriers, all work-items of a group go the same way, though it may not look so.

#include "differential/generator.hpp"

namespace differential {

Node Generator::graph() {
  return graph_of(true);
}

Node Generator::graph_of(bool is_uniform) {
  const std::string fuel = fresh("fuel"), word = fresh("word"), stem = fresh("block_") + "_",
                    end = stem + "end";
  Node result = statement("", expression(scalar_type("uint"), 1, is_uniform));
  auto hole = [&](Node child) {
    result.children.push_back(std::move(child));
    return "$" + std::to_string(result.children.size() - 1);
  };
  const unsigned blocks = 3 + below(5);
  const bool in_loop = std::exchange(in_loop_, false); // which one part of a group must not leave
  auto some = [&] { return stem + number(blocks); };
  std::string form = "{\nuint " + fuel + " = " + std::to_string(4 + below(9)) + ", " + word + " = ";
  if (!is_uniform)
    form += "$0 + (uint)i;\n";
  else
    form += any_of({"$0;\n", "$0 + (uint)(lid - lid);\n", "$0 ^ (uint)in32[(int)get_group_id(0) & 31];\n",
                    "work_group_broadcast($0, LAST);\n"});
  if (const std::size_t at = form.find("LAST"); at != std::string::npos)
    form.replace(at, 4, dimensions_ == 1 ? "0" : dimensions_ == 2 ? "0, 0" : "0, 0, 0");
  if (chance(40)) form += "goto " + some() + ";\n";
  for (unsigned b = 0; b < blocks; ++b) {
    form += stem + std::to_string(b) + ":;\n";
    if (result.children.size() < 9 && chance(75))
      form += hole(is_uniform ? block(Flow::divergent, 1) : assignment()) + "\n";
    if (is_uniform) {
      const unsigned kind = below(6);
      if (kind < 2) form += "barrier(CLK_LOCAL_MEM_FENCE);\n";
      if (kind == 2) // what another work-item has
        form += "exchange[lid] = " + word + " + (uint)i;\nbarrier(CLK_LOCAL_MEM_FENCE);\n" +
                leave("exchange[(lid + 1) % lsize]") + "\nbarrier(CLK_LOCAL_MEM_FENCE);\n";
      if (kind == 3) // the same for all, from memory
        form += "exchange[lid] = " + word + ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n" + word +
                " = exchange[lsize - 1 - lid];\nbarrier(CLK_LOCAL_MEM_FENCE);\n";
    }
    form +=
        "if (" + fuel + "-- == 0) goto " + end + ";\n" + word + " = " + word + " * 1664525u + 1013904223u;\n";
    switch (below(5)) {
    case 0:
      form += "if (" + word + " >> 29 & 1u) goto " + some() + ";\n"; // or on to the next one
      break;
    case 1:
      form += "switch (" + word + " >> 28 & 3u) {\ncase 0:\ngoto " + some() + ";\ncase 1:\ngoto " + some() +
              ";\ndefault:\ngoto " + some() + ";\n}\n";
      break;
    case 2:
      form += "goto " + some() + ";\n";
      break;
    default:
      form += "if (" + word + " >> 27 & 1u) goto " + some() + ";\ngoto " + some() + ";\n";
    }
  }
  in_loop_ = in_loop;
  result.form = form + end + ":;\n" + leave(word) + "\n}";
  return result;
}

} // namespace differential
