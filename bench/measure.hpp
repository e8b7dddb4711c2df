#pragma once

// Time and data, without OpenCL: shared by the cases and the C++ reference.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Median over the rounds of a case.
struct Measurement {
  double seconds = 0;
  double amount = 0; ///< of whatever the case's unit counts, per round
  int rounds = 0;
  double best = 0; ///< seconds of the shortest round; 0 where rounds are not timed one by one
  std::vector<double> launches =
      {}; ///< of --first-launches: seconds from the source to the end of each launch
};

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Thrown by a case that needs something the platform does not have, or that cannot be measured as asked.
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Time for the timed rounds of a case.
inline double round_seconds = 1.5;

/// Above 0: the first launches of each kernel are measured instead of rounds. After so many seconds of launches no
/// further one begins.
inline double first_launch_seconds = 0;

enum class Better { higher, lower };

/// How a case's figure is written. `higher` is amount per second over the scale; `lower` is time per amount,
/// times the scale.
struct Unit {
  const char* name;
  double scale;
  Better better = Better::higher;
};

inline double figure(const Measurement& measured, const Unit& unit) {
  return unit.better == Better::higher ? measured.amount / measured.seconds / unit.scale
                                       : measured.seconds / measured.amount * unit.scale;
}

/// Runs `prepare` (not timed) and `work` (timed) in turn: one round to warm up, then at least 5 and at most
/// 25, for about `round_seconds`. Unsupported where first launches are asked for: a round may be many launches.
template <class Work, class Prepare>
Measurement median(double amount, Work&& work, Prepare&& prepare) {
  if (first_launch_seconds > 0) throw Unsupported("more than launches of one kernel");
  constexpr std::size_t least = 5, most = 25;

  prepare();
  work();
  std::vector<double> seconds;
  const auto begin = Clock::now();
  while (seconds.size() < least || (seconds.size() < most && seconds_since(begin) < round_seconds)) {
    prepare();
    const auto start = Clock::now();
    work();
    seconds.push_back(seconds_since(start));
  }
  std::ranges::sort(seconds);
  return {seconds[seconds.size() / 2], amount, int(seconds.size()), seconds.front()};
}

template <class Work>
Measurement median(double amount, Work&& work) {
  return median(amount, work, [] {});
}

/// Runs `prepare` (not timed) and `work`, which is one launch, in turn: 100 times, or as often as
/// `first_launch_seconds` allow. `build` is the time in seconds from the source to the kernel.
template <class Work, class Prepare>
Measurement first_launches(double build, Work&& work, Prepare&& prepare) {
  constexpr std::size_t most = 100;
  Measurement measured;
  double seconds = build;
  while (measured.launches.size() < most && seconds - build < first_launch_seconds) {
    prepare();
    const auto start = Clock::now();
    work();
    measured.launches.push_back(seconds += seconds_since(start));
  }
  return measured;
}

/// The same numbers in every run and on every platform (splitmix64).
class Random {
public:
  explicit Random(std::uint64_t seed = 1) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return bits() % limit; }
  double between(double low, double high) { return low + (high - low) * double(bits() >> 11) * 0x1p-53; }

private:
  std::uint64_t state_;
};

template <class T>
std::vector<T> random_values(std::size_t count, double low, double high, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<T> values(count);
  for (T& value : values)
    value = T(random.between(low, high));
  return values;
}

inline void check(bool right, const std::string& what) {
  if (!right) throw std::runtime_error("wrong result: " + what);
}

/// Every element within `relative` of the expected one, or within `relative` of 1 where that is near zero.
template <class A, class B>
void check_close(const A& actual, const B& expected, double relative) {
  check(std::size(actual) == std::size(expected), "number of elements");
  for (std::size_t i = 0; i < std::size(actual); ++i) {
    const double want = double(expected[i]), have = double(actual[i]);
    if (!(std::abs(have - want) <= relative * std::max(1.0, std::abs(want))))
      throw std::runtime_error("wrong result: element " + std::to_string(i) + " is " + std::to_string(have) +
                               " instead of " + std::to_string(want));
  }
}

} // namespace bench
