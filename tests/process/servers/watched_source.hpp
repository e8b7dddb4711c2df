#pragma once

// Sources that tell when a compile server has begun with them.

#include "process/world.hpp"

#include <cstdlib>
#include <string>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace test {

/// An OpenCL header by which a test notices that a compile server has begun to read it.
class WatchedHeader {
public:
  WatchedHeader() : watch_(inotify_init1(IN_CLOEXEC)) {
    close(mkstemp(path_.data()));
    require(inotify_add_watch(watch_, path_.c_str(), IN_OPEN) >= 0, "a watch of a header");
  }
  ~WatchedHeader() {
    close(watch_);
    unlink(path_.c_str());
  }
  WatchedHeader(const WatchedHeader&) = delete;
  std::string include() const { return "#include \"" + path_ + "\"\n"; }
  bool is_read() const {
    pollfd awaited{watch_, POLLIN, 0};
    return poll(&awaited, 1, /*milliseconds=*/60'000) == 1;
  }

private:
  std::string path_ = "/tmp/hostcl-header-XXXXXX";
  int watch_;
};

} // namespace test
