// Sleep until state that a lock guards has changed: runtime/threads/wake_ups.hpp, with a stand-in for the lock.

#include "tests/order/piece.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "runtime/support/lock.hpp"
#include "runtime/threads/wake_ups.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using namespace hostcl::runtime;

/// A thread waits for two changes, as Queue::sleep() and Family::next() do; other threads make them.
template <unsigned changers, bool wakes_all, unsigned sleepers = 1>
struct Waiting : model::Model<Waiting<changers, wakes_all, sleepers>, changers + sleepers> {
  Lock lock;
  WakeUps wake_ups;
  model::Data<unsigned> changes;

  void thread(unsigned index) {
    std::unique_lock guard(lock);
    if (index < changers) {
      changes.set(changes.get() + 1);
      if (wakes_all)
        wake_ups.wake_all();
      else
        wake_ups.wake_one();
      return;
    }
    while (changes.get() < changers) {
      const std::uint32_t number = wake_ups.number();
      guard.unlock();
      wake_ups.sleep(number);
      guard.lock();
    }
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece(
             "wake-ups", {"runtime/threads/wake_ups.hpp"},
             {model::all_of<Waiting<1, false>>("one change", 290),
              model::bounded<Waiting<2, false>>("two changes", 3, 7208),
              model::bounded<Waiting<1, true, 2>>("two sleeping threads", 3, 13278)},
             {{"count_.fetch_add(1, std::memory_order_release)", rl::mo_relaxed,
               "for libstdc++'s notify_one(), which the model takes to be correct after any update"}})
      .run(count, arguments);
}
