#pragma once

// The threads of a device: arenas of oneTBB, made when they are first needed.

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
    requires(!std::is_same_v<F, RangeBody>) // a reference to a RangeBody would refer to a temporary copy
  RangeBody(F& body)
      : object_(&body), call_([](void* object, std::uint64_t first, std::uint64_t last) {
          (*static_cast<F*>(object))(first, last);
        }) {}
  void operator()(std::uint64_t first, std::uint64_t last) const { call_(object_, first, last); }

private:
  void* object_;
  void (*call_)(void*, std::uint64_t, std::uint64_t);
};

/// How a range was covered.
struct RangeFigures {
  unsigned threads;      ///< number of threads that called the body
  std::uint64_t busy_ns; ///< CPU time that these threads spent on the range, added up
};

/// The priority of a queue. Commands of queues with a higher priority run first.
enum class Priority { low, normal, high };

/// The threads of one device, or of one priority of a device's queues. The object itself starts no thread: it
/// leases an arena of oneTBB for each range. All methods may be called from several threads at the same time.
class Workers {
public:
  /// @param processors the processors that the threads run on: with HOSTCL_PIN each thread on one of them,
  /// otherwise each thread on any of them. If empty, threads are not bound.
  /// @param binds_caller whether a thread that runs a command for the device alone is bound as well
  Workers(unsigned threads, Processors processors, bool binds_caller, Priority priority);
  ~Workers();

  unsigned threads() const { return threads_; }
  /// The processors that the calling thread should be bound to while it works for the device; empty for any.
  std::span<const unsigned> callers_processors() const {
    return binds_caller_ ? std::span<const unsigned>(processors_) : std::span<const unsigned>();
  }

  /// The number of threads that a range of this length should have if each thread gets at least `grain` of
  /// it: either threads(), or a power of two below.
  unsigned threads_for(std::uint64_t length, std::uint64_t grain) const;

  /// Covers [first, last) by calls of the body on up to threads_for() threads, and returns when all calls
  /// have returned. The calling thread takes part: it begins at once and does not wait for other threads to
  /// wake up. No more than threads_for() threads are woken. If that is one thread, there is a single call
  /// with the whole range.
  /// @param grain the length that is worth a thread of its own. Each thread's first call has at most this
  /// length; the lengths of its further calls follow from the time that its calls take.
  /// @param least shortest length of a call's range, except for the last calls. For bodies in which each call
  /// has a cost of its own.
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

/// Nanoseconds since several threads of this process last worked on a range; 0 while they do.
std::uint64_t serial_ns();

/// Held by a thread while it starts threads. Otherwise a thread that is started at the same time could take a
/// place under the process's limit that allow_threads() has just counted for oneTBB.
Lock& thread_starts();

} // namespace hostcl::runtime
