#pragma once

// One kernel with the ranges that it runs over. As text, they are the first lines, comments, so that a case
// is a source file which can be kept and run again:
//
//   // range: dimensions 2 global 64 3 local 8 1 offset 0 5
//   // range: dimensions 1 global 100 local driver offset 0
//   // range: dimensions 1 global 100 local 5 offset 0 sharing parts
//   // at once: queues 4 threads 2

#include "differential/tree.hpp"

#include <array>
#include <optional>

namespace differential {

struct Range {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  bool has_local = true; ///< otherwise the driver chooses a local size
  std::string sharing;   ///< of arguments that share memory, by its name (sharing.hpp)

  std::size_t items() const { return global[0] * global[1] * global[2]; }
  std::size_t group_items() const { return local[0] * local[1] * local[2]; }
  bool is_uniform() const {
    return !has_local ||
           (global[0] % local[0] == 0 && global[1] % local[1] == 0 && global[2] % local[2] == 0);
  }
  bool operator==(const Range&) const = default;
};

/// How a kernel is launched: over each range, one after the other, or all at once.
struct Launches {
  std::vector<Range> ranges;
  unsigned queues = 0;  ///< 0: one launch after the other
  unsigned threads = 1; ///< of the host, that launch at the same time
};

struct Case {
  Launches launches;
  Node kernel;

  std::string text() const;
};

/// What the first lines say; nothing without a range.
std::optional<Launches> launches_of(const std::string& text);

/// True for a source that has operations of sub-groups, and the same by way of local memory with -DEMULATE.
bool emulates_sub_groups(const std::string& source);

/// True for such a source whose sub-groups have a size that it asks for, with -DEMULATE as well.
bool requires_sub_groups(const std::string& source);

} // namespace differential
