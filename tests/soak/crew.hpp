#pragma once

// The application's threads: one for each worker at a time, with stacks of any size, which may be cancelled.

#include "soak/worker.hpp"

#include <pthread.h>

namespace soak {

class Crew {
public:
  Crew(const std::vector<std::unique_ptr<Worker>>& workers, const Limits& limits, std::uint64_t seed);

  /// Returns when all workers are over. Where a thread was cancelled, another one goes on with its worker.
  void run();

private:
  struct Member {
    Worker& worker;
    const Limits& limits;
    bool has_signal_stack = false;
    pthread_t thread{};
    bool is_over = false;
  };
  static void* main(void* member);
  void start(Member& member);
  void join_if_over(Member& member);

  Random random_;
  std::vector<Member> members_;
};

} // namespace soak
