#include "runtime/parallel.hpp"

#include "runtime/options.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <vector>

#include <pthread.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

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

class Workers::Arena {
public:
  Arena(unsigned threads, const Processors& processors)
      : arena_(static_cast<int>(threads), 1), binder_(arena_, processors) {}

  /// An arena whose threads are bound. One for each set of processors, and never destroyed: only threads that
  /// leave it as long as it exists are set free again.
  static Arena& bound(unsigned threads, const Processors& processors);

  tbb::task_arena& get() { return arena_; }

private:
  /// Binds the threads that enter the arena, until they leave it.
  class Binder : public tbb::task_scheduler_observer {
  public:
    Binder(tbb::task_arena& arena, const Processors& processors)
        : task_scheduler_observer(arena), processors_(processors) {
      if (!processors_.empty()) observe(true);
    }
    ~Binder() override { observe(false); }

    void on_scheduler_entry(bool) override {
      auto slot = static_cast<std::size_t>(std::max(0, tbb::this_task_arena::current_thread_index()));
      std::span<const unsigned> all(processors_);
      bindings_.local().push_back(
          std::make_unique<ThreadBinding>(options().pin ? all.subspan(slot % all.size(), 1) : all));
    }
    void on_scheduler_exit(bool) override { bindings_.local().pop_back(); }

  private:
    Processors processors_;
    tbb::enumerable_thread_specific<std::vector<std::unique_ptr<ThreadBinding>>> bindings_;
  };

  tbb::task_arena arena_;
  Binder binder_;
};

Workers::Arena& Workers::Arena::bound(unsigned threads, const Processors& processors) {
  static auto& lock = *new std::mutex;
  static auto& arenas = *new std::map<Processors, std::unique_ptr<Arena>>;
  std::scoped_lock guard(lock);
  auto& arena = arenas[processors];
  if (!arena) arena = std::make_unique<Arena>(threads, processors);
  return *arena;
}

namespace {

/// oneTBB has no more threads than the machine has processors unless told so.
void allow_threads(unsigned threads) {
  static std::mutex lock;
  static std::unique_ptr<tbb::global_control>& allowed = *new std::unique_ptr<tbb::global_control>;
  using Control = tbb::global_control;
  std::scoped_lock guard(lock);
  if (threads > Control::active_value(Control::max_allowed_parallelism))
    allowed = std::make_unique<Control>(Control::max_allowed_parallelism, threads);
}

} // namespace

Workers::Workers(unsigned threads, Processors processors, bool binds_caller)
    : threads_(threads), processors_(std::move(processors)), binds_caller_(binds_caller) {}
Workers::~Workers() = default;

Workers::Arena& Workers::made_arena() {
  if (Arena* made = arena_.load(std::memory_order_acquire)) [[likely]]
    return *made;
  std::scoped_lock guard(making_);
  if (!arena_.load(std::memory_order_relaxed)) {
    allow_threads(threads_);
    if (processors_.empty()) own_arena_ = std::make_unique<Arena>(threads_, processors_);
    arena_.store(own_arena_ ? own_arena_.get() : &Arena::bound(threads_, processors_),
                 std::memory_order_release);
  }
  return *arena_.load(std::memory_order_relaxed);
}

void Workers::for_ranges(std::uint64_t first, std::uint64_t last, std::uint64_t grain, RangeBody body) {
  if (threads_ == 1 || last - first <= 1 || in_forked_child()) {
    body(first, last);
    return;
  }
  Arena& arena = made_arena();
  using Range = tbb::blocked_range<std::uint64_t>;
  auto run = [&](const Range& range) { body(range.begin(), range.end()); };
  arena.get().execute([&] {
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
