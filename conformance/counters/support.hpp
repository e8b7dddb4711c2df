#pragma once

// Kernels with counters (cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64).

#include "tests/support/session.hpp"

#include <string>

namespace counters {

inline constexpr cl_device_info max_counters = 0x4032; // CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT

/// Runs a test for both widths; the source says COUNTER and VALUE.
template <class T>
struct Width {
  using value = T;
  static constexpr const char* options =
      sizeof(T) == 4 ? "-DCOUNTER=counter32_t -DVALUE=uint" : "-DCOUNTER=counter64_t -DVALUE=ulong";
};
using Narrow = Width<cl_uint>;
using Wide = Width<cl_ulong>;

inline constexpr const char* pragmas = "#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable\n"
                                       "#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : enable\n";

inline test::Kernel kernel(const test::Session& session, const std::string& source, const char* options) {
  return session.kernel((pragmas + source).c_str(), "k", options);
}

inline constexpr const char* count_up =
    "kernel void k(COUNTER c, global VALUE* seen) { seen[get_global_id(0)] = atomic_inc(c); }";
inline bool offered() {
  return test::has_extension("cl_ext_atomic_counters_32") || test::has_extension("cl_ext_atomic_counters_64");
}

} // namespace counters
