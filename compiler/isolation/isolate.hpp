#pragma once

// Runs LLVM and clang so that their fatal errors and crashes do not end the application's process. Isolated work is a
// call of the compiler that isolate() runs: on a thread of its own, with a resource budget, and with handlers for fatal
// errors, signals and lack of memory.

#include "compiler/outcome.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Options of isolate() for the thread that waits for the work: the CPU time that counts already, and a callback.
struct Watch {
  /// CPU time that counts against the limit. isolate() adds the CPU time of its work to this value, so that calls with
  /// the same Watch share one limit.
  std::chrono::nanoseconds spent{0};
  /// Called when the work has exceeded its resource budget, or nobody needs it any more, before the work is asked to
  /// end.
  llvm::function_ref<void(const char* reason)> on_excess = nullptr;
};

/// A reason that is short enough for a std::string without allocation.
inline constexpr const char* out_of_memory = "out of memory";

/// The error of isolated work that ended early: by a fatal error, a crash, a limit, or lack of memory.
class GaveUp final : public llvm::ErrorInfo<GaveUp> {
public:
  static char ID;
  /// @param reason the message of LLVM's fatal error, a crash, a limit, or out_of_memory
  explicit GaveUp(std::string reason);
  const std::string& reason() const { return reason_; }
  void log(llvm::raw_ostream& stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string reason_;
};

/// Whether isolated work of this process has ever ended early, and whether the reason was a lack of memory.
enum class GivenUp : std::uint8_t { nothing, something, for_memory };
GivenUp what_was_given_up();

/// Calls `work` on a thread whose stack is large enough for deeply nested input; the caller's may be small.
/// If isolated work calls isolate() itself, the inner work runs on the same thread.
/// @returns the error of the work, or a GaveUp
llvm::Error isolate(llvm::function_ref<llvm::Error()> work, Watch* watch = nullptr);

/// The reason of a GaveUp; empty for other errors.
std::string_view reason_of(const llvm::Error& error);

/// Whether a kernel is given up after it has failed at one fallback level for this reason. The next level would fail as
/// well if memory or the resource budget (HOSTCL_COMPILE_SECONDS, HOSTCL_COMPILE_MEMORY) is used up, if two compile
/// servers were killed, or if the application has closed the descriptors of two servers. If the program has been
/// released, nobody needs the code.
/// @param reason why the compiler gave up at this level
bool ends_all_levels(std::string_view reason);

/// The outcome of a function that returned an error. The outcome's log is `log`, followed by a line for each of the
/// error's messages, which begins with "error: " (for a GaveUp with "error: the compiler gave up: "). A lack of memory
/// of this process gives Status::out_of_memory and an empty log.
/// @param status the outcome's status, unless memory of this process was short or two compile servers were killed; both
/// give Status::out_of_memory
Failed failed(llvm::Error error, Status status = Status::failure, std::string log = {});

/// Isolated work that returns an outcome.
template <class Work>
auto isolated(Work work) -> decltype(work()) {
  decltype(work()) outcome;
  llvm::Error error = isolate([&] {
    outcome = work();
    return llvm::Error::success();
  });
  if (error) return failed(std::move(error));
  return outcome;
}

/// Data of one outermost call of isolate(). The client of the compile servers finds the data by isolated_work(), so
/// that callers need not pass it through LLVM and the layers in between.
struct IsolatedWork {
  std::uint64_t caller;               ///< number of the thread that called isolate(), unique in the process
  std::chrono::nanoseconds served{0}; ///< CPU time that compile servers have spent on this work
};
/// The data of the isolated work that the calling thread runs; null if the thread runs none.
IsolatedWork* isolated_work();
inline bool is_isolated() {
  return isolated_work() != nullptr;
}

} // namespace hostcl::compiler
