#include "runtime/guest/lane.hpp"

#include "runtime/support/clock.hpp"

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hostcl::runtime::guest {

namespace {

/// How long a side waits without sleeping: about as long as Linux takes to wake a thread.
constexpr std::uint64_t spin_ns = 20'000;

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* time) {
  return syscall(SYS_futex, &word, operation, value, time, nullptr, 0);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

} // namespace

void TurnWord::pass(Turn turn) {
  word_.store(static_cast<std::uint32_t>(turn), std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) wake();
}

void TurnWord::wake() {
  futex(word_, FUTEX_WAKE, INT_MAX, nullptr);
}

void TurnWord::reset() {
  word_.store(static_cast<std::uint32_t>(Turn::idle), std::memory_order_relaxed);
  sleepers_.store(0, std::memory_order_relaxed);
}

bool TurnWord::wait_while(Turn turn, std::uint64_t most_ns) {
  const std::uint64_t begin = now_ns();
  while (get() == turn) {
    pause();
    if (now_ns() - begin < spin_ns) continue;
    const timespec time{static_cast<time_t>(most_ns / 1'000'000'000),
                        static_cast<long>(most_ns % 1'000'000'000)};
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    if (get() == turn) futex(word_, FUTEX_WAIT, static_cast<std::uint32_t>(turn), &time);
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    return get() != turn;
  }
  return true;
}

} // namespace hostcl::runtime::guest
