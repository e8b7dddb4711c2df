#pragma once

// Work-items that trap: each ends its launch, and the process goes on. The call of abi::Entry in which one traps is
// left by a jump to where it was made, so that machine code needs no way out of its loops. Nothing lies between but
// machine code, which owns nothing: local memory and the context belong to the thread that made the call. Updates that
// the call has deferred are lost: what a launch that trapped has written is undefined.

#include "compiler/abi.hpp"
#include "runtime/object/cl.hpp"

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hostcl::runtime {

class Context;

/// What a launch that a work-item has trapped in ends with.
inline constexpr cl_int trap_status = CL_OUT_OF_RESOURCES;

/// A sentence about the first trap of a launch; null if there was none.
using TrapReason = std::unique_ptr<const std::string>;

/// A trap of a work-item.
struct TrapFacts {
  std::string_view kernel;
  const abi::TrapSite& site;
  std::optional<std::array<std::uint64_t, 3>> global_id; ///< nothing in a function that stays a call
  const char* expression = nullptr; ///< of an assertion, with its file, line and function; null if it is none
  const char* file = nullptr;
  std::uint64_t line = 0;
  const char* function = nullptr;
};

/// The traps of one run of a launch, on all threads.
class LaunchTraps {
public:
  /// @param range the sizes that the application gave
  explicit LaunchTraps(const abi::NDRange& range) : range_(range) {}

  bool has_any() const { return has_any_.load(std::memory_order_relaxed); }
  /// Keeps the reason of the first trap, if there is memory for it.
  void note(const TrapFacts& trap) noexcept;
  /// To be called when no thread runs the launch any more.
  TrapReason reason();

private:
  const abi::NDRange& range_;
  std::atomic<bool> has_any_ = false;
  std::string reason_;
};

/// Where a thread goes on when a work-item traps.
struct TrapExit {
  std::jmp_buf place;
  LaunchTraps& traps;
};

/// Sets abi::Services::trap, and compiler::set_trap().
void add_trap_service(abi::Services& services);

/// Tells the application and the log of a launch's trap, if there was one. @returns the status of the launch
cl_int status_of(const TrapReason& reason, const Context& context);

} // namespace hostcl::runtime
