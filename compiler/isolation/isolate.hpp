#pragma once

// Runs LLVM and clang in such a way that their fatal errors do not end the application's process.

#include "compiler/outcome.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// What the thread that waits for isolated work knows and does.
struct Watch {
  /// CPU time of the work. Its value before counts as well: several pieces of work with one Watch share a
  /// limit.
  std::chrono::nanoseconds spent{0};
  /// Called before the work is asked to end.
  llvm::function_ref<void(const char* reason)> on_excess = nullptr;
};

/// A reason that is short enough for a std::string without allocation.
inline constexpr const char* out_of_memory = "out of memory";

/// The error of isolated work that was ended early.
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

/// Whether isolated work of this process has been ended early so far, and whether that was for lack of
/// memory.
enum class GivenUp : std::uint8_t { nothing, something, for_memory };
GivenUp what_was_given_up();

/// Calls `work` on a thread whose stack is large enough for deeply nested input; the caller's may be small.
/// If isolated work calls isolate() itself, the inner work runs on the same thread.
/// @returns the error of the work, or a GaveUp
llvm::Error isolate(llvm::function_ref<llvm::Error()> work, Watch* watch = nullptr);

/// The reason of a GaveUp; empty for other errors.
std::string_view reason_of(const llvm::Error& error);

/// Whether a kernel whose compilation has failed at one fallback level is tried at no other level: other levels would fail as
/// well after a lack of memory, the end of the launch's time or the loss of two compile servers, and a released program
/// needs none.
/// @param reason why the compiler gave up at this level
bool ends_all_levels(std::string_view reason);

/// The outcome of a function that has failed by an error. Its log is `log`, followed by the error's messages
/// with "error: " before each of them.
/// @param status ignored if memory of this process was short, which has a status of its own and no log
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

/// What parts of isolated work that know nothing of each other have in common.
struct IsolatedWork {
  std::uint64_t caller;               ///< number of the thread that called isolate(), unique in the process
  std::chrono::nanoseconds served{0}; ///< CPU time that compile servers have spent on this work
};
/// The isolated work that this thread does; null if it does none.
IsolatedWork* isolated_work();
inline bool is_isolated() {
  return isolated_work() != nullptr;
}

} // namespace hostcl::compiler
