#pragma once

// What the program of main.cpp does in its child process. Each function ends the process with a message if it finds a
// fault after which it cannot go on.

#include <atomic>
#include <cstdint>
#include <string>

namespace test {

struct Request {
  std::uint64_t seed = 1, first = 0, count = 150;
  std::string wanted; ///< part of the names of families
  bool is_verbose = false;
};

/// Tells the parent what the child was doing, if the child dies.
struct Progress {
  static constexpr unsigned threads = 2;
  std::atomic<std::uint64_t> running[threads]; ///< numbers of kernels or launches
};

// All functions return the exit status.

/// Launches `count` hostile kernels on two threads, while two other threads launch honest kernels in other contexts.
int run_kernels(const Request& request, Progress& progress);
/// Launches a few kernels `count` times with random arguments.
int run_fuzz(const Request& request, Progress& progress);
/// Stops `count` launches at random moments.
int run_stops(const Request& request, Progress& progress);

} // namespace test
