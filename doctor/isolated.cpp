#include "doctor/isolated.hpp"

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hostcl::doctor {

namespace {

using Clock = std::chrono::steady_clock;

/// A pipe. Each end can be closed when it is not needed any more.
class Pipe {
public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  explicit operator bool() const { return ends_[0] >= 0; }
  int from() const { return ends_[0]; }
  int to() const { return ends_[1]; }
  void close_to() { close(1); }

private:
  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  std::array<int, 2> ends_{};
};

void write_all(int to, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes = bytes.drop_front(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void run_child(llvm::function_ref<llvm::json::Value(In)> function, const Pipe& result,
                            const Pipe& output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none); // a crash is an expected result, so it need not leave a core file
  ::dup2(output.to(), STDOUT_FILENO);
  ::dup2(output.to(), STDERR_FILENO);
  std::string text;
  llvm::raw_string_ostream(text) << function(In::child);
  write_all(result.to(), text);
  ::_exit(0);
}

/// Collects what arrives in two pipes, while the child runs and after it has ended.
class Reader {
public:
  Reader(const Pipe& first, const Pipe& second)
      : files_{{{first.from(), POLLIN, 0}, {second.from(), POLLIN, 0}}} {
    for (const pollfd& file : files_)
      ::fcntl(file.fd, F_SETFL, O_NONBLOCK);
  }
  void wait() {
    ::poll(files_.data(), files_.size(), /*milliseconds=*/20);
    read();
  }
  /// Reads what is in the pipes. Does not wait for more, because a process that the child has started may keep the
  /// pipes open.
  void read() {
    constexpr std::size_t most = std::size_t{4} << 20;
    std::array<char, 1 << 14> buffer;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      ssize_t count = 0;
      for (int times = 0; times < 64 && files_[i].fd >= 0; ++times) {
        count = ::read(files_[i].fd, buffer.data(), buffer.size());
        if (count <= 0) break;
        if (texts_[i].size() < most) texts_[i].append(buffer.data(), static_cast<std::size_t>(count));
      }
      if (count == 0) files_[i].fd = -1; // poll() ignores it
    }
  }
  const std::string& text(std::size_t which) const { return texts_[which]; }

private:
  std::array<pollfd, 2> files_;
  std::array<std::string, 2> texts_;
};

std::string why_ended(int status) {
  if (WIFSIGNALED(status))
    return "it was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           ::strsignal(WTERMSIG(status)) + ")";
  return "it ended the process with status " + std::to_string(WEXITSTATUS(status));
}

Answer answer_of_child(pid_t child, const Pipe& result, const Pipe& output, unsigned seconds) {
  Reader reader(result, output);
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  bool is_late = false;
  auto has_ended = [&] {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  };
  while (!has_ended()) {
    reader.wait();
    if (!is_late && Clock::now() > deadline) {
      is_late = true;
      ::kill(child, SIGKILL);
    }
  }
  ::kill(-child, SIGKILL); // the child's process group; Linux does not reuse the id before waitpid()
  int status = 0;
  ::waitpid(child, &status, 0);
  reader.read();
  Answer answer{.output = reader.text(1)};
  if (auto value = llvm::json::parse(reader.text(0)))
    answer.value = std::move(*value);
  else {
    llvm::consumeError(value.takeError());
    answer.failure =
        is_late ? "it did not end within " + std::to_string(seconds) + " seconds" : why_ended(status);
  }
  return answer;
}

} // namespace

const llvm::json::Object& Answer::object() const {
  static const llvm::json::Object none;
  const llvm::json::Object* object = value.getAsObject();
  return object ? *object : none;
}

Answer run_isolated(llvm::function_ref<llvm::json::Value(In)> function, unsigned seconds) {
  Pipe result, output;
  const pid_t child = result && output ? ::fork() : -1;
  if (child == 0) run_child(function, result, output);
  if (child < 0) return {.value = function(In::this_process)};
  result.close_to();
  output.close_to();
  return answer_of_child(child, result, output, seconds);
}

} // namespace hostcl::doctor
