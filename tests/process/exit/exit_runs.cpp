#include "process/exit/exit_ways.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds allowed(HOSTCL_ALLOWED_EXIT_MS), patience(20'000);

/// Both ends of a pipe, which close when it goes.
struct Pipe {
  Pipe() { ends[0] = pipe2(ends, O_CLOEXEC) == 0 ? ends[0] : -1; }
  Pipe(const Pipe&) = delete;
  ~Pipe() {
    close_writer();
    ::close(ends[0]);
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  /// What is in the pipe by now.
  std::string text() {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string all;
    char part[4096];
    for (ssize_t bytes; (bytes = ::read(ends[0], part, sizeof part)) > 0;)
      all.append(part, static_cast<size_t>(bytes));
    return all;
  }
  int ends[2];
};

/// How a process ended.
struct Ending {
  std::optional<int> status; ///< none if it hung
  milliseconds time{};       ///< since it called leave()
  std::string output;
};

/// In the child: becomes the program anew.
/// @param cache the folder for cached programs, or null
[[noreturn]] void become(const Way& way, unsigned number, const char* cache, Pipe& report, Pipe& output) {
  setenv("HOSTCL_CODE", way.code, 1);
  if (cache) {
    setenv("HOSTCL_CACHE", "1", 1);
    setenv("HOSTCL_CACHE_DIR", cache, 1);
  }
  dup2(output.ends[1], STDOUT_FILENO);
  fcntl(report.ends[1], F_SETFD, 0);
  const std::string run = std::to_string(number), to = std::to_string(report.ends[1]);
  execl("/proc/self/exe", "test_exit", way.name, run.c_str(), to.c_str(), nullptr);
  _exit(127);
}

std::optional<int> wait_for(pid_t process) {
  const auto end = Clock::now() + patience;
  for (int status = 0; Clock::now() < end; std::this_thread::sleep_for(std::chrono::microseconds(200)))
    if (waitpid(process, &status, WNOHANG) == process) return status;
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  return std::nullopt;
}

Ending run_once(const Way& way, unsigned number, const char* cache) {
  Pipe report, output;
  const pid_t process = fork();
  if (process == 0) become(way, number, cache, report, output);
  report.close_writer();
  output.close_writer();
  Ending ending{wait_for(process), {}, output.text()};
  const auto now = Clock::now();
  const std::string left = report.text();
  if (left.size() == sizeof(Clock::rep)) {
    Clock::rep since;
    std::copy(left.begin(), left.end(), reinterpret_cast<char*>(&since));
    ending.time = std::chrono::duration_cast<milliseconds>(now.time_since_epoch() - Clock::duration(since));
  }
  return ending;
}

std::string problem_of(const Way& way, const Ending& ending) {
  if (!ending.status) return "it hung";
  if (WIFSIGNALED(*ending.status) && WTERMSIG(*ending.status) != way.signal)
    return "signal " + std::to_string(WTERMSIG(*ending.status));
  if (WIFEXITED(*ending.status) && WEXITSTATUS(*ending.status) != 0)
    return "status " + std::to_string(WEXITSTATUS(*ending.status));
  if (ending.time > allowed) return "it took " + std::to_string(ending.time.count()) + " ms";
  if (ending.output != way.output) return "it wrote '" + ending.output + "'";
  return {};
}

/// A folder for cached programs, while it lives.
class CacheFolder {
public:
  CacheFolder() {
    char name[] = "/tmp/hostcl_test_exit_XXXXXX";
    if (!mkdtemp(name)) std::abort();
    path_ = name;
  }
  CacheFolder(const CacheFolder&) = delete;
  ~CacheFolder() { std::filesystem::remove_all(path_); }
  const char* name() const { return path_.c_str(); }

  /// Files that were not written to their end.
  long half_written() const {
    auto is_half = [](const auto& entry) { return entry.path().string().find(".tmp.") != std::string::npos; };
    return std::ranges::count_if(std::filesystem::recursive_directory_iterator(path_), is_half);
  }

private:
  std::filesystem::path path_;
};

/// Runs one way several times. @returns the files in the cache that are only half written; none if a run failed
std::optional<long> half_written_by(const Way& way, unsigned count) {
  std::optional<CacheFolder> cache;
  if (way.caches) cache.emplace();
  unsigned clean = 0;
  milliseconds longest{};
  for (unsigned number = 0; number < count; ++number) {
    const Ending ending = run_once(way, number, cache ? cache->name() : nullptr);
    const std::string problem = problem_of(way, ending);
    if (problem.empty())
      ++clean;
    else
      std::fprintf(stderr, "%s, run %u: %s\n", way.name, number, problem.c_str());
    longest = std::max(longest, ending.time);
  }
  std::printf("%-24s %5u of %5u clean, longest %5ld ms\n", way.name, clean, count,
              static_cast<long>(longest.count()));
  std::fflush(stdout);
  if (clean < count) return std::nullopt;
  return cache ? cache->half_written() : 0;
}

} // namespace

bool repeat(const Way& way, unsigned count) {
  // exit() waits a fifth of a second for files that are being written. On a busy machine this may be too short, but not in
  // every attempt.
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::optional<long> half_written = half_written_by(way, count);
    if (!half_written) return false;
    if (*half_written == 0) return true;
    std::fprintf(stderr, "%ld half-written files in the cache\n", *half_written);
  }
  return false;
}

} // namespace test
