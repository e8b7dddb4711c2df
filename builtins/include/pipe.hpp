#pragma once

// Pipes as built-in functions see them, and the host callbacks that reserve and commit packets
// (compiler/abi/pipe_ring.hpp, docs/kernel-ir.md).
//
// The types `read_only pipe T` and reserve_id_t are opaque in programs. The compiler replaces them by plain
// pointers and numbers before it links the library, so the library uses plain types. The functions have the
// names by which clang calls them.

#include "types.hpp"

#define HOSTCL_PIPE_FUNCTION extern "C" __attribute__((nothrow))

/// abi::Pipe of compiler/abi/pipe.hpp.
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
