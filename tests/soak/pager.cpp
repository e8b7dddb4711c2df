#include "soak/pager.hpp"

#include "soak/axes.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <new>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace soak::pager {

namespace {

constexpr int open = PROT_READ | PROT_WRITE;

/// Pages that may be protected. The handler reads them without a lock: a range stays as long as its memory is used.
struct Range {
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};
std::array<Range, 8192> ranges;
std::atomic<std::size_t> range_count = 0; ///< all used ones are before it
std::mutex lock;                          ///< for changes of ranges, and while pages are protected
struct sigaction before;
thread_local bool is_application = false;

std::uintptr_t up(std::uintptr_t address) {
  return (address + page_size - 1) & ~(page_size - 1);
}
std::uintptr_t down(std::uintptr_t address) {
  return address & ~(page_size - 1);
}
bool give(std::uintptr_t begin, std::uintptr_t end, int rights) {
  return mprotect(reinterpret_cast<void*>(begin), end - begin, rights) == 0;
}

/// Calls the handler before this one, or lets the fault happen again without any.
void pass_on(int signal, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
    ::signal(signal, SIG_DFL);
  else
    before.sa_handler(signal);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (std::size_t i = 0; i < range_count; ++i) {
    const Range& range = ranges[i];
    if (!range.contains(address)) continue;
    ++(is_application ? counts.faults : counts.driver_faults);
    const std::uintptr_t page = down(address);
    // Where limits allow neither another mapping nor more writable memory, the fault happens again until they do.
    if (!give(page, page + page_size, open) && !give(range.begin, range.end, open)) sched_yield();
    errno = error;
    return;
  }
  errno = error;
  pass_on(signal, info, context);
}

void protect_range(Random& random, const Range& range) {
  const std::size_t pages = (range.end - range.begin) / page_size;
  const std::size_t first = random.chance(50) ? 0 : random.below(pages);
  const std::size_t count = random.chance(50) ? pages - first : random.between(1, pages - first);
  const std::uintptr_t begin = range.begin + first * page_size;
  if (give(begin, begin + count * page_size, random.chance(50) ? PROT_READ : PROT_NONE)) ++counts.protections;
}

} // namespace

void install() {
  struct sigaction own{};
  own.sa_sigaction = on_fault;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &own, &before);
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); }, [] { lock.unlock(); });
}

void add(void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = up(address), end = down(address + bytes);
  if (!axes.faults || begin >= end) return;
  std::scoped_lock guard(lock);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].end) continue;
    ranges[i].begin = begin;
    ranges[i].end = end;
    if (i >= range_count) range_count = i + 1;
    return;
  }
}

void remove(void* memory) {
  if (!axes.faults) return;
  const std::uintptr_t begin = up(reinterpret_cast<std::uintptr_t>(memory));
  std::scoped_lock guard(lock);
  for (std::size_t i = 0; i < range_count; ++i) {
    if (ranges[i].begin != begin || !ranges[i].end) continue;
    while (!give(begin, ranges[i].end, open)) // until limits allow it
      sched_yield();
    ranges[i].end = 0;
    ranges[i].begin = 0;
    return;
  }
}

void protect(Random& random, const void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (!axes.faults || up(address) >= down(address + bytes)) return;
  std::scoped_lock guard(lock);
  for (std::size_t i = 0; i < range_count; ++i)
    if (ranges[i].contains(up(address))) return protect_range(random, ranges[i]);
}

SignalStack::SignalStack(bool has_stack) {
  is_application = true;
  if (!has_stack) return;
  constexpr std::size_t bytes = 32 << 10;
  stack_ = std::make_unique<char[]>(bytes);
  const stack_t stack{.ss_sp = stack_.get(), .ss_flags = 0, .ss_size = bytes};
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  if (stack_) sigaltstack(&none, nullptr);
}

Thread::Thread(std::uint64_t seed)
    : thread_([this, random = Random(seed)]() mutable {
        is_application = true;
        while (!is_over_) {
          std::this_thread::sleep_for(std::chrono::microseconds(random.between(50, 2000)));
          std::scoped_lock guard(lock);
          if (range_count == 0) continue;
          const Range& range = ranges[random.below(range_count)];
          if (range.end) protect_range(random, range);
        }
      }) {}

Thread::~Thread() {
  is_over_ = true;
  thread_.join();
}

void* allocate(std::size_t bytes) {
  if (!axes.faults || bytes < page_size) return ::operator new(bytes);
  void* memory = mmap(nullptr, up(bytes), open, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  add(memory, up(bytes));
  return memory;
}

void deallocate(void* memory, std::size_t bytes) noexcept {
  if (!axes.faults || bytes < page_size) return ::operator delete(memory);
  remove(memory);
  munmap(memory, up(bytes));
}

} // namespace soak::pager
