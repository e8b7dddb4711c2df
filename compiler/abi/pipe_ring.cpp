// A pipe is a ring of slots and two ends. An end reserves packets by moving `reserved` on, where there is
// room, and gives them to the other end by moving `done` on:
//
//       read.done      read.reserved      write.done      write.reserved
//   ... free |  being read  |      packets     |  being written  | free ...
//
// Positions number the slots of all laps. A lap has `lap` positions, a power of two: those of the slots,
// and then a gap that is skipped, so that the slot of a position is its low bits, positions only grow, and
// never wrap in practice.
//
// Reservations are committed in any order, but `done` moves on in the order of positions. A commit whose turn
// has come moves it on itself. Any other leaves the end of its reservation in the mark of its first slot, and
// the thread that moves `done` to that slot moves it on from there (settle()). Both write before they look: the
// commit writes the mark and then reads `done`, the other moves `done` and then reads the mark. All of it is
// sequentially consistent, so one of them sees what the other wrote. A mark is the position where the
// reservation ends, shifted for a bit that says which end of the pipe has left it. Marks of earlier laps
// end at or before `done`, so none has to be removed.

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

/// A kernel that waits for packets, or for room, asks again at once; but the thread that brings them may need
/// this processor. A kernel that does not wait is hardly slower for it.
void let_others_run() {
  constexpr unsigned failures_per_yield = 256;
  thread_local unsigned failures = 0;
  if (++failures % failures_per_yield == 0) std::this_thread::yield();
}

enum EndKind : std::uint64_t { write, read };

/// One end of a pipe, as its users see it.
template <EndKind kind>
class End {
public:
  explicit End(abi::Pipe& pipe)
      : pipe_(pipe),
        laps_(pipe),
        reserved_(kind == write ? pipe.write.reserved : pipe.read.reserved),
        done_(kind == write ? pipe.write.done : pipe.read.done) {}

  const Laps& laps() const { return laps_; }

  /// Reserves as many packets as `choose` takes of those that there are.
  /// @param wanted a number that it does not exceed, and takes if it can
  /// @returns their first position; nothing has been reserved if `choose` has taken none
  template <class Choose>
  Position reserve(std::uint64_t wanted, Choose choose) const {
    const End<kind == write ? read : write> other(pipe_);
    Position first = reserved_.load();
    for (;;) {
      const Position limit = other.done();
      const std::uint64_t taken = choose(room(first, limit));
      // What has been read may be of different times. Only what has not changed tells that there is no room.
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
    if (!done_.compare_exchange_strong(expected, last)) mark(first).store(last << 1 | kind);
    settle();
  }

  Position done() const { return done_.load(); }

  /// Moves `done` over reservations that have been committed. @returns where it is then
  Position settle() const {
    Position done = done_.load();
    while (reserved_.load() != done) {
      const std::uint64_t left = mark(done).load();
      if ((left & 1) != kind || left >> 1 <= done) break;
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
  /// The position of a reservation that has not been committed: `done` has not passed it, and is at most one
  /// lap less.
  Position position_of(Reservation reservation) const { return laps_.at_slot(slot_of(reservation), done()); }

private:
  /// Packets that can be reserved from a position on; any number if the limit is newer than that.
  std::uint64_t room(Position first, Position limit) const {
    return kind == write ? pipe_.max_packets - laps_.between(limit, first) : laps_.between(first, limit);
  }
  Atomic mark(Position position) const { return Atomic(pipe_.marks[laps_.slot(position)]); }

  abi::Pipe& pipe_;
  const Laps laps_;
  const Atomic reserved_, done_;
};

template <EndKind kind>
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

// Most vectors read or write one packet in each lane, side by side. What is done for that form has no branches
// in its loops, so that they are vectorised: it takes a quarter of the time.

bool all_one(const std::uint32_t* packets, std::uint32_t lanes) {
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < lanes; ++i)
    others |= packets[i] ^ 1;
  return others == 0;
}

/// Whether each lane's reservation is the slot after the one before.
bool are_side_by_side(const Reservation* reservations, std::uint32_t lanes) {
  Reservation others = 0;
  for (std::uint32_t i = 0; i < lanes; ++i)
    others |= reservations[i] ^ (reservations[0] + i);
  return others == 0;
}

/// Gives each lane its part of what has been reserved for all, which begins at `position`.
/// @param there packets that there are for lanes that have a part
template <EndKind kind>
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

/// One reservation for all lanes. Each lane has a part of it, if that fits after those of earlier lanes.
template <EndKind kind>
void reserve(abi::Pipe& pipe, const std::uint32_t* packets, Reservation* results, std::uint32_t lanes) {
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

template <EndKind kind>
void commit(abi::Pipe& pipe, Reservation reservation) {
  const End<kind> end(pipe);
  if (end.is_valid(reservation)) end.commit(end.position_of(reservation), packets_of(reservation));
}

/// Commits reservations that follow each other as one.
template <EndKind kind>
void commit(abi::Pipe& pipe, const Reservation* reservations, std::uint32_t lanes) {
  const End<kind> end(pipe);
  const Position done = end.done();
  auto position_of = [&](std::uint32_t lane) {
    return end.laps().at_slot(slot_of(reservations[lane]), done);
  };
  if (packets_of(reservations[0]) == 1 && are_side_by_side(reservations, lanes)) {
    // Lanes between them are in the same lap if the first and the last one are.
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

Reservation reserve_write(abi::Pipe& pipe, std::uint32_t packets) {
  return reserve<write>(pipe, packets);
}
Reservation reserve_read(abi::Pipe& pipe, std::uint32_t packets) {
  return reserve<read>(pipe, packets);
}
void commit_write(abi::Pipe& pipe, Reservation reservation) {
  commit<write>(pipe, reservation);
}
void commit_read(abi::Pipe& pipe, Reservation reservation) {
  commit<read>(pipe, reservation);
}

std::uint32_t packets_in(abi::Pipe& pipe) {
  const Position read = End<EndKind::read>(pipe).settle(), written = End<write>(pipe).settle();
  // Readers may have read what writers wrote meanwhile.
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(Laps(pipe).between(read, written), pipe.max_packets));
}

void reserve_write_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes,
                         abi::Pipe& pipe) {
  reserve<write>(pipe, packets, results, lanes);
}
void reserve_read_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes,
                        abi::Pipe& pipe) {
  reserve<read>(pipe, packets, results, lanes);
}
void commit_write_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe) {
  commit<write>(pipe, reservations, lanes);
}
void commit_read_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe) {
  commit<read>(pipe, reservations, lanes);
}

} // namespace hostcl::compiler
