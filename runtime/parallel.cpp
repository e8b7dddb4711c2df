#include "runtime/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <pthread.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace hostcl::runtime {

namespace {

// One memory-bound thread does not use all of the machine's bandwidth; below this size the other threads
// would arrive too late.
constexpr std::size_t parallel_copy_bytes = 2 << 20;
constexpr std::size_t copy_grain = 512 << 10;

std::atomic<bool> forked{false};
const int fork_handler =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

} // namespace

bool in_forked_child() {
  (void)fork_handler;
  return forked.load(std::memory_order_relaxed);
}

struct Workers::Arena {
  explicit Arena(unsigned threads) : arena(static_cast<int>(threads), 1) {}
  tbb::task_arena arena;
};

Workers::Workers(unsigned threads) : threads_(threads) {}
Workers::~Workers() = default;

void Workers::for_ranges(std::uint64_t first, std::uint64_t last, std::uint64_t grain, RangeBody body) {
  if (threads_ == 1 || last - first <= 1 || in_forked_child()) {
    body(first, last);
    return;
  }
  std::call_once(made_, [&] { arena_ = std::make_unique<Arena>(threads_); });
  using Range = tbb::blocked_range<std::uint64_t>;
  auto run = [&](const Range& range) { body(range.begin(), range.end()); };
  arena_->arena.execute([&] {
    // Isolated: while this thread waits for the last ranges it must not begin work of another command, which
    // could take any time.
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(Range(first, last, std::max<std::uint64_t>(1, grain)), run); });
  });
}

void copy_bytes(Workers& workers, void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  auto* source = static_cast<const std::byte*>(from);
  if (target == source || bytes == 0) return;
  if (bytes < parallel_copy_bytes) {
    std::memcpy(target, source, bytes);
    return;
  }
  auto body = [&](std::uint64_t first, std::uint64_t last) {
    std::memcpy(target + first, source + first, last - first);
  };
  workers.for_ranges(0, bytes, copy_grain, body);
}

void fill_bytes(Workers& workers, void* to, const void* pattern, std::size_t pattern_bytes,
                std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  if (bytes == 0) return;
  auto fill = [&](std::uint64_t first, std::uint64_t last) {
    std::byte* begin = target + first * pattern_bytes;
    std::size_t size = (last - first) * pattern_bytes;
    if (pattern_bytes == 1) {
      std::memset(begin, *static_cast<const unsigned char*>(pattern), size);
      return;
    }
    // Copies what is already there, doubling up to a size that stays in the first-level cache.
    std::size_t done = std::min(size, pattern_bytes);
    std::memcpy(begin, pattern, done);
    while (done < size) {
      std::size_t step = std::min({size - done, done, std::size_t{16} << 10});
      step -= step % pattern_bytes;
      std::memcpy(begin + done, begin, step);
      done += step;
    }
  };
  std::uint64_t count = bytes / pattern_bytes;
  if (bytes < parallel_copy_bytes)
    fill(0, count);
  else
    workers.for_ranges(0, count, copy_grain / pattern_bytes, fill);
}

} // namespace hostcl::runtime
