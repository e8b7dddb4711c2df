#pragma once

// The threads of a device: arenas of oneTBB, made when first needed.

#include "runtime/support/lock.hpp"
#include "runtime/threads/topology.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>

namespace hostcl::runtime {

/// A non-owning reference to a callable void(first, last).
class RangeBody {
public:
  template <class F>
    requires(!std::is_same_v<F, RangeBody>) // which would refer to a copy that is gone
  RangeBody(F& body)
      : object_(&body), call_([](void* object, std::uint64_t first, std::uint64_t last) {
          (*static_cast<F*>(object))(first, last);
        }) {}
  void operator()(std::uint64_t first, std::uint64_t last) const { call_(object_, first, last); }

private:
  void* object_;
  void (*call_)(void*, std::uint64_t, std::uint64_t);
};

/// What the threads did that took part.
struct RangeFigures {
  unsigned threads;      ///< those that called the body
  std::uint64_t busy_ns; ///< the time for which they had a processor meanwhile, added up
};

/// The priority of a queue: threads run commands of higher ones first.
enum class Priority { low, normal, high };

class Workers {
public:
  /// @param processors where the threads run: each on one with HOSTCL_PIN, or else on any of them; anywhere
  /// if there are none
  /// @param binds_caller whether a thread that runs something for the device alone is bound, too
  Workers(unsigned threads, Processors processors, bool binds_caller, Priority priority);
  ~Workers();

  unsigned threads() const { return threads_; }
  /// The processors that the calling thread should run on while it works for the device; empty: any.
  std::span<const unsigned> callers_processors() const {
    return binds_caller_ ? std::span<const unsigned>(processors_) : std::span<const unsigned>();
  }

  /// The number of threads that work of this length is worth, if `grain` of it is worth one: threads(), or a
  /// power of two below.
  unsigned threads_for(std::uint64_t length, std::uint64_t grain) const;

  /// Covers [first, last) with calls of the body on up to threads_for() threads, the caller among them: it
  /// begins at once, without waiting for the others, and wakes no more of them. Work that is worth one thread is one
  /// call.
  /// @param grain the length that is worth a thread, and of each thread's first call; it chooses those of the others
  /// by the time that the calls take
  /// @param least the length of a call's range, but for the last ones, where each costs something
  RangeFigures for_ranges(std::uint64_t first, std::uint64_t last, std::uint64_t grain, RangeBody body,
                          std::uint64_t least = 1);

private:
  class Arenas;
  Arenas& made_arenas();

  unsigned threads_;
  Processors processors_;
  bool binds_caller_;
  std::mutex making_;
  std::unique_ptr<Arenas> own_arenas_;
  std::atomic<Arenas*> arenas_ = nullptr; ///< null until they are first needed
  Priority priority_;
};

/// Nanoseconds for which no range has been covered by several threads of this process; 0 while one is.
std::uint64_t serial_ns();

/// Held by a thread while it starts threads, so that no other one gets those that oneTBB counts on.
Lock& thread_starts();

} // namespace hostcl::runtime
