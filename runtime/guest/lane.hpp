#pragma once

// A lane: a thread of a guest process, and the memory through which a thread of the application has it run machine
// code. One of the two threads has the turn, and the other one waits. A kernel's calls of the host are answered by the
// application's thread, which is the thread that runs the launch as far as the rest of the runtime sees.
//
//   application                         guest
//   run: entry, launch, arguments   →   calls the kernel
//   answers                         ←   call: a host callback with its arguments
//   answered (or abandoned)         →   goes on (or leaves the kernel)
//   takes the result                ←   done

#include "compiler/abi/launch.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hostcl::runtime::guest {

enum class Turn : std::uint32_t {
  idle,      ///< the guest waits for a call of machine code
  run,       ///< the guest runs it
  call,      ///< the application answers a host callback
  answered,  ///< the guest goes on
  abandoned, ///< the guest leaves the kernel, because the callback does not return
  done,      ///< the kernel has returned
  fault      ///< a signal has ended the kernel, and the process ends
};

/// A word in shared memory that two threads of two processes wait for in turn.
class TurnWord {
public:
  Turn get() const { return static_cast<Turn>(word_.load(std::memory_order_acquire)); }
  /// Gives the turn to the other side, and wakes it if it sleeps.
  void pass(Turn turn);
  /// Waits until the word is not `turn`, for a while without sleeping.
  /// @returns false if it is after the given time; false may come early
  bool wait_while(Turn turn, std::uint64_t most_ns);
  /// Wakes the waiting side although the word has not changed.
  void wake();

private:
  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

/// A host callback that a kernel has called.
struct CallbackCall {
  static constexpr std::size_t most_arguments = 12;
  std::uint32_t function; ///< index in Callbacks
  std::uint64_t arguments[most_arguments];
  std::uint64_t result;
};

/// What a signal handler of the guest knows of a fault.
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
  CallbackCall call;
  Fault fault;
};

/// What the application tells a guest at its start, at the beginning of the memory for data.
struct Start {
  std::uint32_t lane_count;
  std::uint64_t stack_bytes;
  Lane* lanes;
  std::byte* stacks; ///< of lane_count times stack_bytes
  void** functions;  ///< table in the memory for code: a page that each process has for itself
  std::atomic<std::uint32_t> is_ready; ///< set by the guest
};

/// One host callback, given as a pointer to the member of abi::HostCallbacks.
template <auto member>
struct Callback;

template <class Result, class... Arguments, Result (*abi::HostCallbacks::*member)(void*, Arguments...)>
struct Callback<member> {
  static_assert(sizeof...(Arguments) <= CallbackCall::most_arguments);
  template <class T>
  static std::uint64_t packed(T value) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<std::uint64_t>(value);
    else
      return static_cast<std::uint64_t>(value);
  }
  template <class T>
  static T unpacked(std::uint64_t bits) {
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(bits);
    else
      return static_cast<T>(bits);
  }

  template <class T>
  static constexpr std::size_t size_of() {
    if constexpr (requires { sizeof(T); })
      return sizeof(T);
    else
      return 1;
  }

  /// Application: calls the callback. @param accepts whether a pointer may be dereferenced
  template <class Accepts>
  static bool serve(const abi::HostCallbacks& callbacks, const abi::Launch& launch, CallbackCall& call,
                    Accepts accepts) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      std::tuple<Arguments...> arguments{unpacked<Arguments>(call.arguments[i])...};
      bool is_valid = true;
      auto check = [&]<class T>(T& argument) {
        if constexpr (std::is_same_v<T, const abi::Launch*>)
          argument = &launch;
        else if constexpr (std::is_pointer_v<T>)
          is_valid = is_valid && (!argument || accepts(argument, size_of<std::remove_pointer_t<T>>()));
      };
      (check(std::get<i>(arguments)), ...);
      if (!is_valid) return false;
      if constexpr (std::is_void_v<Result>)
        (callbacks.*member)(callbacks.context, std::get<i>(arguments)...);
      else
        call.result = packed((callbacks.*member)(callbacks.context, std::get<i>(arguments)...));
      return true;
    }(std::index_sequence_for<Arguments...>());
  }
};

template <auto... members>
struct CallbackList {
  static constexpr std::size_t count = sizeof...(members);

  /// Calls `visit` with std::integral_constant<std::size_t, index> and Callback<member> for each callback.
  template <class Visit>
  static void for_each(Visit visit) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (visit.template operator()<i, members>(), ...);
    }(std::make_index_sequence<count>());
  }
};

/// The host callbacks that the application answers. Those of pipes are not among them: they only use memory that both
/// processes have, so the guest calls the functions itself.
using Callbacks = CallbackList<
    &abi::HostCallbacks::print, &abi::HostCallbacks::enqueue_kernel, &abi::HostCallbacks::enqueue_marker,
    &abi::HostCallbacks::query_block, &abi::HostCallbacks::create_user_event,
    &abi::HostCallbacks::retain_event, &abi::HostCallbacks::release_event,
    &abi::HostCallbacks::is_valid_event, &abi::HostCallbacks::set_user_event_status,
    &abi::HostCallbacks::capture_event_profile, &abi::HostCallbacks::report,
    &abi::HostCallbacks::object_low_at, &abi::HostCallbacks::object_size_at,
    &abi::HostCallbacks::convergence_arrive, &abi::HostCallbacks::convergence_result,
    &abi::HostCallbacks::race_group, &abi::HostCallbacks::race_barrier, &abi::HostCallbacks::race_access,
    &abi::HostCallbacks::race_order, &abi::HostCallbacks::trap, &abi::HostCallbacks::command_access>;

} // namespace hostcl::runtime::guest
