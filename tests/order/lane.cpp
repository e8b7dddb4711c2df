// The turn of a guest's lane: runtime/guest/lane.cpp, with the stand-ins for the clock, so that threads sleep at once.

#include "tests/order/piece.hpp"

#include "compiler/abi/launch.hpp"

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// futex(), without the time limit of a sleep, so that a lost wake-up is a deadlock. As in Linux, a thread that is about
/// to sleep takes a lock of the word and compares the word after a full barrier, and a thread that wakes others takes the
/// same lock.
long futex_call(long, void* word, int operation, std::uint32_t value, const timespec*, const void*, int) {
  auto& cell = model::memory.at<std::uint32_t>(word, RL_INFO);
  auto& lock = model::memory.at<std::uint32_t>(static_cast<std::byte*>(word) + 1, RL_INFO);
  rl::ctx().sched();
  bool sleeps = false;
  {
    const rl::preemption_disabler undivided(rl::ctx());
    lock.atomic.fetch_add(1, rl::mo_acq_rel, RL_INFO);
    if (operation == FUTEX_WAKE)
      model::wake(cell, value, RL_INFO);
    else
      sleeps = cell.atomic.load(rl::mo_seq_cst, RL_INFO) == value;
  }
  if (sleeps)
    model::sleep(cell, RL_INFO);
  else if (operation == FUTEX_WAIT)
    rl::ctx().yield(1, RL_INFO); // the caller looks again, and does not read the old value for ever
  return 0;
}

} // namespace

#include "tests/order/begin_driver_code.hpp"
#define syscall futex_call

#include "runtime/guest/lane.cpp"

#undef syscall
#include "tests/order/end_driver_code.hpp"

namespace {

using namespace hostcl::runtime::guest;

void wait_until(TurnWord& word, Turn wanted) {
  for (Turn now = word.get(); now != wanted; now = word.get())
    word.wait_while(now, 1'000'000'000);
}

/// A word, and the lock that Linux has for it.
struct Word : TurnWord {
  Word() { model::begin_atomic<std::uint32_t>(reinterpret_cast<std::byte*>(this) + 1, 0); }
};

/// The application runs a kernel, which makes a host call.
struct Running : model::Model<Running, 2> {
  Word word;
  model::Data<unsigned> message;

  void thread(unsigned index) {
    if (index == 0) {
      message.set(1);
      word.pass(Turn::run);
      wait_until(word, Turn::call);
      MODEL_CHECK(message.get() == 2);
      message.set(3);
      word.pass(Turn::answered);
      wait_until(word, Turn::done);
      MODEL_CHECK(message.get() == 4);
    } else {
      wait_until(word, Turn::run);
      MODEL_CHECK(message.get() == 1);
      message.set(2);
      word.pass(Turn::call);
      wait_until(word, Turn::answered);
      MODEL_CHECK(message.get() == 3);
      message.set(4);
      word.pass(Turn::done);
    }
  }
};

/// A launch takes the lane after another one, for which the other side has ended.
struct Resetting : model::Model<Resetting, 2> {
  Word word;
  void thread(unsigned index) {
    if (index == 1) return word.pass(Turn::fault);
    wait_until(word, Turn::fault);
    word.reset();
    MODEL_CHECK(word.get() == Turn::idle);
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::
      Piece("lane", {"runtime/guest/lane.cpp", "runtime/guest/lane.hpp"},
            {model::bounded<Running>("a host call", 3, 28266), model::all_of<Resetting>("a lane anew", 721)},
            {{"sleepers_.fetch_sub(1, std::memory_order_seq_cst)", rl::mo_relaxed,
              "if the other side reads a number that is too high, it makes a system call that wakes nobody"}})
          .run(count, arguments);
}
