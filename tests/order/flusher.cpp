// The flusher's sleep: runtime/threads/flusher_sleep.hpp.

#include "tests/order/piece.hpp"

#include <condition_variable>

#include "tests/order/begin_driver_code.hpp"

#include "runtime/threads/flusher_sleep.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::runtime::FlusherSleep;

/// Threads that make work, and the flusher, which has nothing left to do when all work is done.
template <class Derived, unsigned makers, unsigned starts_that_fail>
struct FlusherModel : model::Model<Derived, makers + 1> {
  FlusherSleep flusher{2};
  rl::atomic<unsigned> work{0}; ///< as Queue::has_unpublished_
  rl::atomic<bool> is_started{false};
  rl::atomic<unsigned> starts{0};
  rl::atomic<unsigned> done{0};

  void make_work() {
    work.fetch_add(1, rl::mo_relaxed, RL_INFO);
    if (flusher.note_activity())
      flusher.wake([this] {
        if (starts.fetch_add(1, rl::mo_relaxed, RL_INFO) < starts_that_fail) return false;
        is_started.store(true, rl::mo_release, RL_INFO);
        return true;
      });
  }
  bool has_work() { return work.load(rl::mo_relaxed, RL_INFO) > 0; }

  /// The flusher's thread. If it sleeps for ever with work left, the checker finds a deadlock.
  void flush(unsigned total) {
    while (!is_started.load(rl::mo_acquire, RL_INFO))
      rl::ctx().yield(1, RL_INFO);
    for (unsigned flushed = 0;;) {
      flushed += work.exchange(0, rl::mo_relaxed, RL_INFO);
      if (flushed == total) return;
      flusher.end_period([this] { return has_work(); });
    }
  }
  void thread(unsigned index) {
    if (index == makers) return flush(makers + starts_that_fail);
    for (unsigned i = 0; i <= starts_that_fail; ++i)
      make_work();
  }
};

struct One : FlusherModel<One, 1, 0> {};
struct Two : FlusherModel<Two, 2, 0> {};
/// The thread cannot be started at first, as where a limit of the process allows no further thread.
struct Failing : FlusherModel<Failing, 1, 1> {};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("flusher", {"runtime/threads/flusher_sleep.hpp"},
                      {model::bounded<One>("one thread", 3, 904),
                       model::bounded<Two>("two threads", 2, 13086),
                       model::bounded<Failing>("a thread that cannot be started at first", 2, 501)})
      .run(count, arguments);
}
