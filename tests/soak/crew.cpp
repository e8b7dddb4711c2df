#include "soak/crew.hpp"

#include <algorithm>
#include <optional>

namespace soak {

namespace {

constexpr int most_attempts = 1000; // to start a thread that limits do not allow

/// A frame that is far too large for the stack ends in it, and not in other memory.
constexpr std::size_t guard_bytes = 1 << 20;

class Attributes {
public:
  Attributes() { pthread_attr_init(&value_); }
  ~Attributes() { pthread_attr_destroy(&value_); }
  Attributes(const Attributes&) = delete;
  pthread_attr_t* address() { return &value_; }

private:
  pthread_attr_t value_;
};

} // namespace

Crew::Crew(const std::vector<std::unique_ptr<Worker>>& workers, const Limits& limits, std::uint64_t seed)
    : random_(seed) {
  for (const std::unique_ptr<Worker>& worker : workers)
    members_.push_back({*worker, limits});
}

void* Crew::main(void* data) {
  const auto& member = *static_cast<const Member*>(data);
  const pager::SignalStack stack(member.has_signal_stack);
  member.worker.run(member.limits);
  return nullptr;
}

void Crew::start(Member& member) {
  Attributes attributes;
  if (axes.stacks) {
    const std::size_t bytes = random_.between(64, 224) * 1024;
    pthread_attr_setstacksize(attributes.address(), bytes);
    pthread_attr_setguardsize(attributes.address(), guard_bytes);
    if (counts.smallest_stack == 0 || bytes < counts.smallest_stack) counts.smallest_stack = bytes;
  }
  ++counts.threads;
  member.has_signal_stack = axes.faults && random_.chance(50);
  for (int attempt = 0;; ++attempt) {
    const shortage::Lifted lifted;
    const int error = pthread_create(&member.thread, attributes.address(), main, &member);
    if (error == 0) return;
    if (!axes.limits || attempt == most_attempts)
      fail(member.worker.place(), "pthread_create()", "0", std::to_string(error));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Crew::join_if_over(Member& member) {
  void* result = nullptr;
  if (member.is_over || pthread_tryjoin_np(member.thread, &result) != 0) return;
  member.is_over = result != PTHREAD_CANCELED;
  if (member.is_over) return;
  ++counts.cancels;
  start(member);
}

void Crew::run() {
  for (Member& member : members_)
    start(member);
  Clock::time_point next = Clock::now();
  while (!std::ranges::all_of(members_, &Member::is_over)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (Member& member : members_)
      join_if_over(member);
    Member& chosen = members_[random_.below(members_.size())];
    if (!axes.cancels || Clock::now() < next || chosen.is_over) continue;
    pthread_cancel(chosen.thread);
    next = Clock::now() + std::chrono::microseconds(random_.below(40'000));
  }
}

} // namespace soak
