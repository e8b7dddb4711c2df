// The C++ code does without an atomic operation for each item. Each thread collects the updates of its items in
// counters of its own, which are added up at the end. For `append`, one atomic addition for each range of items
// reserves room for all values that the range appends.

#include "bench/native/code/code.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

namespace bench::native {
namespace {

using Range = tbb::blocked_range<int>;

void add_to_one(const unsigned* values, unsigned* sum, int n) {
  sum[0] = tbb::parallel_reduce(
      Range(0, n, 16384), sum[0],
      [=](const Range& range, unsigned part) {
        for (int i = range.begin(); i < range.end(); ++i)
          part += values[i];
        return part;
      },
      std::plus<>());
}

/// Calls `add(i, counters)` for all items, and adds the counters of all threads to `sums`. Each thread has four sets of
/// counters and uses them in turn, so that updates of one counter by neighbouring items do not wait for each other.
template <class T, std::size_t counters, class Add>
void add_up(T* sums, int n, Add add) {
  using Sets = std::array<std::array<T, counters>, 4>;
  tbb::combinable<Sets> own([] { return Sets{}; });
  tbb::parallel_for(Range(0, n, 16384), [&](const Range& range) {
    Sets& sets = own.local();
    int i = range.begin();
    for (; i + 4 <= range.end(); i += 4)
      for (int k = 0; k < 4; ++k)
        add(i + k, sets[k]);
    for (; i < range.end(); ++i)
      add(i, sets[0]);
  });
  own.combine_each([=](const Sets& sets) {
    for (const auto& set : sets)
      std::transform(set.begin(), set.end(), sums, sums, std::plus<>());
  });
}

void count_line(const unsigned char* values, unsigned* counters, int n) {
  add_up<unsigned, 16>(counters, n, [=](int i, auto& counts) { ++counts[values[i] & 15]; });
}

void count_bytes(const unsigned char* values, unsigned* bins, int n) {
  add_up<unsigned, 256>(bins, n, [=](int i, auto& counts) { ++counts[values[i]]; });
}

void float_add(const unsigned* cells, float* sums, int n) {
  add_up<float, 256>(sums, n, [=](int i, auto& own) { own[cells[i]] += 1; });
}

void append(const unsigned* values, unsigned* count, unsigned* found, int n) {
  constexpr int longest = 4096;
  std::atomic_ref next(*count);
  const auto append_odd = [=](const Range& range) {
    unsigned odd[longest];
    int own = 0;
    for (int i = range.begin(); i < range.end(); ++i) {
      odd[own] = values[i];
      own += int(values[i] & 1);
    }
    std::copy_n(odd, own, found + next.fetch_add(unsigned(own), std::memory_order_relaxed));
  };
  tbb::parallel_for(Range(0, n, longest), append_odd, tbb::simple_partitioner());
}

const Registered rows(NATIVE_COMPILER, {entry<add_to_one>("add_to_one"), entry<count_line>("count_line"),
                                        entry<count_bytes>("count_bytes"), entry<append>("append"),
                                        entry<float_add>("float_add")});

} // namespace
} // namespace bench::native
