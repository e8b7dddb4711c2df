#pragma once

// What this machine can do at most, measured on all threads: bytes from memory and from caches, and multiplications and
// additions of floats. It takes a fifth of a second, once: a file in the cache's folder has the result.

namespace hostcl::runtime::profile {

struct Roofline {
  double memory_gbs = 0; ///< gigabytes a second: two streams read, one written
  double cache_gbs = 0;  ///< the same of arrays that fit into half of each core's second-level cache
  double gflops = 0;     ///< thousand million operations a second, single precision
  bool is_remembered = false;
};

Roofline roofline();

} // namespace hostcl::runtime::profile
