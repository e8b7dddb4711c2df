#include "runtime/threads/range_shares.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

/// Towards the end of a share, a chunk has at least 1/shortest_part of the wanted length.
constexpr std::uint64_t shortest_part = 8;

} // namespace

void RangeShares::begin(std::uint64_t first, std::uint64_t last, std::uint64_t least) {
  const std::uint64_t part = (last - first) / threads_, longer = (last - first) % threads_;
  for (unsigned i = 0; i < threads_; ++i) {
    shares_[i].next.store(first, std::memory_order_relaxed);
    first += part + (i < longer ? 1 : 0);
    shares_[i].last = first;
  }
  least_ = std::max<std::uint64_t>(1, least);
}

std::optional<RangeShares::Chunk> RangeShares::take_of(Share& share, std::uint64_t wanted) const {
  const std::uint64_t last = share.last;
  std::uint64_t first = share.next.load(std::memory_order_relaxed);
  if (first >= last) return std::nullopt;
  // Twice the number of threads: once the other shares are empty, all threads take chunks of this one.
  const std::uint64_t chunks = std::max<std::uint64_t>(8, std::uint64_t{2} * threads_);
  const std::uint64_t least = std::max(least_, wanted / shortest_part), most = std::max(least_, wanted);
  const std::uint64_t length = std::min(std::clamp((last - first) / chunks, least, most), last - first);
  first = share.next.fetch_add(length, std::memory_order_relaxed);
  if (first >= last) return std::nullopt;
  return Chunk{first, std::min(last, first + length)};
}

} // namespace hostcl::runtime
