#pragma once

// Pipes as kernels see them.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// An end of a pipe: how far packets are reserved for writing, or for reading, and how far these
/// reservations are committed. Both are positions (compiler/abi/pipe_ring.cpp) that only grow.
struct alignas(128) PipeEnd {
  std::uint64_t reserved;
  std::uint64_t done; ///< the position up to which all reservations are committed
};

/// A pipe as kernels see it. Kernels copy packets themselves, and call the functions of
/// compiler/abi/pipe_ring.hpp for everything else.
struct alignas(128) Pipe {
  std::byte* packets;   ///< the first slot
  std::uint64_t* marks; ///< one for each slot, see compiler/abi/pipe_ring.cpp
  std::uint32_t packet_bytes;
  std::uint32_t max_packets; ///< slots
  std::uint64_t lap;         ///< positions of one lap: the power of two that is not below `max_packets`
  PipeEnd write, read;
};
static_assert(sizeof(Pipe) == 384);

} // namespace hostcl::abi
