// Pipes: compiler/abi/pipe_ring.cpp.

#include "tests/order/piece.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/abi/pipe.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "compiler/abi/pipe_ring.cpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using namespace hostcl;
using namespace hostcl::compiler;

/// A pipe of three slots, which is shorter than a lap.
template <class Derived, unsigned threads>
struct PipeModel : model::Model<Derived, threads> {
  static constexpr unsigned slots = 3;
  alignas(abi::Pipe) std::byte storage[pipe_bytes(1, slots)] = {};
  abi::Pipe& pipe = make_pipe(storage, 1, slots);
  model::Data<unsigned> packets[slots];
  model::Flag has_written[2];

  /// @param used packets that have passed through the pipe
  explicit PipeModel(unsigned used = 0) {
    for (abi::PipeEnd* end : {&pipe.write, &pipe.read}) {
      model::begin_atomic<std::uint64_t>(&end->reserved, used);
      model::begin_atomic<std::uint64_t>(&end->done, used);
    }
    for (unsigned i = 0; i < slots; ++i)
      model::begin_atomic<std::uint64_t>(&pipe.marks[i], 0);
  }

  bool write(unsigned value) {
    const Reservation place = reserve<PipeEnd::write>(pipe, 1);
    if (place == no_reservation) return false;
    packets[slot_of(place)].set(value);
    commit<PipeEnd::write>(pipe, place);
    return true;
  }
  /// @returns 0 if there is no packet
  unsigned read() {
    const Reservation place = reserve<PipeEnd::read>(pipe, 1);
    if (place == no_reservation) return 0;
    const unsigned value = packets[slot_of(place)].get();
    commit<PipeEnd::read>(pipe, place);
    return value;
  }
};

/// Two threads write a packet each, and a third thread reads. If the third thread knows that both packets have been
/// written, it must find both.
template <bool knows>
struct Writing : PipeModel<Writing<knows>, 3> {
  unsigned sum = 0;
  void thread(unsigned index) {
    if (index < 2) {
      MODEL_CHECK(this->write(index + 1));
      if (knows) this->has_written[index].set();
    } else if (!knows || (this->has_written[0].is_set() && this->has_written[1].is_set())) {
      sum = this->read() + this->read();
      MODEL_CHECK(!knows || sum == 3);
    }
  }
  void after() {
    while (const unsigned value = this->read())
      sum += value;
    MODEL_CHECK(sum == 3);
  }
};

/// A thread writes, another one reads what it finds.
struct Reading : PipeModel<Reading, 2> {
  unsigned sum = 0;
  void thread(unsigned index) {
    for (unsigned i = 0; i < 2; ++i)
      if (index == 0)
        MODEL_CHECK(write(i + 1));
      else
        sum += read();
  }
  void after() {
    while (const unsigned value = read())
      sum += value;
    MODEL_CHECK(sum == 3);
  }
};

/// Two threads read, and write to the slots that they have freed: a slot is read before it is written again.
struct Reusing : PipeModel<Reusing, 2> {
  unsigned sum[2] = {};
  Reusing() : PipeModel(2) {
    for (unsigned i = 0; i < slots; ++i)
      MODEL_CHECK(write(i + 1));
  }
  void thread(unsigned index) {
    sum[index] = read();
    MODEL_CHECK(sum[index] != 0);
    if (write(4)) sum[index] -= 4;
  }
  void after() {
    unsigned left = sum[0] + sum[1];
    while (const unsigned value = read())
      left += value;
    MODEL_CHECK(left == 6);
  }
};

} // namespace

int main(int count, char** arguments) {
  // All accesses are sequentially consistent, which is more than the models need. With weaker orders,
  // a commit and the commit before it may miss each other; the next call of settle() repairs that.
  constexpr const char* settles =
      "acquire and release order the packets; the next call of settle() moves `done`";
  constexpr const char* compares =
      "only a compare-exchange uses the position, and fails if the position is out of date";
  return model::Piece("pipe", {"compiler/abi/pipe_ring.cpp"},
                      {model::bounded<Reading>("one writer, one reader", 2, 3340),
                       model::bounded<Writing<false>>("two writers", 1, 1470),
                       model::bounded<Writing<true>>("two packets that are written", 1, 1656),
                       model::bounded<Reusing>("slots used again", 1, 1084)},
                      {{"Position done() const { return done_.load(); }", rl::mo_acquire, settles},
                       {"if (!done_.compare_exchange_strong(expected, last))", rl::mo_release, settles},
                       {"mark(done).load()", rl::mo_acquire, settles},
                       {"mark(first).store(", rl::mo_release, settles},
                       {"done_.compare_exchange_strong(done, left >> 1)", rl::mo_release, settles},
                       {"Position first = reserved_.load();", rl::mo_relaxed, compares},
                       {"const Position now = reserved_.load();", rl::mo_relaxed, compares},
                       {"Position done = done_.load();", rl::mo_relaxed, compares},
                       {"while (reserved_.load() != done)", rl::mo_relaxed, compares},
                       {"reserved_.compare_exchange_weak(", rl::mo_relaxed, compares}})
      .run(count, arguments);
}
