// The lock: runtime/support/lock.hpp.

#include "tests/order/piece.hpp"

#include <pthread.h>

#include "tests/order/begin_driver_code.hpp"

#include "runtime/support/lock.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::runtime::Lock;

/// Threads that add to a plain variable with the lock held.
template <unsigned threads>
struct Adding : model::Model<Adding<threads>, threads> {
  Lock lock;
  model::Data<unsigned> sum;

  void add() {
    sum.set(sum.get() + 1);
    lock.unlock();
  }
  void thread(unsigned) {
    lock.lock();
    add();
  }
  void after() { MODEL_CHECK(sum.get() == threads); }
};

/// A thread that takes the lock only if it is free.
struct Trying : model::Model<Trying, 2> {
  Lock lock;
  model::Data<unsigned> sum;

  void thread(unsigned index) {
    if (index == 0)
      lock.lock();
    else if (!lock.try_lock())
      return;
    sum.set(sum.get() + 1);
    lock.unlock();
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("lock", {"runtime/support/lock.hpp"},
                      {model::bounded<Trying>("try_lock", 3, 7462),
                       model::bounded<Adding<2>>("two threads", 2, 7458),
                       model::random<Adding<3>>("three threads", 20000)})
      .run(count, arguments);
}
