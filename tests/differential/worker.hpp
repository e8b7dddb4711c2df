#pragma once

// A process that runs kernels in one way. Its own process: it may crash or hang, its environment configures
// the driver, and drivers need not bear each other.

#include "differential/way.hpp"

#include <chrono>
#include <deque>
#include <string>

#include <sys/types.h>

namespace differential {

/// The build option that renames the kernel `test`. It must be the last build option.
inline const std::string name_option = "-Dtest=";

struct Request {
  std::string source, build_options;
  bool one_by_one = false; ///< also where the case wants its launches at once
  unsigned launches = 1;   ///< of each range
  bool dumps = false;      ///< whether the answer holds all bytes and not their hashes

  std::string text() const;
  static Request of_text(const std::string& text);
};

struct Answer {
  enum class Kind : char { results = 'r', unsupported = 'u', failed = 'f', crashed = 'c', hung = 'h' };
  Kind kind = Kind::crashed;
  std::string text;                          ///< a line for each buffer of each launch, or what went wrong
  double build_seconds = 0, run_seconds = 0; ///< of the processor

  bool agrees(const Answer& other) const { return kind == other.kind && text == other.text; }
};

/// In front of an answer's kind and text, on the way from the process.
struct AnswerHeader {
  std::uint32_t length = 0;
  float build_seconds = 0, run_seconds = 0;
};

class Worker {
public:
  explicit Worker(Way way) : way_(std::move(way)) {}
  Worker(const Worker&) = delete;
  ~Worker() { stop(); }

  const Way& way() const { return way_; }

  /// Begins to run a case; as many answer() must follow, in the same order. A process that has died is
  /// replaced.
  void ask(Request request);
  Answer answer(std::chrono::seconds limit);

private:
  void start();
  void stop();
  void send(const Request& request) const;
  bool read_all(void* to, std::size_t bytes, std::chrono::steady_clock::time_point until,
                bool& timed_out) const;
  Answer end_of_process(bool timed_out, std::chrono::seconds limit);

  Way way_;
  std::deque<Request> asked_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
};

/// The process's exit code when there is no such platform.
constexpr int no_platform = 3;

/// What the process does: answers requests on its standard input until that ends.
int serve(const std::string& platform);

} // namespace differential
