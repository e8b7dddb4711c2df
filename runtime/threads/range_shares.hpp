#pragma once

// A range that several threads cover together: each has a share of it, from which it takes one piece after the other,
// and then takes pieces of what is left of the others' shares. Pieces get shorter towards the end of a share, so that
// all threads end at about the same time, also where the work is not spread evenly. Nothing is written by two threads
// until one of them has no more work of its own.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace hostcl::runtime {

class RangeShares {
public:
  struct Piece {
    std::uint64_t first, last;
  };

  explicit RangeShares(unsigned threads) : threads_(threads), shares_(new Share[threads]) {}

  unsigned threads() const { return threads_; }

  /// Begins anew, while no thread takes pieces.
  /// @param least the length of the shortest piece, but for the last ones
  void begin(std::uint64_t first, std::uint64_t last, std::uint64_t least = 1);

  /// Takes a piece of the share, or else of the next one that has any, which the thread goes on with.
  /// @param share the one that the thread begins with, below the number of threads
  /// @param wished the length of the longest piece, unless it is below the least
  std::optional<Piece> take(unsigned& share, std::uint64_t wished) {
    for (unsigned i = 0; i < threads_; ++i) {
      if (const std::optional<Piece> piece = take_of(shares_[share], wished)) return piece;
      share = share + 1 == threads_ ? 0 : share + 1;
    }
    return std::nullopt;
  }

private:
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next; ///< may lie after the end
    std::uint64_t last;
  };
  std::optional<Piece> take_of(Share& share, std::uint64_t wished) const;

  unsigned threads_;
  std::unique_ptr<Share[]> shares_;
  std::uint64_t least_ = 1;
};

/// The length of a thread's next piece, from the time that its last one took. What is known before the range is covered
/// may be far from what it costs: the first launch of a kernel touches memory for the first time, and runs slower code.
class Pace {
public:
  /// @param length of the first piece, which is thought to be worth a thread
  explicit Pace(std::uint64_t length)
      : length_(std::max<std::uint64_t>(1, length)), least_(std::max<std::uint64_t>(1, length / 8)) {}

  std::uint64_t length() const { return length_; }
  void note(std::uint64_t units, std::uint64_t ns) {
    const double of_rate =
        static_cast<double>(units) * piece_ns / static_cast<double>(std::max<std::uint64_t>(1, ns));
    const double most = most_growth * static_cast<double>(length_);
    length_ = static_cast<std::uint64_t>(std::clamp(of_rate, static_cast<double>(least_), most));
  }

private:
  /// Long beside what a piece costs; short beside a range that is worth several threads.
  static constexpr double piece_ns = 15'000;
  static constexpr double most_growth = 4;

  std::uint64_t length_;
  std::uint64_t
      least_; ///< however long a piece takes: some of its cost may be the same for pieces of all lengths
};

} // namespace hostcl::runtime
