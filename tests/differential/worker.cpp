#include "differential/worker.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace differential {

namespace {

bool write_all(int file, const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    ssize_t done = ::write(file, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

} // namespace

std::string Request::text() const {
  return std::string(one_by_one ? "1" : "0") + (dumps ? "1" : "0") + std::to_string(launches) + '\0' +
         build_options + '\0' + source;
}

Request Request::of_text(const std::string& text) {
  const std::size_t options = text.find('\0') + 1, end = text.find('\0', options);
  return {text.substr(end + 1), text.substr(options, end - options), text[0] == '1',
          static_cast<unsigned>(std::strtoul(text.c_str() + 2, nullptr, 10)), text[1] == '1'};
}

void Worker::start() {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (const auto& [name, value] : way_.environment)
      setenv(name.c_str(), value.c_str(), 1);
    execl("/proc/self/exe", "differential", "--worker", way_.platform.c_str(), nullptr);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  constexpr int room = 1 << 20; // for what is asked ahead, so that a worker that hangs holds no other up
  fcntl(in[1], F_SETPIPE_SZ, room);
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

/// A failure to write shows when the answer is read.
void Worker::send(const Request& request) const {
  const std::string text = request.text();
  const auto length = static_cast<std::uint32_t>(text.size());
  if (write_all(to_, &length, sizeof length)) write_all(to_, text.data(), text.size());
}

void Worker::ask(Request request) {
  if (process_ <= 0) start();
  request.source = way_.with_fault(request.source);
  send(request);
  asked_.push_back(std::move(request));
}

bool Worker::read_all(void* to, std::size_t bytes, std::chrono::steady_clock::time_point until,
                      bool& timed_out) const {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd readable{from_, POLLIN, 0};
    int ready = poll(&readable, 1, static_cast<int>(left.count() > 0 ? left.count() : 0));
    if (ready < 0 && errno == EINTR) continue;
    timed_out = ready == 0;
    if (ready <= 0) return false;
    ssize_t done = ::read(from_, at, bytes);
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

Answer Worker::answer(std::chrono::seconds limit) {
  auto until = std::chrono::steady_clock::now() + limit;
  bool timed_out = false;
  AnswerHeader header;
  if (read_all(&header, sizeof header, until, timed_out)) {
    std::string text(header.length, '\0');
    if (header.length > 0 && read_all(text.data(), text.size(), until, timed_out)) {
      asked_.pop_front();
      return {static_cast<Answer::Kind>(text[0]), text.substr(1), header.build_seconds, header.run_seconds};
    }
  }
  return end_of_process(timed_out, limit);
}

/// What happened to the process; another one gets the requests after the one that was too much for it.
Answer Worker::end_of_process(bool timed_out, std::chrono::seconds limit) {
  Answer result;
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
  asked_.pop_front();
  if (!asked_.empty()) start();
  for (const Request& request : asked_)
    send(request);
  return result;
}

} // namespace differential
