#pragma once

// Sources that no driver has seen before, so that no compiled code of them is in a cache of a driver or of the system.

#include "bench/measure.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace bench {

/// A number that no earlier source had, in this process or any other.
inline std::uint32_t unseen_number() {
  static Random random(std::uint64_t(std::chrono::system_clock::now().time_since_epoch().count()));
  return std::uint32_t(random.bits()) | 1;
}

constexpr int kernel_count = 40;

/// A program of the kernels step0, step1, ..., which have barriers.
inline std::string source_of_many_kernels(std::uint32_t number) {
  std::string source;
  for (int i = 0; i < kernel_count; ++i)
    source += "kernel void step" + std::to_string(i) +
              "(global uint* data, local uint* scratch) {\n"
              "  const uint lid = get_local_id(0), gid = get_global_id(0);\n"
              "  scratch[lid] = data[gid] * " +
              std::to_string(number + 2u * unsigned(i)) +
              "u;\n"
              "  barrier(CLK_LOCAL_MEM_FENCE);\n"
              "  for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {\n"
              "    if (lid < stride)\n"
              "      scratch[lid] += scratch[lid + stride];\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
              "  }\n"
              "  data[gid] = scratch[0] + lid;\n}\n";
  return source;
}

} // namespace bench
