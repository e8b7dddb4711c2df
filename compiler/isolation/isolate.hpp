#pragma once

// Runs LLVM and clang so that no fatal error of theirs ends the host process.

#include "compiler/outcome.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostcl::compiler {

/// What the thread that waits for isolated work does meanwhile.
struct Watch {
  /// The processor's time that the work has taken. What is there before counts: works with one Watch share a bound.
  std::chrono::nanoseconds spent{0};
  /// Called before the work is asked to end.
  llvm::function_ref<void(const char* reason)> on_excess = nullptr;
};

/// Short enough to need no memory.
inline constexpr const char* out_of_memory = "out of memory";

/// The error of isolated work that was ended early.
class GaveUp final : public llvm::ErrorInfo<GaveUp> {
public:
  static char ID;
  /// @param reason LLVM's message in a fatal error, a crash, a bound, or out_of_memory
  explicit GaveUp(std::string reason);
  const std::string& reason() const { return reason_; }
  void log(llvm::raw_ostream& stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string reason_;
};

/// What isolated work of this process has given up so far.
enum class GivenUp : std::uint8_t { nothing, something, for_memory };
GivenUp what_was_given_up();

/// Calls `work` on a thread with a stack that is large enough for deeply nested input (the caller's may be
/// small); work that isolates parts of itself stays on that thread.
/// @returns the work's error, or a GaveUp
llvm::Error isolate(llvm::function_ref<llvm::Error()> work, Watch* watch = nullptr);

/// The reason of a GaveUp; empty for other errors.
std::string_view reason_of(const llvm::Error& error);

/// Whether a kernel of which one form of code has failed gets no other form: another form would fail as well after a lack of
/// memory, the end of the launch's time or the loss of two compile servers, and a released program needs none.
/// @param reason why the compiler gave up this form
bool ends_all_forms(std::string_view reason);

/// The outcome of a function that failed by an error: its messages come after `log`, with "error: " before each.
/// @param status unless memory was lacking, which has a status of its own; of this process, without a log
Failed failed(llvm::Error error, Status status = Status::failure, std::string log = {});

/// Isolated work with an outcome.
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
