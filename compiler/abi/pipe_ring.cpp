// A pipe is a ring of slots with two ends, one for writers and one for readers. An end reserves packets by increasing
// `reserved`, if the pipe has room, and commits them to the other end by increasing `done`:
//
//       read.done      read.reserved      write.done      write.reserved
//   ... free |  being read  |      packets     |  being written  | free ...
//
// A lap is one pass around the ring. Positions number the slots of all laps. A lap has `lap` positions, a power of two:
// one for each slot, and then a gap that is skipped. So the low bits of a position are its slot. Positions only grow,
// and never wrap in practice.
//
// Reservations may be committed in any order, but `done` increases in the order of positions. If `done` is at the first
// position of a reservation, its commit increases `done` itself. Otherwise the commit stores the end of the reservation
// in the mark of the reservation's first slot, and the thread that moves `done` to that slot moves `done` on from there
// (settle()). Neither can miss the other: the commit writes the mark and then reads `done`, and the other thread writes
// `done` and then reads the mark. All these accesses are sequentially consistent, so at least one of the two threads
// sees what the other one wrote. A mark is the position at which the reservation ends, shifted left by a bit that says
// which end of the pipe wrote the mark. Marks of earlier laps end at or before `done`, so they need not be removed.

#include "compiler/abi/pipe_ring.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <numeric>
#include <thread>

namespace hostcl::compiler {

namespace {

constexpr int packets_shift = 32;

using Position = std::uint64_t;
using Atomic = std::atomic_ref<std::uint64_t>;

std::uint32_t packets_of(Reservation reservation) {
  return static_cast<std::uint32_t>(reservation >> packets_shift);
}
std::uint32_t slot_of(Reservation reservation) {
  return static_cast<std::uint32_t>(reservation);
}

/// Distances between positions.
class Laps {
public:
  explicit Laps(const abi::Pipe& pipe) : lap_(pipe.lap), slots_(pipe.max_packets) {}

  std::uint64_t slot(Position position) const { return position & (lap_ - 1); }
  Position after(Position position, std::uint64_t packets) const {
    return position + packets + (slot(position) + packets >= slots_ ? lap_ - slots_ : 0);
  }
  /// Packets from one position to a later one, at most a lap away.
  std::uint64_t between(Position from, Position to) const {
    return to - from - (((to ^ from) & ~(lap_ - 1)) != 0 ? lap_ - slots_ : 0);
  }
  /// The position of a slot, from `start` on.
  Position at_slot(std::uint32_t slot, Position start) const {
    const Position position = (start & ~(lap_ - 1)) | slot;
    return position < start ? position + lap_ : position;
  }

private:
  std::uint64_t lap_, slots_;
};

/// Called when a reservation fails. A kernel that waits for packets, or for free slots, tries again at once, but the
/// thread that would provide them may need this CPU. So this function yields the CPU now and then; the cost for kernels
/// that do not wait is small.
void let_others_run() {
  constexpr unsigned failures_per_yield = 256;
  thread_local unsigned failures = 0;
  if (++failures % failures_per_yield == 0) std::this_thread::yield();
}

using enum PipeEnd;

/// One end of a pipe, with the operations of its readers or its writers.
template <PipeEnd kind>
class End {
public:
  explicit End(abi::Pipe& pipe)
      : pipe_(pipe),
        laps_(pipe),
        reserved_(kind == write ? pipe.write.reserved : pipe.read.reserved),
        done_(kind == write ? pipe.write.done : pipe.read.done) {}

  const Laps& laps() const { return laps_; }

  /// Reserves as many packets as `choose` returns for the number of packets that can be reserved.
  /// @param wanted the most that `choose` returns; it returns this number if so many packets can be reserved
  /// @returns position of the first packet; nothing has been reserved if `choose` has returned 0
  template <class Choose>
  Position reserve(std::uint64_t wanted, Choose choose) const {
    const End<kind == write ? read : write> other(pipe_);
    Position first = reserved_.load();
    for (;;) {
      const Position limit = other.done();
      const std::uint64_t taken = choose(room(first, limit));
      // `first` and `limit` were read at different times. Only if neither has changed since is it certain that no more
      // packets can be reserved.
      if (taken < wanted) {
        const Position now = reserved_.load();
        if (now != first || other.settle() != limit) {
          first = now;
          continue;
        }
        if (taken == 0) let_others_run();
      }
      if (taken == 0 || reserved_.compare_exchange_weak(first, laps_.after(first, taken))) return first;
    }
  }

  void commit(Position first, std::uint64_t packets) const {
    const Position last = laps_.after(first, packets);
    Position expected = first;
    if (!done_.compare_exchange_strong(expected, last))
      mark(first).store(last << 1 | static_cast<std::uint64_t>(kind));
    settle();
  }

  Position done() const { return done_.load(); }

  /// Moves `done` past reservations that have been committed. @returns the new value of `done`
  Position settle() const {
    Position done = done_.load();
    while (reserved_.load() != done) {
      const std::uint64_t left = mark(done).load();
      if ((left & 1) != static_cast<std::uint64_t>(kind) || left >> 1 <= done) break;
      if (done_.compare_exchange_strong(done, left >> 1)) done = left >> 1;
    }
    return done;
  }

  bool is_valid(Reservation reservation) const {
    return packets_of(reservation) != 0 && slot_of(reservation) < pipe_.max_packets;
  }
  Reservation reservation(Position first, std::uint64_t packets) const {
    return packets << packets_shift | laps_.slot(first);
  }
  /// The position of a reservation that has not been committed. It is not below `done`, and less than one lap above
  /// `done`.
  Position position_of(Reservation reservation) const { return laps_.at_slot(slot_of(reservation), done()); }

private:
  /// The number of packets that can be reserved from the position `first` on; an arbitrary number if `limit` was read
  /// after `first` became out of date.
  std::uint64_t room(Position first, Position limit) const {
    return kind == write ? pipe_.max_packets - laps_.between(limit, first) : laps_.between(first, limit);
  }
  Atomic mark(Position position) const { return Atomic(pipe_.marks[laps_.slot(position)]); }

  abi::Pipe& pipe_;
  const Laps laps_;
  const Atomic reserved_, done_;
};

// Most vectors read or write one packet per lane, in consecutive slots. The code for this case has loops without
// branches, which the host's compiler vectorises, and takes a quarter of the time of the general code.

bool all_one(const std::uint32_t* packets, std::uint32_t lanes) {
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < lanes; ++i)
    others |= packets[i] ^ 1;
  return others == 0;
}

/// Whether the lanes have reserved consecutive slots of the pipe, in the order of the lanes.
bool are_side_by_side(const Reservation* reservations, std::uint32_t lanes) {
  Reservation others = 0;
  for (std::uint32_t i = 0; i < lanes; ++i)
    others |= reservations[i] ^ (reservations[0] + i);
  return others == 0;
}

/// Gives each lane its part of the packets that have been reserved for all lanes, which begin at `position`.
/// @param there number of packets that could be reserved for all lanes
template <PipeEnd kind>
void share_out(const End<kind>& end, Position position, std::uint64_t there, const std::uint32_t* packets,
               Reservation* results, std::uint32_t lanes) {
  for (std::uint32_t i = 0; i < lanes; ++i) {
    const std::uint32_t part = packets[i];
    results[i] = part == 0 ? empty_reservation : no_reservation;
    if (part == 0 || part > there) continue;
    results[i] = end.reservation(position, part);
    position = end.laps().after(position, part);
    there -= part;
  }
}

} // namespace

abi::Pipe& make_pipe(std::byte* storage, std::uint32_t packet_bytes, std::uint32_t max_packets) {
  abi::Pipe& pipe = *new (storage) abi::Pipe{};
  pipe.marks = reinterpret_cast<std::uint64_t*>(storage + sizeof(abi::Pipe));
  pipe.packets = storage + pipe_header_bytes(max_packets);
  pipe.packet_bytes = packet_bytes;
  pipe.max_packets = max_packets;
  pipe.lap = std::bit_ceil(std::uint64_t{max_packets});
  return pipe;
}

template <PipeEnd kind>
Reservation reserve(abi::Pipe& pipe, std::uint32_t packets) {
  if (packets == 0) return empty_reservation;
  const End<kind> end(pipe);
  bool fits = false;
  const Position first = end.reserve(packets, [&](std::uint64_t room) {
    fits = packets <= room;
    return fits ? packets : 0;
  });
  return fits ? end.reservation(first, packets) : no_reservation;
}

template <PipeEnd kind>
void commit(abi::Pipe& pipe, Reservation reservation) {
  const End<kind> end(pipe);
  if (end.is_valid(reservation)) end.commit(end.position_of(reservation), packets_of(reservation));
}

std::uint32_t packets_in(abi::Pipe& pipe) {
  const Position read = End<PipeEnd::read>(pipe).settle(), written = End<write>(pipe).settle();
  // Writers may have written, and readers may have read, more packets between the two calls of settle().
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(Laps(pipe).between(read, written), pipe.max_packets));
}

/// Makes one reservation for all lanes. Each lane gets a part of the reservation, if the lane's packets fit after those
/// of earlier lanes.
template <PipeEnd kind>
void reserve_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes, abi::Pipe& pipe) {
  const End<kind> end(pipe);
  const bool is_simple = all_one(packets, lanes);
  const std::uint64_t wanted =
      is_simple ? lanes : std::accumulate(packets, packets + lanes, std::uint64_t{0});
  std::uint64_t there = 0;
  const Position position = end.reserve(wanted, [&](std::uint64_t room) {
    there = room;
    if (wanted <= room || is_simple) return std::min(wanted, room);
    std::uint64_t left = room;
    for (std::uint32_t i = 0; i < lanes; ++i)
      if (packets[i] <= left) left -= packets[i];
    return room - left;
  });
  const Reservation first = end.reservation(position, 1);
  if (!is_simple || lanes > there || slot_of(first) + lanes > pipe.max_packets)
    return share_out(end, position, there, packets, results, lanes);
  for (std::uint32_t i = 0; i < lanes; ++i)
    results[i] = first + i;
}

/// Commits consecutive reservations as one.
template <PipeEnd kind>
void commit_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe) {
  const End<kind> end(pipe);
  const Position done = end.done();
  auto position_of = [&](std::uint32_t lane) {
    return end.laps().at_slot(slot_of(reservations[lane]), done);
  };
  if (packets_of(reservations[0]) == 1 && are_side_by_side(reservations, lanes)) {
    // If the first and the last lane are in the same lap, so are all lanes between them.
    const Position first = position_of(0);
    if (end.is_valid(reservations[lanes - 1]) && position_of(lanes - 1) == first + lanes - 1)
      return end.commit(first, lanes);
  }
  Position first = 0;
  std::uint64_t packets = 0;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    if (!end.is_valid(reservations[i])) continue;
    const Position position = position_of(i);
    if (packets != 0 && end.laps().after(first, packets) != position) {
      end.commit(first, packets);
      packets = 0;
    }
    if (packets == 0) first = position;
    packets += packets_of(reservations[i]);
  }
  if (packets != 0) end.commit(first, packets);
}

template Reservation reserve<write>(abi::Pipe&, std::uint32_t);
template Reservation reserve<read>(abi::Pipe&, std::uint32_t);
template void commit<write>(abi::Pipe&, Reservation);
template void commit<read>(abi::Pipe&, Reservation);
template void reserve_lanes<write>(const std::uint32_t*, Reservation*, std::uint32_t, abi::Pipe&);
template void reserve_lanes<read>(const std::uint32_t*, Reservation*, std::uint32_t, abi::Pipe&);
template void commit_lanes<write>(const Reservation*, std::uint32_t, abi::Pipe&);
template void commit_lanes<read>(const Reservation*, std::uint32_t, abi::Pipe&);

} // namespace hostcl::compiler
