// How a range is divided among threads: the number of threads, which threads take part, and when the last thread ends.

#include "runtime/threads/background.hpp"
#include "runtime/threads/machine.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/range_shares.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <latch>
#include <mutex>
#include <queue>
#include <set>
#include <thread>
#include <vector>

using namespace hostcl::runtime;

namespace {

/// A simulation of threads that cover a range, if each thread has a processor of its own.
struct Simulation {
  double first_end, last_end; ///< times when the first and the last thread found no chunk any more
  std::vector<unsigned> runs; ///< how often each unit was run
  unsigned foreign = 0;       ///< chunks that threads took from the shares of other threads
};

/// @param cost function that returns the time of a unit of the range
template <class Cost>
Simulation simulate(unsigned threads, std::uint64_t length, std::uint64_t grain, Cost cost) {
  struct Thread {
    double time;
    unsigned number, share;
    bool operator>(const Thread& other) const { return time > other.time; }
  };
  RangeShares shares(threads);
  shares.begin(0, length);
  std::priority_queue<Thread, std::vector<Thread>, std::greater<>> running;
  for (unsigned i = 0; i < threads; ++i)
    running.push({0, i, i});
  Simulation result{INFINITY, 0, std::vector<unsigned>(length), 0};
  while (!running.empty()) {
    Thread next = running.top();
    running.pop();
    if (const auto chunk = shares.take(next.share, 2 * grain)) {
      result.foreign += next.share != next.number;
      for (std::uint64_t unit = chunk->first; unit < chunk->last; ++unit) {
        next.time += cost(unit);
        ++result.runs[unit];
      }
      running.push(next);
    } else {
      result.first_end = std::min(result.first_end, next.time);
      result.last_end = std::max(result.last_end, next.time);
    }
  }
  return result;
}

bool all_once(const std::vector<unsigned>& runs) {
  return std::all_of(runs.begin(), runs.end(), [](unsigned count) { return count == 1; });
}

} // namespace

TEST_CASE("Threads end within a tenth of each other, however work is spread", "[scheduling]") {
  const unsigned threads = GENERATE(2u, 7u, 16u, 64u);
  constexpr std::uint64_t length = 100'000, grain = 50;
  const auto check = [&](const Simulation& result) {
    CHECK(all_once(result.runs));
    CHECK(result.first_end >= 0.9 * result.last_end);
  };
  SECTION("even") {
    check(simulate(threads, length, grain, [](std::uint64_t) { return 1.0; }));
  }
  SECTION("more at the end") {
    check(simulate(threads, length, grain, [](std::uint64_t unit) { return static_cast<double>(unit); }));
  }
  SECTION("more at the beginning") {
    check(simulate(threads, length, grain,
                   [](std::uint64_t unit) { return static_cast<double>(length - unit); }));
  }
  SECTION("a tenth of it in a hundredth") {
    check(simulate(threads, length, grain,
                   [](std::uint64_t unit) { return unit / (length / 100) == 37 ? 11.0 : 1.0; }));
  }
}

TEST_CASE("What threads take of each other grows no faster than the logarithm of their number",
          "[scheduling]") {
  const auto foreign_of_thread = [](unsigned threads) {
    const std::uint64_t length = std::uint64_t{1000} * threads;
    const auto cost = [&](std::uint64_t unit) { return unit / (length / 100) == 37 ? 11.0 : 1.0; };
    return simulate(threads, length, 10, cost).foreign / static_cast<double>(threads);
  };
  const double of_eight = foreign_of_thread(8);
  for (const unsigned threads : {16u, 64u, 256u}) {
    CAPTURE(threads, of_eight);
    CHECK(foreign_of_thread(threads) <= of_eight * std::log2(threads) / std::log2(8));
  }
}

TEST_CASE("A range that is shorter than the threads are many is covered once", "[scheduling]") {
  for (const std::uint64_t length : {1, 2, 15, 17, 63})
    CHECK(all_once(simulate(16, length, 1, [](std::uint64_t) { return 1.0; }).runs));
}

TEST_CASE("A thread takes all shares when no other one comes, its own first", "[scheduling]") {
  RangeShares shares(4);
  shares.begin(100, 500);
  unsigned share = 2;
  std::uint64_t expected = 300;
  for (unsigned taken = 0; taken < 400;) {
    const auto [first, last] = shares.take(share, 80).value_or(RangeShares::Chunk{});
    REQUIRE(first == expected);
    REQUIRE(last > first);
    REQUIRE(last - first <= 12); // an eighth of a share
    taken += static_cast<unsigned>(last - first);
    expected = last == 500 ? 100 : last;
  }
  CHECK(!shares.take(share, 80));
}

TEST_CASE("No chunk but the last of a share is shorter than what each costs allows", "[scheduling]") {
  RangeShares shares(4);
  shares.begin(0, 4000, 250);
  unsigned share = 0, chunks = 0;
  while (const auto chunk = shares.take(share, 160)) {
    CHECK(chunk->last - chunk->first == 250);
    ++chunks;
  }
  CHECK(chunks == 16);
}

TEST_CASE("Work is shared out among as many threads as it is worth", "[scheduling]") {
  const Workers sixteen(16, {}, false, Priority::normal), twelve(12, {}, false, Priority::normal);
  constexpr std::uint64_t grain = 10;
  for (const auto [length, threads] :
       {std::pair{0, 1}, {19, 1}, {20, 2}, {39, 2}, {40, 4}, {159, 8}, {160, 16}, {9999, 16}})
    CHECK(sixteen.threads_for(static_cast<std::uint64_t>(length), grain) == static_cast<unsigned>(threads));
  CHECK(twelve.threads_for(119, grain) == 8);
  CHECK(twelve.threads_for(120, grain) == 12);
  CHECK(twelve.threads_for(5, 0) == 4);
}

namespace {

/// Covers a range by calls that record which units they cover, and on which thread.
class Covered {
public:
  Covered(Workers& workers, std::uint64_t length, std::uint64_t grain) : runs_(length) {
    auto body = [this](std::uint64_t first, std::uint64_t last) { note(first - begin, last - begin); };
    figures = workers.for_ranges(begin, begin + length, grain, body);
  }

  RangeFigures figures;
  std::set<std::thread::id> threads;
  unsigned calls = 0;
  bool all_once() const { return ::all_once(runs_); }

private:
  static constexpr std::uint64_t begin = 5;

  void note(std::uint64_t first, std::uint64_t last) {
    const std::scoped_lock guard(lock_);
    for (std::uint64_t unit = first; unit < last; ++unit)
      ++runs_[unit];
    threads.insert(std::this_thread::get_id());
    ++calls;
  }

  std::mutex lock_;
  std::vector<unsigned> runs_;
};

} // namespace

TEST_CASE("No more threads take part than the work is worth", "[scheduling]") {
  const unsigned threads = GENERATE(16u, 64u);
  Workers workers(threads, {}, false, Priority::normal);
  constexpr std::uint64_t grain = 64;
  for (const unsigned grains : {2u, 3u, 4u, 9u, 16u, 200u})
    for (unsigned run = 0; run < 20; ++run) {
      const Covered covered(workers, grains * grain + run, grain);
      CHECK(covered.all_once());
      CHECK(covered.figures.threads == covered.threads.size());
      CHECK(covered.figures.threads <= std::min(grains, threads));
    }
}

TEST_CASE("Work that is worth one thread is one call on the caller's", "[scheduling]") {
  Workers workers(64, {}, false, Priority::normal);
  for (const std::uint64_t length : {0, 1, 63, 127}) {
    const Covered covered(workers, length, 64);
    CHECK(covered.all_once());
    CHECK(covered.calls == 1);
    CHECK(covered.threads == std::set{std::this_thread::get_id()});
    CHECK(covered.figures.threads == 1);
  }
}

TEST_CASE(
    "A range of which each unit was thought to be worth a thread is covered in few calls if units are short",
    "[scheduling]") {
  Workers workers(2, {}, false, Priority::normal);
  constexpr unsigned length = 1'000'000;
  const Covered covered(workers, length, 1);
  CHECK(covered.all_once());
  CHECK(covered.calls < length / 100);
}

TEST_CASE("No kernel is compiled ahead while several threads cover a range", "[scheduling]") {
  if (machine().threads == 1) return; // with one thread, nothing is compiled ahead
  Background& background = Background::instance();
  std::latch better_made(1), ahead_made(1);
  std::atomic<bool> is_ahead_made = false;
  std::once_flag once;
  bool was_ahead_made = false;
  auto body = [&](std::uint64_t, std::uint64_t) {
    std::call_once(once, [&] {
      background.compile(Background::Reason::ahead, [&] {
        is_ahead_made = true;
        ahead_made.count_down();
      });
      background.compile(Background::Reason::tier1, [&] { better_made.count_down(); });
      better_made.wait();
      was_ahead_made = is_ahead_made;
    });
  };
  Workers workers(2, {}, false, Priority::normal);
  workers.for_ranges(0, 1'000, 1, body);
  CHECK_FALSE(was_ahead_made);
  ahead_made.wait(); // the compilation is delayed, not dropped
  CHECK(is_ahead_made);
}
