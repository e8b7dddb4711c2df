#pragma once

// Work-items that trap: each ends its launch, and the process goes on. The call of abi::Entry in which one traps is
// left by a jump to where it was made, so that machine code needs no way out of its loops. Nothing lies between but
// machine code, which owns nothing: local memory and the context belong to the thread that made the call. Updates that
// the call has deferred are lost: what a launch that trapped has written is undefined.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"
#include "runtime/support/cl.hpp"

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hostcl::runtime {

class Context;

/// What a launch that a work-item has trapped in ends with.
inline constexpr cl_int trap_status = CL_OUT_OF_RESOURCES;

/// A sentence about the first trap of a launch, or nothing if there was none. It is returned in a register.
class [[clang::trivial_abi]] TrapReason {
public:
  TrapReason() = default;
  /// @param text of which this becomes the owner; null for nothing
  explicit TrapReason(const std::string* text) : text_(text) {}
  TrapReason(TrapReason&& other) noexcept : text_(std::exchange(other.text_, nullptr)) {}
  TrapReason& operator=(TrapReason&& other) noexcept {
    std::swap(text_, other.text_);
    return *this;
  }
  ~TrapReason() {
    if (text_) [[unlikely]]
      free_text();
  }
  explicit operator bool() const { return text_ != nullptr; }
  const std::string& operator*() const { return *text_; }
  const std::string* release() { return std::exchange(text_, nullptr); }

private:
  void free_text();
  const std::string* text_ = nullptr;
};

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

/// The traps of one run of a launch, on all threads. Launches are short: without a trap, it is a pointer that stays null.
class LaunchTraps {
public:
  LaunchTraps() = default;
  LaunchTraps(const LaunchTraps&) = delete;

  ~LaunchTraps() {
    if (has_any()) [[unlikely]]
      take();
  }

  bool has_any() const { return reason_.load(std::memory_order_relaxed) != nullptr; }
  /// Keeps the reason of the first trap, if there is memory for it.
  /// @param range the sizes that the application gave
  void note(const TrapFacts& trap, const abi::NDRange& range) noexcept;
  /// To be called when no thread runs the launch any more.
  TrapReason reason() {
    if (has_any()) [[unlikely]]
      return take();
    return {};
  }

private:
  TrapReason take();

  std::atomic<const std::string*> reason_ = nullptr;
};

/// Where a thread goes on when a work-item traps.
struct TrapExit {
  std::jmp_buf place;
  LaunchTraps& traps;
  const abi::NDRange& range; ///< as LaunchTraps::note() takes it
};

/// Sets abi::Services::trap, and the handler of compiler/isolation/trap_handler.hpp.
void add_trap_service(abi::Services& services);

/// Tells the application and the log of a launch's trap. @returns trap_status
cl_int report_trap(const std::string& reason, const Context& context);

/// The status of a launch; a trap is reported.
inline cl_int status_of(const TrapReason& reason, const Context& context) {
  return reason ? report_trap(*reason, context) : CL_COMPLETE;
}

} // namespace hostcl::runtime
