#pragma once

#include "conformance/litmus/test.hpp"

namespace conformance {

/// Instances are that many ints apart, so that no two share a cache line.
inline constexpr int stride = 16;

/// The kernel "k" runs the roles of a test, each in as many single-item groups as there are slices of
/// instances:
///   (global atomic_int *x, *y, *z, global int* registers, global atomic_int* go, int n, int slice, int
///   host_role)
/// It leaves out host_role unless that is negative, and sets *go when it starts.
std::string source_of(const Litmus& test);

} // namespace conformance
