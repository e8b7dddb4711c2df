#pragma once

#include <cstdint>

namespace hostcl::abi {

/// The multiple of `alignment` that is not below `bytes`, and not further away than need be.
constexpr std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace hostcl::abi
