// Stacks that overflow inside a function of the C library: it comes to its end, and the work does.

#include "compiler/isolation/cancellation_request.hpp"
#include "compiler/isolation/isolate.hpp"
#include "support/catch.hpp"

#include <cstdio>
#include <string>

using namespace hostcl::compiler;

namespace {

constexpr const char* too_deep = "the program is nested too deeply";

/// What the library was asked to write, and what it has written.
struct Writing {
  long asked = 0;
  char written[32] = "";
};

long nest(Writing& writing, bool allocates, long level);
/// Volatile, so that no compiler makes a loop of the recursion.
constinit long (*volatile nest_again)(Writing&, bool, long) = nest;

/// Each level takes less stack than the function of the library, which therefore meets the end first.
long nest(Writing& writing, bool allocates, long level) {
  if (allocates) leave_if_overflowed(); // as each allocation of the driver does
  writing.asked = level;
  std::snprintf(writing.written, sizeof writing.written, "%ld", level);
  return nest_again(writing, allocates, level + 1) + level;
}

std::string failure_of(llvm::function_ref<void()> work) {
  const auto succeeding = [&]() -> llvm::Error {
    work();
    return llvm::Error::success();
  };
  llvm::Error error = isolate(succeeding);
  std::string reason(error ? reason_of(error) : "");
  llvm::consumeError(std::move(error));
  return reason;
}

std::string failure_of_nesting(Writing& writing, bool allocates = true) {
  return failure_of([&] { nest(writing, allocates, 1); });
}

bool is_complete(const Writing& writing) {
  return std::to_string(writing.asked) == writing.written;
}

} // namespace

TEST_CASE("Isolation: a function of the C library returns before its overflow of the stack ends the work",
          "[isolation]") {
  Writing writing;
  CHECK(failure_of_nesting(writing) == too_deep);
  CHECK(writing.asked > 1000);
  CHECK(is_complete(writing));
}

TEST_CASE("Isolation: a second overflow on the same thread ends as the first one", "[isolation]") {
  Writing writings[3];
  std::string failures[3];
  CHECK(failure_of([&] {
          for (int i = 0; i < 3; ++i)
            failures[i] = failure_of_nesting(writings[i]);
        }).empty());
  for (int i = 0; i < 3; ++i) {
    CHECK(failures[i] == too_deep);
    CHECK(is_complete(writings[i]));
  }
}

TEST_CASE("Isolation: work without an allocation ends where the enlarged stack does", "[isolation]") {
  Writing writing;
  CHECK(failure_of_nesting(writing, /*allocates=*/false) == too_deep);
  CHECK(failure_of([] {}).empty());
}
