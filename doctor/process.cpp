#include "doctor/process.hpp"

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/machine_code.hpp"
#include "runtime/threads/process_limits.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hostcl::doctor {

namespace {

/// The value of a line "key:	value" of /proc/self/status.
std::string status_line(llvm::StringRef key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (auto [name, value] = llvm::StringRef(line).split(':'); name == key) return value.trim().str();
  return {};
}

bool has_filter() {
  return status_line("Seccomp") == "2";
}

void report_cpu(Report& report) {
  // The driver asks LLVM in the same way (compiler/code/host_cpu.cpp).
  const std::string name = llvm::sys::getHostCPUName().str();
  const llvm::StringMap<bool> has = llvm::sys::getHostCPUFeatures();
  std::string found;
  for (const char* feature :
       {"sse4.2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512vl", "avx512bw", "avx512dq", "neon", "sve"})
    if (has.lookup(feature)) found += (found.empty() ? "" : " ") + std::string(feature);
  report.well("cpu",
              "CPU " + name + " with " + (found.empty() ? "no vector instructions beyond its base" : found),
              llvm::json::Object{{"name", name}, {"features", found}});
}

std::optional<std::uint64_t> limit_of(int resource) {
  rlimit limit;
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return {};
  return limit.rlim_cur;
}

std::string amount(std::optional<std::uint64_t> bytes) {
  return bytes ? std::to_string(*bytes >> 20) + " MB" : "unlimited";
}

/// The limits that control groups set for the number of tasks.
std::string task_bounds() {
  std::string text;
  runtime::for_each_control_group("pids", [&](const std::string& group) {
    if (const auto most = runtime::to_number(runtime::read_line(group + "/pids.max")))
      text += "; " + group + " allows " + std::to_string(*most) + " tasks and has " +
              runtime::read_line(group + "/pids.current");
  });
  return text;
}

/// Possible reasons why a thread or process cannot be started.
std::string why_not_started(int error) {
  std::string text = std::strerror(error);
  if (error == EAGAIN || error == ENOMEM) { // a limit, not a filter
    if (const auto most = limit_of(RLIMIT_NPROC))
      text += "; RLIMIT_NPROC (ulimit -u) is " + std::to_string(*most) + " for user " +
              std::to_string(::getuid());
    if (const auto most = limit_of(RLIMIT_AS)) text += "; RLIMIT_AS (ulimit -v) is " + amount(most);
    text += task_bounds();
  }
  if (has_filter()) text += "; a seccomp filter is active";
  return text;
}

constexpr const char* start_remedy = "raise the limit that is named (ulimit -u, docker run --pids-limit), or "
                                     "allow clone() in the filter's profile";

/// Threads that wait until all of them have been started.
class WaitingThreads {
public:
  /// Starts `number` threads, until one cannot be started. @returns the error of that thread, or 0
  int start(unsigned number) {
    pthread_mutex_lock(&mutex_);
    int error = 0;
    for (threads_.resize(number); !error && started_ < number;)
      if (error = ::pthread_create(&threads_[started_], nullptr, wait, this); !error) ++started_;
    pthread_mutex_unlock(&mutex_);
    for (unsigned i = 0; i < started_; ++i)
      ::pthread_join(threads_[i], nullptr);
    return error;
  }
  unsigned started() const { return started_; }

private:
  static void* wait(void* self) {
    auto& threads = *static_cast<WaitingThreads*>(self);
    pthread_mutex_lock(&threads.mutex_);
    pthread_mutex_unlock(&threads.mutex_);
    return nullptr;
  }
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  std::vector<pthread_t> threads_;
  unsigned started_ = 0;
};

/// Starts a process that ends at once. @returns errno if fork() fails, or 0
int try_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child < 0) return errno;
  ::waitpid(child, nullptr, 0);
  return 0;
}

void report_threads(Report& report) {
  const std::vector<unsigned> processors = runtime::allowed_processors();
  const unsigned threads = runtime::usable_threads(processors);
  std::string bounds;
  runtime::for_each_control_group("cpu", [&](const std::string& group) {
    if (const std::string line = runtime::read_line(group + "/cpu.max");
        !line.empty() && !llvm::StringRef(line).starts_with("max"))
      bounds += "; " + group + "/cpu.max is " + line;
  });
  if (const char* set = ::secure_getenv("HOSTCL_THREADS"); set && *set)
    bounds += "; HOSTCL_THREADS=" + std::string(set);
  report.well("threads",
              "the driver uses " + std::to_string(threads) + " threads: the affinity mask has " +
                  std::to_string(processors.size()) + " of " +
                  std::to_string(::sysconf(_SC_NPROCESSORS_ONLN)) + " processors" + bounds,
              llvm::json::Object{{"threads", threads},
                                 {"processors", llvm::json::Array(llvm::map_range(
                                                    processors, [](unsigned number) { return number; }))}});
  const Answer answer = run_isolated([&](In) {
    WaitingThreads waiting;
    const int error = waiting.start(threads);
    return llvm::json::Object{{"started", waiting.started()}, {"error", error}};
  });
  const auto error = answer.object().getInteger("error");
  if (!error)
    report.problem("process.threads", "while threads were started, " + answer.failure, start_remedy);
  else if (*error)
    report.problem("process.threads",
                   "only " + std::to_string(number_in(answer.object(), "started")) + " of " +
                       std::to_string(threads) +
                       " threads can be started: " + why_not_started(static_cast<int>(*error)),
                   start_remedy);
  if (const int fork_error = try_fork())
    report.problem("process.fork",
                   "no process can be started, so hostcl-doctor makes its checks in its own process: " +
                       why_not_started(fork_error),
                   start_remedy);
}

void report_memory(Report& report) {
  constexpr std::uint64_t least = std::uint64_t{1} << 30;
  const std::uint64_t memory = runtime::usable_memory();
  const auto space = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
  report.well("memory",
              "the device reports " + amount(memory) + " of memory; address space (ulimit -v) " +
                  amount(space) + ", data (ulimit -d) " + amount(data) + ", stack (ulimit -s) " +
                  amount(limit_of(RLIMIT_STACK)),
              llvm::json::Object{{"bytes", memory}});
  for (const auto& [name, limit] :
       {std::pair("RLIMIT_AS (ulimit -v)", space), std::pair("RLIMIT_DATA (ulimit -d)", data)})
    if (limit && *limit < least)
      report.problem("process.memory",
                     std::string(name) + " is " + amount(limit) + ", which is little for the compiler",
                     "raise it to a gigabyte or more");
}

/// Makes a page executable as the compiler does, and calls the machine code in the page. @returns errno, or 0
int try_executable_memory() {
  const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* page = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return errno;
  const std::span code = function_of_42();
  std::memcpy(page, code.data(), code.size());
  if (::mprotect(page, size, PROT_READ | PROT_EXEC) != 0) return errno;
  __builtin___clear_cache(static_cast<char*>(page), static_cast<char*>(page) + code.size());
  return reinterpret_cast<int (*)()>(page)() == 42 ? 0 : EFAULT;
}

void report_executable_memory(Report& report) {
  const Answer answer =
      run_isolated([](In) { return llvm::json::Object{{"error", try_executable_memory()}}; });
  const auto error = answer.object().getInteger("error");
  if (error && *error == 0) {
    report.well("executable-memory", "memory can be made executable, as machine code of kernels needs");
    return;
  }
  report.problem(
      "process.no-executable-memory",
      "memory cannot be made executable, as machine code of kernels needs: " +
          (error ? std::string("mprotect: ") + std::strerror(static_cast<int>(*error)) : answer.failure) +
          (has_filter() ? "; a seccomp filter is active" : ""),
      "allow mprotect() with PROT_EXEC in the container's or service's profile (systemd: "
      "MemoryDenyWriteExecute=no)");
}

void report_file_systems(Report& report) {
  const bool has_sys = ::access("/sys/devices/system/cpu", R_OK) == 0;
  const bool has_proc = ::access("/proc/self/cgroup", R_OK) == 0;
  if (!has_sys)
    report.problem(
        "process.no-sys",
        "/sys is not there (a container without it?): limits of the control group and caches of the CPU "
        "are unknown",
        "mount it (mount -t sysfs sys /sys), or set HOSTCL_THREADS and HOSTCL_MEMORY to what the container "
        "may use");
  if (!has_proc)
    report.problem("process.no-proc", "/proc is not there: the process's control group is unknown",
                   "mount it (mount -t proc proc /proc), or set HOSTCL_THREADS and HOSTCL_MEMORY to what the "
                   "container may use");
  if (has_filter()) report.note("process.filter", "a seccomp filter is active, as in containers");
}

} // namespace

void check_process(Report& report) {
  report.begin_section("CPU, threads and memory");
  report_cpu(report);
  report_threads(report);
  report_memory(report);
  report_executable_memory(report);
  report_file_systems(report);
}

} // namespace hostcl::doctor
