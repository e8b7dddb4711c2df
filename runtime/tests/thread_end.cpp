// Functions that are called when threads end.

#include "runtime/support/thread_end.hpp"
#include "support/catch.hpp"

#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

using namespace hostcl::runtime;

namespace {

std::string calls; ///< names of the calls, in their order; only one thread at a time appends to the text

void note_end() {
  calls += "end ";
}

struct Object {
  bool is_used = false;
  ~Object() { calls += "object "; }
};

bool arrange_in_thread() {
  static thread_local Object object;
  const bool is_first = at_thread_end<note_end>();
  object.is_used = true;
  return is_first && at_thread_end<note_end>();
}

/// Uses up keys of thread-specific data as long as the object exists.
class Keys {
public:
  explicit Keys(std::size_t most) {
    for (pthread_key_t key; keys_.size() < most && pthread_key_create(&key, nullptr) == 0;)
      keys_.push_back(key);
  }
  Keys(const Keys&) = delete;
  ~Keys() {
    for (const pthread_key_t key : keys_)
      pthread_key_delete(key);
  }

private:
  std::vector<pthread_key_t> keys_;
};

} // namespace

TEST_CASE("a function is called once when its thread ends, after its objects' destructors", "[thread_end]") {
  calls.clear();
  bool is_arranged = false;
  std::thread([&] { is_arranged = arrange_in_thread(); }).join();
  CHECK(is_arranged);
  CHECK(calls == "object end ");
  std::thread([] {}).join();
  CHECK(calls == "object end ");
}

TEST_CASE("a function is called when its thread is cancelled", "[thread_end]") {
  calls.clear();
  std::thread([] {
    if (!arrange_in_thread()) return;
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }).join();
  CHECK(calls == "object end ");
}

TEST_CASE("a function is called whose key is not among a thread's first ones", "[thread_end]") {
  calls.clear();
  const Keys keys(100);
  static const ThreadEndKey<note_end> key;
  bool is_arranged = false;
  std::thread([&] { is_arranged = key.set(); }).join();
  CHECK(is_arranged);
  CHECK(calls == "end ");
}

TEST_CASE("a process without keys is told that no function will be called", "[thread_end]") {
  calls.clear();
  const Keys keys(100'000);
  const ThreadEndKey<note_end> key;
  bool is_arranged = true;
  std::thread([&] { is_arranged = key.set(); }).join();
  CHECK(!is_arranged);
  CHECK(calls.empty());
}
