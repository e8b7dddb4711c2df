// The shares of a range that several threads cover: runtime/threads/range_shares.cpp. All its orders are relaxed, because
// oneTBB orders the threads before and after a range; so there are no mutants.

#include "tests/order/piece.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "runtime/threads/range_shares.cpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::runtime::RangeShares;

/// Threads cover a range: each unit once.
template <unsigned threads, unsigned units>
struct Covering : model::Model<Covering<threads, units>, threads> {
  RangeShares shares{threads};
  model::Data<unsigned> covered[units];

  Covering() { shares.begin(0, units); }
  void thread(unsigned index) {
    while (const auto chunk = shares.take(index, 2))
      for (std::uint64_t unit = chunk->first; unit < chunk->last; ++unit)
        covered[unit].set(covered[unit].get() + 1);
  }
  void after() {
    for (const auto& unit : covered)
      MODEL_CHECK(unit.get() == 1);
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("shares of a range",
                      {"runtime/threads/range_shares.cpp", "runtime/threads/range_shares.hpp"},
                      {model::bounded<Covering<2, 4>>("two threads", 3, 4100),
                       model::bounded<Covering<3, 4>>("three threads", 1, 20274)})
      .run(count, arguments);
}
