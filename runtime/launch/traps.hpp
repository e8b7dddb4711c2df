#pragma once

// Traps of work-items: a trap ends the launch, and the process goes on. The host callback leaves the call of
// abi::Entry in which a work-item traps by longjmp() to the caller, so machine code needs no exits from its
// loops. Only frames of machine code are skipped, and these own nothing: local memory and context belong to
// the thread. Deferred atomic updates of the call are lost, which is allowed, since the results of a launch
// that trapped are undefined.

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

/// The status of a launch in which a work-item has trapped.
inline constexpr cl_int trap_status = CL_OUT_OF_RESOURCES;

/// A sentence about the first trap of a launch, or nothing. The attribute makes it returned in a register.
class [[clang::trivial_abi]] TrapReason {
public:
  TrapReason() = default;
  /// @param text the object becomes its owner; null for nothing
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
struct TrapProperties {
  std::string_view kernel;
  const abi::TrapSite& site;
  /// Nothing if the trap is in a function that was not inlined into the kernel.
  std::optional<std::array<std::uint64_t, 3>> global_id;
  /// Text of a failed assertion, followed by its file, line and function; null for other traps.
  const char* expression = nullptr;
  const char* file = nullptr;
  std::uint64_t line = 0;
  const char* function = nullptr;
};

/// The first trap of a run of a launch, for all threads of the run. The object is a single pointer, which stays null if
/// nothing traps, because short launches must not become slower.
class LaunchTraps {
public:
  LaunchTraps() = default;
  LaunchTraps(const LaunchTraps&) = delete;

  ~LaunchTraps() {
    if (has_any()) [[unlikely]]
      take();
  }

  bool has_any() const { return reason_.load(std::memory_order_relaxed) != nullptr; }
  /// Keeps the reason if this is the first trap. If there is no memory for the reason, keeps a general one.
  /// @param range the sizes that the application has given
  void note(const TrapProperties& trap, const abi::NDRange& range) noexcept;
  /// The same for a kernel that was ended for another reason. @param reason a sentence
  void note(std::string_view reason) noexcept;
  /// The first trap. Only to be called when no thread runs the launch any more.
  TrapReason reason() {
    if (has_any()) [[unlikely]]
      return take();
    return {};
  }

private:
  TrapReason take();
  template <class Make>
  void note_first(Make make) noexcept;

  std::atomic<const std::string*> reason_ = nullptr;
};

/// The place where a thread continues when a work-item of its range traps.
struct TrapExit {
  std::jmp_buf place;
  LaunchTraps& traps;
  const abi::NDRange& range; ///< see LaunchTraps::note()
};

/// Sets abi::HostCallbacks::trap and the handler of compiler/isolation/trap_handler.hpp.
void add_trap_callback(abi::HostCallbacks& host_callbacks);

/// Reports a trap to the log and to the context's callback, unless the context has been terminated, which may be the
/// reason of the trap. @returns the status of the launch
cl_int report_trap(const std::string& reason, const Context& context);

/// The status of a launch. If it trapped, the trap is reported.
inline cl_int status_of(const TrapReason& reason, const Context& context) {
  return reason ? report_trap(*reason, context) : CL_COMPLETE;
}

} // namespace hostcl::runtime
