#pragma once

// The part of OpenCL C's pipe functions that machine code calls in the driver: reserving and committing
// packets (OpenCL C 3.0, 6.15.14). Copying packets is code of the kernel. Any number of threads may call
// these functions for one pipe at the same time, and no call waits for another thread, even if that thread is
// suspended.

#include "compiler/abi/align.hpp"
#include "compiler/abi/pipe.hpp"

#include <cstddef>
#include <cstdint>

namespace hostcl::compiler {

/// The value of a reserve_id_t. The upper 32 bits are the number of packets, the lower 32 bits the slot of
/// the first packet. A reservation of no packets is empty_reservation. No reservation has the value 0, or
/// CLK_NULL_RESERVE_ID, whose bits are all ones.
using Reservation = std::uint64_t;
inline constexpr Reservation no_reservation = 0, empty_reservation = 1;

/// Bytes at the beginning of a pipe that must be 0 initially (pipe_header_bytes), and bytes of the whole pipe
/// (pipe_bytes): the packets come last.
constexpr std::uint64_t pipe_header_bytes(std::uint32_t max_packets) {
  const std::uint64_t marks = std::uint64_t{max_packets} * sizeof(std::uint64_t);
  return sizeof(abi::Pipe) + abi::aligned(marks, alignof(abi::Pipe));
}
constexpr std::uint64_t pipe_bytes(std::uint32_t packet_bytes, std::uint32_t max_packets) {
  return pipe_header_bytes(max_packets) + std::uint64_t{packet_bytes} * max_packets;
}

/// Makes an empty pipe. @param storage pipe_bytes() bytes, aligned as an abi::Pipe
abi::Pipe& make_pipe(std::byte* storage, std::uint32_t packet_bytes, std::uint32_t max_packets);

/// The end of a pipe at which packets are reserved and committed.
enum class PipeEnd : std::uint64_t { write, read };

/// Reserves consecutive packets. @returns no_reservation if the pipe has not enough free slots, or not enough
/// packets
template <PipeEnd kind>
Reservation reserve(abi::Pipe& pipe, std::uint32_t packets);

/// Commits a reservation. As soon as all earlier reservations are committed as well, packets that were
/// written are visible to readers, and slots of packets that were read are free. Reservations that are not
/// valid are ignored.
template <PipeEnd kind>
void commit(abi::Pipe& pipe, Reservation reservation);

/// The number of packets that writers have committed and readers have not.
std::uint32_t packets_in(abi::Pipe& pipe);

// The same functions for all lanes of a vector; lanes reserve packets in the order of their numbers. Inactive
// lanes have 0 packets or no_reservation.
template <PipeEnd kind>
void reserve_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes, abi::Pipe& pipe);
template <PipeEnd kind>
void commit_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe);

} // namespace hostcl::compiler
