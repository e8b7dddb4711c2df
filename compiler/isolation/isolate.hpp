#pragma once

// Isolated work: calls of LLVM and clang that isolate() runs on a thread of its own, with a resource budget
// (resource_budget.hpp). If LLVM reports a fatal error, crashes, runs out of memory or exceeds the budget, the work is
// left (guard.hpp), isolate() returns an error (GaveUp), and the application's process goes on.

#include "compiler/outcome.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hostcl::compiler {

/// The reason of a GaveUp for lack of memory. It is short, so that a std::string can hold it without an allocation.
inline constexpr const char* out_of_memory = "out of memory";

/// The error of isolated work that was ended early.
class GaveUp final : public llvm::ErrorInfo<GaveUp> {
public:
  static char ID;
  /// @param reason the message of LLVM's fatal error, a crash, a limit, or out_of_memory
  explicit GaveUp(std::string reason) : reason_(std::move(reason)) {}
  const std::string& reason() const { return reason_; }
  void log(llvm::raw_ostream& stream) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string reason_;
};

/// Whether isolated work of this process has been left so far, and whether a lack of memory was a reason. Once work was
/// left, the compiler of this process may hold locks or have damaged memory, so compile servers do all further jobs
/// (server/server.hpp).
enum class GivenUp : std::uint8_t { nothing, something, for_memory };
GivenUp what_was_given_up();

/// Calls `work` on a thread with a stack that is large enough for deeply nested input; the caller's stack may be small.
/// If isolated work calls isolate() itself, the inner work runs on the same thread. If no thread can be started, the
/// work runs on the calling thread, with the large stack and without limits of time and memory.
/// @param spent CPU time that already counts against the limit. isolate() adds the CPU time of its work to the
/// variable, so calls with the same variable share one limit
/// @returns the error of the work, or a GaveUp
llvm::Error isolate(llvm::function_ref<llvm::Error()> work, std::chrono::nanoseconds* spent = nullptr);

/// The reason of a GaveUp; empty for other errors.
std::string_view reason_of(const llvm::Error& error);

/// Whether a kernel is given up after its compilation has failed at one fallback level for this reason. The next level
/// would fail as well if memory or the budget (HOSTCL_COMPILE_SECONDS, HOSTCL_COMPILE_MEMORY) is used up, if two
/// compile servers were killed, or if the application has closed the descriptors of a server. If the program has been
/// released, nobody needs the code.
/// @param reason why the compiler gave up at this level
bool ends_all_levels(std::string_view reason);

/// The outcome of a function that has failed by an error. Its log is `log`, followed by a line for each message of the
/// error, which begins with "error: ", or with "error: the compiler gave up: " for a GaveUp. If memory of this process
/// was short, the outcome is Status::out_of_memory with an empty log.
/// @param status the outcome's status, unless memory of this process was short or two compile servers were killed:
/// these give Status::out_of_memory
Failed failed(llvm::Error error, Status status = Status::failure, std::string log = {});

/// Data of one call of isolate(). Code deep within the work, such as the client of the compile servers, finds it by
/// isolated_work() instead of a parameter that each layer of LLVM would have to pass on.
struct IsolatedWork {
  std::uint64_t caller; ///< number of the thread that called isolate(), unique in the process
  /// CPU time that compile servers have spent on this work, and all earlier work with the same limit.
  std::chrono::nanoseconds served{0};
};
/// The isolated work that this thread does; null if it does none.
IsolatedWork* isolated_work();
inline bool is_isolated() {
  return isolated_work() != nullptr;
}

} // namespace hostcl::compiler
