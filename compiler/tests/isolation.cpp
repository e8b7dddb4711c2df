// Work that has to be left while it is in a function of the C library.

#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "support/catch.hpp"

#include <cstdio>
#include <string>

using namespace hostcl::compiler;

namespace {

/// What the library was asked to write, and what it has written.
struct Writing {
  long asked = 0;
  char written[32] = "";
};

long nest(Writing& writing, long level);
/// Volatile, so that no compiler makes a loop of the recursion.
constinit long (*volatile nest_again)(Writing&, long) = nest;

/// Each level takes less stack than the function of the library, which therefore meets the end first.
long nest(Writing& writing, long level) {
  writing.asked = level;
  std::snprintf(writing.written, sizeof writing.written, "%ld", level);
  return nest_again(writing, level + 1) + level;
}

std::string failure_of(llvm::function_ref<void()> work) {
  llvm::Error error = isolate([&]() -> llvm::Error {
    work();
    return llvm::Error::success();
  });
  std::string reason(error ? reason_of(error) : "");
  llvm::consumeError(std::move(error));
  return reason;
}

/// The first call is left while it initialises a static object.
int static_object(bool is_left) {
  static const int object = [&] {
    if (is_left) leave_guarded_work("left");
    return 7;
  }();
  return object;
}

} // namespace

TEST_CASE("Isolation: a function of the C library returns before its overflow of the stack ends the work",
          "[isolation]") {
  Writing writings[3];
  std::string failures[3];
  CHECK(failure_of([&] { // a second overflow on the same thread ends as the first one
          for (int i = 0; i < 3; ++i)
            failures[i] = failure_of([&] { nest(writings[i], 1); });
        })
            .empty());
  for (int i = 0; i < 3; ++i) {
    CHECK(failures[i] == "the program is nested too deeply");
    CHECK(writings[i].asked > 1000);
#if defined(__x86_64__) // other CPUs have no single steps
    CHECK(std::to_string(writings[i].asked) == writings[i].written);
#endif
  }

  CHECK(failure_of([] {}).empty());
}

TEST_CASE(
    "Isolation: a static object is initialised by the next call if the work that initialised it was left",
    "[isolation]") {
  int object = 0;
  CHECK(failure_of([] { static_object(true); }) == "left");
  CHECK(failure_of([&] { object = static_object(false); }).empty());
  CHECK(object == 7);
}
