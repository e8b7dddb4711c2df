#include "bench/native/code/code.hpp"

#include <algorithm>
#include <array>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

using Key = unsigned;

/// Orders `count` pairs of keys that are `distance` apart.
void order(Key* __restrict low, Key* __restrict high, int count, bool ascending) {
  for (int i = 0; i < count; ++i) {
    const Key least = std::min(low[i], high[i]), most = std::max(low[i], high[i]);
    low[i] = ascending ? least : most;
    high[i] = ascending ? most : least;
  }
}

void bitonic(Key* keys, int n) {
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2)
      tbb::parallel_for(tbb::blocked_range<int>(0, n / 2, 4096), [=](const auto& range) {
        for (int pair = range.begin(); pair < range.end();) {
          const int offset = pair % distance, low = (pair - offset) * 2 + offset;
          const int count = std::min(distance - offset, range.end() - pair);
          order(keys + low, keys + low + distance, count, (low & size) == 0);
          pair += count;
        }
      });
}

using Counts = std::array<int, 256>;

void radix_pass(const Key* from, Key* to, int n, int shift) {
  constexpr int parts = 64;
  std::vector<Counts> counts(parts);
  const auto keys_of = [=](int part) {
    return std::pair(int(long(n) * part / parts), int(long(n) * (part + 1) / parts));
  };
  tbb::parallel_for(0, parts, [&](int part) {
    Counts mine{};
    const auto [first, last] = keys_of(part);
    for (int i = first; i < last; ++i)
      ++mine[(from[i] >> shift) & 255];
    counts[part] = mine;
  });
  int total = 0;
  for (int digit = 0; digit < 256; ++digit)
    for (Counts& part : counts)
      total += std::exchange(part[digit], total);
  tbb::parallel_for(0, parts, [&](int part) {
    Counts places = counts[part];
    const auto [first, last] = keys_of(part);
    for (int i = first; i < last; ++i)
      to[places[(from[i] >> shift) & 255]++] = from[i];
  });
}

void radix_sort(Key* keys, Key* other, int n) {
  for (int shift = 0; shift < 32; shift += 8, std::swap(keys, other))
    radix_pass(keys, other, n, shift);
}

const Registered rows(NATIVE_COMPILER, {entry<bitonic>("bitonic"), entry<radix_sort>("radix_sort")});

} // namespace
} // namespace bench::native
