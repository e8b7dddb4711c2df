// After failures for want of something: without limits everything works again.

#include "soak/worker.hpp"

namespace soak {

void use_again(Worker& worker) {
  for (const Operation& launch : launches())
    worker.succeed(launch);
  worker.succeed(builds()[worker.random.below(builds().size())]);
}

namespace {

constexpr Operation table[] = {{"use_again", 2, use_again}};

} // namespace

std::span<const Operation> recoveries() {
  return table;
}

} // namespace soak
