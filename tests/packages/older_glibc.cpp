// What the wheel's driver does on systems whose C library lacks some functions: as if this one lacked them.

#include <dlfcn.h>

#define dlsym(handle, name) static_cast<void*>(nullptr)
#include "icd/older_glibc.cpp" // NOLINT(bugprone-suspicious-include): what is hidden in it
#undef dlsym

#include "support/catch.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <set>
#include <thread>

using namespace std::chrono_literals;

namespace {

timespec in(std::chrono::nanoseconds time) {
  const std::int64_t end = now_ns(CLOCK_MONOTONIC) + time.count();
  return {.tv_sec = end / second_ns, .tv_nsec = end % second_ns};
}

const int variable = 1;

} // namespace

TEST_CASE("_dl_find_object: code and data of the program, of a library, and neither") {
  dl_find_object here{}, there{}, none{};
  REQUIRE(_dl_find_object(reinterpret_cast<void*>(&in), &here) == 0);
  REQUIRE(_dl_find_object(const_cast<int*>(&variable), &there) == 0);
  CHECK(here.dlfo_map_start == there.dlfo_map_start);
  CHECK(here.dlfo_eh_frame != nullptr);
  CHECK(reinterpret_cast<char*>(&in) < here.dlfo_map_end);
  REQUIRE(_dl_find_object(reinterpret_cast<void*>(&std::fflush), &there) == 0);
  CHECK(here.dlfo_map_start != there.dlfo_map_start);
  const auto memory = std::make_unique<int>();
  CHECK(_dl_find_object(memory.get(), &none) == -1);
}

TEST_CASE("pthread_cond_clockwait: ends when the time is over, not before, and when it is woken") {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  timespec end = in(30ms);
  int result = 0;
  while (result == 0)
    result = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end);
  CHECK(result == ETIMEDOUT);
  CHECK(now_ns(CLOCK_MONOTONIC) >= nanoseconds(end));

  end = in(60s);
  bool woken = false;
  std::thread other([&] {
    pthread_mutex_lock(&mutex);
    woken = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  while (!woken)
    result = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end);
  CHECK(result == 0);
  pthread_mutex_unlock(&mutex);
  other.join();
}

TEST_CASE("gettid, arc4random, sigabbrev_np and mallinfo2 where the C library has none") {
  CHECK(gettid() == getpid());
  pid_t other = 0;
  std::thread([&] { other = gettid(); }).join();
  CHECK(other != getpid());
  std::set<std::uint32_t> numbers;
  for (int i = 0; i < 100; ++i)
    numbers.insert(arc4random());
  CHECK(numbers.size() > 95);
  CHECK(sigabbrev_np(SIGSEGV) == nullptr);
  CHECK(mallinfo2().uordblks == 0);
}
