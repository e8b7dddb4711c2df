#pragma once

// The limits of this machine, measured on all threads: bandwidth of memory and caches, and multiplications
// and additions of floats. The measurement takes a fifth of a second. Its result is kept in a file in the
// cache folder.

namespace hostcl::runtime::profile {

struct Roofline {
  double memory_gbs = 0; ///< gigabytes per second, of reading two arrays and writing one
  double cache_gbs = 0;  ///< the same for arrays that fit into half of the second-level cache of each core
  double gflops = 0;     ///< 10^9 single-precision operations per second
  bool is_remembered = false;
};

Roofline roofline();

} // namespace hostcl::runtime::profile
