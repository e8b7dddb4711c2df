#include "path.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace maths {

namespace {

constexpr char serve_request = 0, end_request = 1;

/// Kernels run optimised code from their first launch, and nothing is left on disk.
void set_variables(const std::string& settings) {
  setenv("HOSTCL_CODE", "tier1", 0);
  setenv("HOSTCL_CACHE", "0", 0);
  if (settings == "native") return;
  std::istringstream stream(settings);
  for (std::string setting; std::getline(stream, setting, '+');) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw std::invalid_argument(setting + " has no '='");
    setenv(("HOSTCL_" + setting.substr(0, equals)).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
}

/// If the process has ended, Path::wait() says so.
void send(int pipe, char request) {
  [[maybe_unused]] const ssize_t written = write(pipe, &request, 1);
}

int serve_all(const std::string& settings, const std::function<Path::Serve()>& start, int requests,
              int replies) {
  try {
    set_variables(settings);
    const Path::Serve serve = start();
    char byte;
    while (read(requests, &byte, 1) == 1 && byte == serve_request) {
      serve();
      if (write(replies, &byte, 1) != 1) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", settings.c_str(), error.what());
    return 1;
  }
}

} // namespace

Path::Path(const std::string& settings, const std::function<Serve()>& start) : name_(settings) {
  std::signal(SIGPIPE, SIG_IGN);
  int to_child[2], to_parent[2];
  if (pipe(to_child) != 0 || pipe(to_parent) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  process_ = fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process_ == 0) {
    close(to_child[1]);
    close(to_parent[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int status = serve_all(settings, start, to_child[0], to_parent[1]);
    std::fflush(nullptr);
    _exit(status);
  }
  close(to_child[0]);
  close(to_parent[1]);
  requests_ = to_child[1];
  replies_ = to_parent[0];
}

Path::~Path() {
  // Paths that were started later have a copy of this pipe, so closing it would not end the process.
  send(requests_, end_request);
  close(requests_);
  close(replies_);
  waitpid(process_, nullptr, 0);
}

void Path::request() {
  send(requests_, serve_request);
}

bool Path::wait() {
  char byte;
  return read(replies_, &byte, 1) == 1;
}

} // namespace maths
