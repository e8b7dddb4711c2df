#include "runtime/threads/parallel.hpp"

#include "compiler/isolation/own_threads.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/range_shares.hpp"
#include "runtime/threads/tbb_annotations.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <iterator>
#include <latch>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

namespace hostcl::runtime {

Lock& thread_starts() {
  static constinit Lock lock;
  return lock;
}

namespace {

const bool is_held_over_fork = held_over_fork<thread_starts>();

/// An arena of oneTBB, with the shares of the range that its threads cover. It serves one calling thread at a
/// time, which has it as a Workers::Arenas::Lease.
class Arena {
public:
  Arena(unsigned threads, const Processors& processors, std::size_t first, Priority priority)
      : arena_(static_cast<int>(threads), 1, to_tbb(priority)),
        binder_(arena_, threads, processors, first),
        shares_(threads) {}

  unsigned threads() const { return shares_.threads(); }
  tbb::task_arena& get() { return arena_; }
  /// The shares of the range that the thread with the lease covers.
  RangeShares& shares() { return shares_; }

private:
  static tbb::task_arena::priority to_tbb(Priority priority) {
    using P = tbb::task_arena::priority;
    return priority == Priority::low ? P::low : priority == Priority::high ? P::high : P::normal;
  }

  /// Binds each thread to its processors when it enters the arena, and unbinds the thread when it leaves the
  /// arena.
  class Binder : public tbb::task_scheduler_observer {
  public:
    /// @param first index in `processors` of the processor for slot 0, if threads are pinned
    Binder(tbb::task_arena& arena, unsigned threads, const Processors& processors, std::size_t first)
        : task_scheduler_observer(arena), processors_(processors), first_(first), bindings_(threads) {
      handover_.post();
      if (!processors_.empty() || is_thread_sanitized) observe(true);
    }
    ~Binder() override {
      observe(false); // waits for threads that are in a call of the observer
      handover_.await();
    }

    void on_scheduler_entry(bool is_worker) override {
      handover_.await();
      if (std::span<const unsigned> all(processors_); !all.empty()) {
        std::size_t own = (first_ + slot()) % all.size();
        bindings_[slot()] = std::make_unique<ThreadBinding>(options().pin ? all.subspan(own, 1) : all);
      }
      handover_.post();
      if (is_worker) enter_tbb(); // a calling thread is inside of oneTBB's code already
    }
    void on_scheduler_exit(bool is_worker) override {
      if (is_worker) leave_tbb();
      bindings_[slot()].reset();
      handover_.post();
    }

  private:
    /// The index of the thread's slot in the arena. No other thread has the slot at the same time.
    static std::size_t slot() {
      return static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    }

    Processors processors_;
    std::size_t first_;
    std::vector<std::unique_ptr<ThreadBinding>> bindings_; ///< by slot
    Handover handover_;
  };

  tbb::task_arena arena_;
  Binder binder_;
  RangeShares shares_;
};

} // namespace

/// The arenas of a device. Each thread that covers a range needs an arena of its own: if all slots of an
/// arena were taken, a further caller would wait until one of the arena's threads has nothing else to do.
/// oneTBB wakes as many threads as an arena has slots, so there are arenas of several sizes. Of the idle
/// arenas of a size, the one that was used last is taken first, because its threads spin for a while before
/// they sleep.
class Workers::Arenas {
public:
  Arenas(unsigned threads, const Processors& processors, Priority priority)
      : threads_(threads), processors_(processors), priority_(priority) {}

  unsigned threads() const { return threads_; }

  /// The arenas for threads that are bound to these processors. There is one object for each set of
  /// processors and priority. It is never destroyed, because a thread is unbound only if it leaves its arena
  /// while the arena's observer exists.
  static Arenas& bound(unsigned threads, const Processors& processors, Priority priority);

  /// Takes an idle arena of this size, or makes one, and gives it back in the destructor.
  class Lease {
  public:
    Lease(Arenas& arenas, unsigned threads) : arenas_(arenas), arena_(arenas.take(threads)) {}
    Lease(const Lease&) = delete;
    ~Lease() { arenas_.give_back(std::move(arena_)); }
    Arena& operator*() const { return *arena_; }

  private:
    Arenas& arenas_;
    std::unique_ptr<Arena> arena_;
  };

private:
  std::unique_ptr<Arena> take(unsigned threads) {
    const auto has_size = [&](const std::unique_ptr<Arena>& arena) { return arena->threads() == threads; };
    std::scoped_lock guard(lock_);
    if (const auto found = std::ranges::find_if(idle_.rbegin(), idle_.rend(), has_size);
        found != idle_.rend()) {
      std::unique_ptr<Arena> arena = std::move(*found);
      idle_.erase(std::next(found).base());
      return arena;
    }
    idle_.reserve(made_ + 1); // so that give_back() needs no memory
    auto arena = std::make_unique<Arena>(threads, processors_, made_, priority_);
    ++made_;
    return arena;
  }
  void give_back(std::unique_ptr<Arena> arena) {
    std::scoped_lock guard(lock_);
    idle_.push_back(std::move(arena));
  }

  unsigned threads_;
  Processors processors_;
  Priority priority_;
  Lock lock_; ///< guards idle_ and made_
  std::vector<std::unique_ptr<Arena>> idle_;
  std::size_t made_ = 0;
};

Workers::Arenas& Workers::Arenas::bound(unsigned threads, const Processors& processors, Priority priority) {
  static auto& lock = *new std::mutex;
  static auto& known = *new std::map<std::pair<Processors, Priority>, std::unique_ptr<Arenas>>;
  std::scoped_lock guard(lock);
  auto& arenas = known[{processors, priority}];
  if (!arenas) arenas = std::make_unique<Arenas>(threads, processors, priority);
  return *arenas;
}

namespace {

/// How many of `wanted` threads the process can have at the same time. It starts them and ends them again.
unsigned startable_threads(unsigned wanted) {
  std::latch all_started(1);
  auto wait = [](void* latch) -> void* {
    static_cast<std::latch*>(latch)->wait();
    return nullptr;
  };
  std::vector<pthread_t> threads;
  threads.reserve(wanted);
  int error = 0;
  for (pthread_t thread; threads.size() < wanted && error == 0;) {
    error = hcl_new_thread(&thread, nullptr, wait, &all_started);
    if (error == 0) threads.push_back(thread);
  }
  if (error != 0)
    log(LogLevel::warn, "only ", threads.size(), " of ", wanted,
        " threads can be started: ", std::strerror(error));
  all_started.count_down();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  return static_cast<unsigned>(threads.size());
}

/// Has oneTBB start its worker threads now, while allow_threads() holds the lock on further threads. Each of
/// `threads` callers and workers waits in the body until all others have arrived, or until the deadline.
void start_workers(Arena& arena, unsigned threads) {
  constexpr auto patience = std::chrono::milliseconds(100);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::atomic<unsigned> arrived = 0;
  auto meet = [&](unsigned) {
    arrived.fetch_add(1, std::memory_order_relaxed);
    while (arrived.load(std::memory_order_relaxed) < threads && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  };
  const InsideTbb inside;
  arena.get().execute([&] { tbb::parallel_for(0u, threads, meet, tbb::simple_partitioner()); });
}

std::mutex allowing; ///< guards the variables of allow_threads()

/// Tells oneTBB how many threads it may have. By default oneTBB starts no more threads than the machine has
/// processors. If a limit of the process or of a container refuses one of them, oneTBB drops the rest of the
/// command or ends the process; so the driver first tries how many threads it can start, and lowers oneTBB's
/// limit to their number.
/// @returns how many threads may work, callers included
unsigned allow_threads(unsigned wanted) {
  using Control = tbb::global_control;
  static std::unique_ptr<Control>& allowed = *new std::unique_ptr<Control>;
  // The arena in which the threads have been started. It is kept, because its threads leave it at any time.
  static std::unique_ptr<Arena>& first_arena = *new std::unique_ptr<Arena>;
  /// Threads that were started, with the caller; the least number that was asked for and not reached.
  static unsigned most = 1, refused = ~0u;
  std::scoped_lock guard(allowing);
  if (wanted > most && wanted < refused) {
    std::scoped_lock others(thread_starts());
    most = 1 + startable_threads(wanted - 1);
    if (most < wanted) refused = wanted;
    if (refused != ~0u || wanted > Control::active_value(Control::max_allowed_parallelism))
      allowed = std::make_unique<Control>(Control::max_allowed_parallelism, most);
    auto arena = std::make_unique<Arena>(most, Processors(), 0, Priority::normal);
    arena->get().initialize(); // oneTBB makes the objects that all arenas share
    // Only if threads are scarce: workers that have just run may hold oneTBB's locks when the process forks.
    if (refused != ~0u && most > 1) start_workers(*arena, most);
    first_arena = std::move(arena);
  }
  return std::min(wanted, most);
}

} // namespace

Workers::Workers(unsigned threads, Processors processors, bool binds_caller, Priority priority)
    : threads_(threads),
      processors_(std::move(processors)),
      binds_caller_(binds_caller),
      priority_(priority) {}
Workers::~Workers() = default;

Workers::Arenas& Workers::made_arenas() {
  if (Arenas* made = arenas_.load(std::memory_order_acquire)) [[likely]]
    return *made;
  std::scoped_lock guard(making_);
  if (!arenas_.load(std::memory_order_relaxed)) {
    const unsigned threads = allow_threads(threads_);
    if (processors_.empty()) own_arenas_ = std::make_unique<Arenas>(threads, processors_, priority_);
    arenas_.store(own_arenas_ ? own_arenas_.get() : &Arenas::bound(threads, processors_, priority_),
                  std::memory_order_release);
  }
  return *arenas_.load(std::memory_order_relaxed);
}

unsigned Workers::threads_for(std::uint64_t length, std::uint64_t grain) const {
  const std::uint64_t worth = length / std::max<std::uint64_t>(1, grain);
  if (worth >= threads_) return threads_;
  return worth < 2 ? 1 : std::bit_floor(static_cast<unsigned>(worth));
}

namespace {

/// The work of an arena's threads on one range. It lives on the stack of the thread that covers the range.
class Covering {
public:
  Covering(RangeShares& shares, std::uint64_t first, std::uint64_t last, std::uint64_t grain,
           std::uint64_t least, RangeBody body)
      : shares_(shares), grain_(grain), body_(body) {
    shares.begin(first, last, least);
  }

  /// Calls the body for chunks of the range until none is left.
  /// @param share number of the share that the calling thread begins with
  void work(unsigned share) {
    if (is_over_.load(std::memory_order_relaxed)) return;
    const std::uint64_t began = thread_ns();
    bool takes_part = false;
    Pace pace(grain_);
    std::uint64_t begin = now_ns();
    while (const auto chunk = shares_.take(share, pace.length())) {
      body_(chunk->first, chunk->last);
      const std::uint64_t end = now_ns();
      pace.note(chunk->last - chunk->first, end - begin);
      begin = end;
      takes_part = true;
    }
    is_over_.store(true, std::memory_order_relaxed);
    if (!takes_part) return;
    threads_.fetch_add(1, std::memory_order_relaxed);
    busy_ns_.fetch_add(thread_ns() - began, std::memory_order_relaxed);
  }

  RangeFigures figures() const {
    return {threads_.load(std::memory_order_relaxed), busy_ns_.load(std::memory_order_relaxed)};
  }

private:
  RangeShares& shares_;
  std::uint64_t grain_;
  RangeBody body_;
  std::atomic<bool> is_over_ = false;
  std::atomic<unsigned> threads_ = 0;
  std::atomic<std::uint64_t> busy_ns_ = 0;
};

constinit std::atomic<unsigned> shared_ranges = 0;
constinit std::atomic<std::uint64_t> last_end_ns = 0; ///< when several threads last finished a range

/// Exists while several threads cover a range; see serial_ns().
class SharedRange {
public:
  SharedRange() { shared_ranges.fetch_add(1, std::memory_order_relaxed); }
  ~SharedRange() {
    last_end_ns.store(now_ns(), std::memory_order_relaxed);
    shared_ranges.fetch_sub(1, std::memory_order_release);
  }
  SharedRange(const SharedRange&) = delete;
};

RangeFigures share_out(Arena& arena, std::uint64_t first, std::uint64_t last, std::uint64_t grain,
                       std::uint64_t least, RangeBody body) {
  const SharedRange shared;
  Covering covering(arena.shares(), first, last, grain, least, body);
  Handover begun, done;
  const auto work = [&](unsigned) {
    const auto own = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
    begun.await();
    {
      OutsideTbb outside;
      covering.work(own);
    }
    done.post();
  };
  begun.post();
  {
    InsideTbb inside;
    arena.get().execute([&] {
      // Isolated: while this thread waits for the other threads' last chunks, it must not begin work of
      // another command, which could take any time.
      tbb::this_task_arena::isolate(
          [&] { tbb::parallel_for(0u, arena.threads(), work, tbb::simple_partitioner()); });
    });
  }
  done.await();
  return covering.figures();
}

} // namespace

std::uint64_t serial_ns() {
  if (shared_ranges.load(std::memory_order_acquire) > 0 && !in_forked_child()) return 0;
  const std::uint64_t last_end = last_end_ns.load(std::memory_order_relaxed); // before the clock is read
  return now_ns() - last_end;
}

RangeFigures Workers::for_ranges(std::uint64_t first, std::uint64_t last, std::uint64_t grain, RangeBody body,
                                 std::uint64_t least) {
  unsigned threads = threads_for(last - first, grain);
  if (threads > 1 && !in_forked_child()) {
    Arenas& arenas = made_arenas();
    threads = std::min(threads, arenas.threads());
    if (threads > 1) return share_out(*Arenas::Lease(arenas, threads), first, last, grain, least, body);
  }
  const std::uint64_t began = thread_ns();
  body(first, last);
  return {1, thread_ns() - began};
}

} // namespace hostcl::runtime
