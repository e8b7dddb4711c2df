#pragma once

// malloc and friends of this process, made to fail on request. In the program itself, so that the driver's
// calls, those of the C++ library and those of operator new all come here.

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace failing_allocator {

/// Which threads' allocations are counted and may fail.
enum class Scope { none, this_thread, all_threads };

struct State {
  std::atomic<Scope> scope{Scope::none};
  std::atomic<long> counted{0};     ///< allocations since begin()
  std::atomic<long> fail_from{-1};  ///< the number of the first one that fails, from 0; -1 for none
  std::atomic<long> fail_to{-1};    ///< the number after the last one that fails
  std::atomic<long> failures{0};    ///< since begin()
  std::atomic<long> live_blocks{0}; ///< allocated and not freed, in the whole process
};
extern State state;
/// Whether the calling thread is inside a Counted section.
extern thread_local bool counting;

/// From now on the allocations numbered [from, to) fail.
inline void begin(Scope scope, long from, long to) {
  state.counted = 0;
  state.failures = 0;
  state.fail_from = from;
  state.fail_to = to;
  state.scope = scope;
}
inline void end() {
  state.scope = Scope::none;
}

/// While one exists the calling thread's allocations count: around calls of the API, not around the test's
/// own.
struct Counted {
  Counted() { counting = true; }
  ~Counted() { counting = false; }
  Counted(const Counted&) = delete;
};

} // namespace failing_allocator
