#include "differential/worker.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace differential {

namespace {

bool write_all(int file, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    ssize_t done = ::write(file, from, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

} // namespace

void Worker::start() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (const auto& [name, value] : configuration_.environment)
      setenv(name.c_str(), value.c_str(), 1);
    execl("/proc/self/exe", "differential", "--worker", configuration_.platform.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

void Worker::stop() {
  if (process_ <= 0) return;
  close(to_);
  close(from_);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void Worker::ask(const std::string& source, const std::string& options) {
  if (process_ <= 0) start();
  const std::string request = options + '\0' + source;
  const auto length = static_cast<std::uint32_t>(request.size());
  // A failure to write shows when the answer is read.
  if (write_all(to_, reinterpret_cast<const char*>(&length), sizeof length))
    write_all(to_, request.data(), request.size());
}

bool Worker::read_all(char* to, std::size_t bytes, std::chrono::steady_clock::time_point until,
                      bool& timed_out) {
  while (bytes > 0) {
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now())
            .count();
    pollfd readable{from_, POLLIN, 0};
    int ready = poll(&readable, 1, static_cast<int>(left > 0 ? left : 0));
    if (ready < 0 && errno == EINTR) continue;
    timed_out = ready == 0;
    if (ready <= 0) return false;
    ssize_t done = ::read(from_, to, bytes);
    if (done <= 0) return false;
    to += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

Answer Worker::answer(std::chrono::seconds limit) {
  auto until = std::chrono::steady_clock::now() + limit;
  bool timed_out = false;
  std::uint32_t length = 0;
  Answer result;
  if (read_all(reinterpret_cast<char*>(&length), sizeof length, until, timed_out)) {
    std::string text(length, '\0');
    if (length > 0 && read_all(text.data(), length, until, timed_out)) {
      result.kind = static_cast<Answer::Kind>(text[0]);
      result.text = text.substr(1);
      return result;
    }
  }
  int status = 0;
  if (timed_out) {
    result = {Answer::Kind::hung, "no answer after " + std::to_string(limit.count()) + " s"};
    stop();
  } else if (waitpid(process_, &status, 0) == process_) {
    process_ = -1;
    close(to_);
    close(from_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_platform) std::exit(2);
    result.text = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                      : "exit " + std::to_string(WEXITSTATUS(status));
  }
  return result;
}

} // namespace differential
