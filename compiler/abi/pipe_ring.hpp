#pragma once

// What the pipe functions of kernels do with a pipe besides copying packets (OpenCL C 3.0, 6.15.14): machine
// code calls these functions of the driver. Any number of threads may call them for one pipe at once; none
// waits for another, whatever that one does.

#include "compiler/abi/align.hpp"
#include "compiler/abi/pipe.hpp"

#include <cstddef>
#include <cstdint>

namespace hostcl::compiler {

/// The value of a reserve_id_t: the number of packets above 32 bits of the first one's slot. A reservation of
/// no packets is empty_reservation. Neither 0 nor all ones, which is CLK_NULL_RESERVE_ID, is ever a valid
/// one.
using Reservation = std::uint64_t;
inline constexpr Reservation no_reservation = 0, empty_reservation = 1;

/// Bytes of a pipe that have to be zeros at first, and of all of it: the packets come last.
constexpr std::uint64_t pipe_header_bytes(std::uint32_t max_packets) {
  const std::uint64_t marks = std::uint64_t{max_packets} * sizeof(std::uint64_t);
  return sizeof(abi::Pipe) + abi::aligned(marks, alignof(abi::Pipe));
}
constexpr std::uint64_t pipe_bytes(std::uint32_t packet_bytes, std::uint32_t max_packets) {
  return pipe_header_bytes(max_packets) + std::uint64_t{packet_bytes} * max_packets;
}

/// Makes an empty pipe. @param storage of pipe_bytes() bytes, aligned as an abi::Pipe
abi::Pipe& make_pipe(std::byte* storage, std::uint32_t packet_bytes, std::uint32_t max_packets);

/// Reserves packets that follow each other. @returns no_reservation if they do not fit, or are not there
Reservation reserve_write(abi::Pipe& pipe, std::uint32_t packets);
Reservation reserve_read(abi::Pipe& pipe, std::uint32_t packets);

/// What was written becomes visible to readers, or what was read makes room, as soon as all reservations made
/// before this one are committed. Reservations that are not valid are ignored.
void commit_write(abi::Pipe& pipe, Reservation reservation);
void commit_read(abi::Pipe& pipe, Reservation reservation);

/// Packets that have been committed by writers, and not by readers.
std::uint32_t packets_in(abi::Pipe& pipe);

// The same for the lanes of a vector, which reserve in their order. Lanes that are not active have 0 packets
// or no_reservation.
void reserve_write_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes,
                         abi::Pipe& pipe);
void reserve_read_lanes(const std::uint32_t* packets, Reservation* results, std::uint32_t lanes,
                        abi::Pipe& pipe);
void commit_write_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe);
void commit_read_lanes(const Reservation* reservations, std::uint32_t lanes, abi::Pipe& pipe);

} // namespace hostcl::compiler
