#pragma once

// A path: a process of its own in which the driver is loaded with settings of its own, such as another CPU.

#include <functional>
#include <string>

#include <sys/types.h>

namespace maths {

/// A child process that serves requests of this process. Paths must be started before this process has threads, because
/// fork() copies the calling thread only.
class Path {
public:
  /// Handles one request in the child process.
  using Serve = std::function<void()>;

  /// `settings`: NAME=VALUE for variables HOSTCL_NAME, with + between them; "native": none. `start` is called in the
  /// child process, after the variables have been set.
  Path(const std::string& settings, const std::function<Serve()>& start);
  ~Path();
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  const std::string& name() const { return name_; }
  void request();
  /// Waits until the request has been served. False if the child process has ended.
  bool wait();

private:
  std::string name_;
  pid_t process_;
  int requests_, replies_; ///< pipes
};

} // namespace maths
