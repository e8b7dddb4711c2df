#pragma once

// A range that several threads cover together. Each thread has a share of the range, takes one chunk of it
// after the other, and then takes chunks of other threads' shares. Chunks become shorter towards the end of a
// share, so that all threads end at about the same time, even if the work is spread unevenly. Each share is
// on a cache line of its own: no two threads write to the same line until one of them has finished its share.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace hostcl::runtime {

/// The shares of the range that an arena's threads cover, reused for one range after the other.
class RangeShares {
public:
  struct Chunk {
    std::uint64_t first, last;
  };

  explicit RangeShares(unsigned threads) : threads_(threads), shares_(new Share[threads]) {}

  unsigned threads() const { return threads_; }

  /// Divides [first, last) into shares. No thread may take chunks meanwhile.
  /// @param least length of the shortest chunk, except for the last chunk of a share
  void begin(std::uint64_t first, std::uint64_t last, std::uint64_t least = 1);

  /// Takes a chunk from the given share or, if the share is empty, from the next share that is not.
  /// @param share number of the share to begin with, below the number of threads; set to the share that the
  /// chunk came from
  /// @param wanted length of the longest chunk; `least` counts instead if it is longer
  /// @returns nothing if all shares are empty
  std::optional<Chunk> take(unsigned& share, std::uint64_t wanted) {
    for (unsigned i = 0; i < threads_; ++i) {
      if (const std::optional<Chunk> chunk = take_of(shares_[share], wanted)) return chunk;
      share = share + 1 == threads_ ? 0 : share + 1;
    }
    return std::nullopt;
  }

private:
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next; ///< start of the next chunk; may be beyond the end
    std::uint64_t last;
  };
  std::optional<Chunk> take_of(Share& share, std::uint64_t wanted) const;

  unsigned threads_;
  std::unique_ptr<Share[]> shares_;
  std::uint64_t least_ = 1;
};

/// Chooses the length of a thread's next chunk by the time that its last chunk took, so that chunks take
/// about chunk_ns. An estimate made before the range is covered may be far off: the first launch of a kernel
/// touches memory for the first time, and runs tier 0 code.
class Pace {
public:
  /// @param length length of the first chunk, which is expected to be worth a thread
  explicit Pace(std::uint64_t length)
      : length_(std::max<std::uint64_t>(1, length)), least_(std::max<std::uint64_t>(1, length / 8)) {}

  std::uint64_t length() const { return length_; }
  void note(std::uint64_t units, std::uint64_t ns) {
    const double of_rate =
        static_cast<double>(units) * chunk_ns / static_cast<double>(std::max<std::uint64_t>(1, ns));
    const double most = most_growth * static_cast<double>(length_);
    length_ = static_cast<std::uint64_t>(std::clamp(of_rate, static_cast<double>(least_), most));
  }

private:
  /// Long compared with the cost of taking a chunk, and short compared with a range that is worth several
  /// threads.
  static constexpr double chunk_ns = 15'000;
  static constexpr double most_growth = 4;

  std::uint64_t length_;
  /// Chunks never get shorter, however long they take, because part of their time may not depend on their
  /// length.
  std::uint64_t least_;
};

} // namespace hostcl::runtime
