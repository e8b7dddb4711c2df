#pragma once

// A lane: a thread of a guest process, and the shared memory through which a thread of the application has this thread
// run machine code. One of the two threads has the turn, and the other thread waits. The application's thread answers
// the kernel's host calls. For the rest of the runtime, the application's thread is the thread that runs the launch.
//
//   application                         guest
//   run: entry, launch, arguments   →   calls the kernel
//   answers                         ←   call: a HostCall
//   answered (or abandoned)         →   goes on (or leaves the kernel)
//   takes the result                ←   done
//
// Kernels can write all of this memory, so the application treats everything that it reads here as untrusted input.

#include "compiler/abi/launch.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::guest {

enum class Turn : std::uint32_t {
  idle,      ///< the guest waits for machine code to run
  run,       ///< the guest runs machine code
  call,      ///< the application answers a HostCall
  answered,  ///< the guest goes on
  abandoned, ///< the guest leaves the kernel
  done,      ///< the kernel has returned, or was left
  fault      ///< a signal has ended the kernel, and the process ends
};

/// A word in shared memory by which two threads of two processes pass the turn to each other.
class TurnWord {
public:
  Turn get() const { return static_cast<Turn>(word_.load(std::memory_order_acquire)); }
  /// Gives the turn to the other side, and wakes the other side if it sleeps.
  void pass(Turn turn);
  /// Waits until the word is not `turn`. Spins for 20 µs, and then sleeps.
  /// @returns false if the word is still `turn`: after `most_ns` of sleep, or earlier if the thread was woken
  bool wait_while(Turn turn, std::uint64_t most_ns);
  /// Wakes the waiting side although the word has not changed.
  void wake();
  /// Makes the word `idle` without sleepers, because the guest's side has ended. The other side must not use the word
  /// during this call.
  void reset();

private:
  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

/// What a kernel asks the application for: the host callbacks (abi::HostCallbacks) for which shared memory is not
/// enough. The comments name the numbers and parts of the CallMessage, in their order.
enum class HostCall : std::uint32_t {
  print, ///< parts: text
  trap,  ///< numbers: global id, has an id, line, column, line of the assertion; parts: texts of Trap
  enqueue_kernel,    ///< numbers of BlockLaunch; parts: range, wait list, literal, sizes of local arguments
  enqueue_marker,    ///< numbers: queue, whether an event is wanted; parts: wait list
  query_block,       ///< numbers: query, kernel; parts: range, or nothing
  create_user_event, ///< nothing
  retain_event,      ///< numbers: event
  release_event,     ///< numbers: event
  is_valid_event,    ///< numbers: event
  set_user_event_status, ///< numbers: event, status
  capture_event_profile, ///< numbers: event, name, address of the values
  // Calls of checked kernels. Their numbers are the callback's parameters, in the same order.
  report,
  object_low_at,
  object_size_at,
  convergence_arrive,
  convergence_result,
  command_access
};

/// A HostCall with its data: numbers, and parts of any size, which follow each other in `bytes`.
struct CallMessage {
  static constexpr std::size_t most_numbers = 8, most_parts = 6, most_bytes = std::size_t{32} << 10;
  static constexpr std::size_t part_alignment = 8;
  HostCall call;
  std::uint64_t numbers[most_numbers];
  std::uint32_t sizes[most_parts];
  std::uint64_t result, event; ///< the answer; `event` is used by the two calls that enqueue
  alignas(part_alignment) std::byte bytes[most_bytes];
};

/// What a signal handler of the guest tells the application of a fault.
struct Fault {
  std::int32_t signal, code;
  std::uint64_t address, instruction;
};

struct alignas(128) Lane {
  TurnWord turn;
  abi::Entry entry;
  abi::Launch launch; ///< the guest sets host_callbacks
  const std::byte* arguments;
  std::byte *local, *context;
  std::uint64_t first_group, last_group;
  Fault fault;
  CallMessage message;
};

} // namespace hostcl::runtime::guest
