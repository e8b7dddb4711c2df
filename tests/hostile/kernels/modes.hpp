#pragma once

// What the program of main.cpp does in its child process. Each function ends the process with a message if it finds a
// fault that it cannot go on with.

#include <atomic>
#include <cstdint>
#include <string>

namespace test {

struct Request {
  std::uint64_t seed = 1, first = 0, count = 150;
  std::string wanted; ///< part of the names of families
  bool is_verbose = false;
};

/// What the child does, for the parent, which outlives it.
struct Progress {
  static constexpr unsigned threads = 2;
  std::atomic<std::uint64_t> running[threads]; ///< numbers of kernels or launches
};

// @returns the exit status

/// Launches `count` hostile kernels on two threads beside two threads with honest contexts.
int run_kernels(const Request& request, Progress& progress);
/// Launches a few kernels `count` times with random arguments.
int run_fuzz(const Request& request, Progress& progress);
/// Stops `count` launches at random moments.
int run_stops(const Request& request, Progress& progress);

} // namespace test
