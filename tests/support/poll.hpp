#pragma once

// Waits for what another thread does, with a limit, so that a test whose condition never holds fails and does not hang.

#include <chrono>
#include <thread>

namespace test {

/// Polls a condition each millisecond until it holds. The limit is a number of polls: time in which the machine stands
/// still counts as one poll.
/// @returns whether the condition holds
template <class Condition>
bool becomes(const Condition& holds, std::chrono::milliseconds limit = std::chrono::seconds(60)) {
  for (auto waited = std::chrono::milliseconds(0); waited < limit && !holds(); ++waited)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return holds();
}

} // namespace test
