#pragma once

#include "soak/worker.hpp"

namespace soak {

/// Objects that one thread uses alone. While they are idle it may fork, and both processes go on with them.
struct Household {
  explicit Household(std::uint64_t seed) : world(seed), worker(world, 0) {}
  void go_on_in_child(std::size_t operations);

  World world;
  Worker worker;
};

} // namespace soak
