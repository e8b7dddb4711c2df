#pragma once

// Pipes as built-in functions see them, and the host callbacks that reserve and commit packets
// (compiler/abi/pipe_ring.hpp, docs/kernel-ir.md).
//
// The types `read_only pipe T` and `reserve_id_t` are opaque in programs. The pass `opaque-values` replaces
// them by pointers and 64-bit integers before the library is linked, so the library uses those types. The
// library's functions (builtins/pipe/) have the names that clang emits, such as `__read_pipe_2`; the
// functions below are the host callbacks that the library's functions call.

#include "types.hpp"

#define HOSTCL_PIPE_FUNCTION extern "C" __attribute__((nothrow))

/// The beginning of abi::Pipe (compiler/abi/pipe.hpp): the members that the library reads.
struct Pipe {
  __global uchar* packets;
  __global ulong* marks;
  uint packet_bytes, max_packets;
};
static_assert(__builtin_offsetof(Pipe, packet_bytes) == 16 && __builtin_offsetof(Pipe, max_packets) == 20);

using PipePointer = __global Pipe*;
/// The value of a reserve_id_t: the number of packets in the upper 32 bits, the slot of the first packet in
/// the lower 32 bits.
using Reservation = ulong;

HOSTCL_PIPE_FUNCTION Reservation __hostcl_pipe_reserve_write(PipePointer p, uint packets);
HOSTCL_PIPE_FUNCTION Reservation __hostcl_pipe_reserve_read(PipePointer p, uint packets);
HOSTCL_PIPE_FUNCTION void __hostcl_pipe_commit_write(PipePointer p, Reservation reservation);
HOSTCL_PIPE_FUNCTION void __hostcl_pipe_commit_read(PipePointer p, Reservation reservation);
HOSTCL_PIPE_FUNCTION uint __hostcl_pipe_packets(PipePointer p);

namespace {

bool is_valid(Reservation reservation) {
  return reservation != 0 && reservation != ~0ul;
}

} // namespace
