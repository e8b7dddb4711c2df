#pragma once

// A process that runs kernels on one OpenCL platform. Its own process: it may crash or hang, its environment
// configures the driver, and drivers need not bear each other.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace differential {

struct Answer {
  enum class Kind : char { results = 'r', unsupported = 'u', failed = 'f', crashed = 'c', hung = 'h' };
  Kind kind = Kind::crashed;
  std::string text; ///< bytes of all buffers, or what went wrong

  bool operator==(const Answer&) const = default;
};

/// One way of running kernels.
struct Configuration {
  std::string name;
  std::string platform; ///< part of the platform's name
  std::map<std::string, std::string> environment;
};

class Worker {
public:
  explicit Worker(Configuration configuration) : configuration_(std::move(configuration)) {}
  Worker(const Worker&) = delete;
  ~Worker() { stop(); }

  const Configuration& configuration() const { return configuration_; }

  /// Begins to run a case; answer() must follow. A process that has died is replaced.
  void ask(const std::string& source, const std::string& options);
  Answer answer(std::chrono::seconds limit);

private:
  void start();
  void stop();
  bool read_all(char* to, std::size_t bytes, std::chrono::steady_clock::time_point until, bool& timed_out);

  Configuration configuration_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
};

/// The process's exit code when there is no such platform.
constexpr int no_platform = 3;

/// What the process does: answers requests on its standard input until that ends.
int serve(const std::string& platform);

} // namespace differential
