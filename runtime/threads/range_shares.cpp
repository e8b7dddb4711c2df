#include "runtime/threads/range_shares.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

/// Pieces of a grain, and grains of the longest piece: better machine code is taken between two pieces.
constexpr std::uint64_t pieces_of_grain = 4, most_grains = 2;

} // namespace

void RangeShares::begin(std::uint64_t first, std::uint64_t last, std::uint64_t grain, std::uint64_t least) {
  const std::uint64_t part = (last - first) / threads_, longer = (last - first) % threads_;
  for (unsigned i = 0; i < threads_; ++i) {
    shares_[i].next.store(first, std::memory_order_relaxed);
    first += part + (i < longer ? 1 : 0);
    shares_[i].last = first;
  }
  least_ = std::max<std::uint64_t>({1, grain / pieces_of_grain, least});
  // A unit may take any time where one is worth a thread.
  most_ = grain <= 1 ? 1 : std::min(grain, ~std::uint64_t{0} / most_grains) * most_grains;
  most_ = std::max(most_, least_);
}

std::optional<RangeShares::Piece> RangeShares::take_of(Share& share) const {
  const std::uint64_t last = share.last;
  std::uint64_t first = share.next.load(std::memory_order_relaxed);
  if (first >= last) return std::nullopt;
  // When the others have nothing left, they all take from this share.
  const std::uint64_t pieces = std::max<std::uint64_t>(8, std::uint64_t{2} * threads_);
  const std::uint64_t length = std::min(std::clamp((last - first) / pieces, least_, most_), last - first);
  first = share.next.fetch_add(length, std::memory_order_relaxed);
  if (first >= last) return std::nullopt;
  return Piece{first, std::min(last, first + length)};
}

} // namespace hostcl::runtime
