#include "compiler/server/driver_process.hpp"

#include "compiler/cache/build_id.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/channel.hpp"
#include "compiler/server/entry.hpp"
#include "compiler/server/rights.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// glibc's clone() under a name that ThreadSanitizer does not intercept, if the application has ThreadSanitizer. The
/// intercepted clone() would treat the call as a fork() of a process with threads, and would run functions of
/// ThreadSanitizer in the new process.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept;

namespace hostcl::compiler {

/// Memory that the application, the holder and the new process share until the new process calls execve(). This file
/// calls the new process "server", also if it is a guest process.
struct DriverProcess::Start {
  static constexpr std::size_t stack_bytes = 64u << 10, bytes = 3 * stack_bytes;

  const char* const* arguments = nullptr;             ///< ends with a null pointer
  std::array<const FileDescriptor*, 3> descriptors{}; ///< for the server, besides stderr
  // Written by the holder, the server and Linux:
  pid_t server = 0; ///< the server's process id, written before the server runs
  int error = 0;    ///< errno of the system call that failed, if no server could be started
  int status = 0;   ///< the server's status as from wait(), once the holder has ended

  std::byte* stack(unsigned number) {
    return reinterpret_cast<std::byte*>(this) + (number + 1) * stack_bytes;
  }

  static int become_server(void* start);
  static int hold(void* start);
};

namespace {

/// Blocks all signals, including those that the C library uses itself.
class AllSignalsBlocked {
public:
  AllSignalsBlocked() {
    const std::uint64_t all = ~std::uint64_t{0};
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, sizeof all);
  }
  ~AllSignalsBlocked() { syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;

private:
  std::uint64_t before_ = 0;
};

/// The path of the dynamic loader of this process. The loader can run a file that has no permission to be executed.
const char* loader() {
  Dl_info info{};
  return dladdr(&_r_debug, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

/// Duplicates a descriptor with one of the numbers 0 to 2 to a higher number. The application may have closed its
/// standard input, output or error, and the server sets its own.
FileDescriptor beyond_standard(int number) {
  if (number < 0) return {}; // errno has the reason
  if (number > STDERR_FILENO) return FileDescriptor(number);
  const FileDescriptor low(number);
  return FileDescriptor(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

std::string described(const char* what, int error) {
  return std::string(what) + ": " +
         std::strerror(error); // NOLINT(concurrency-mt-unsafe): its text is constant
}

/// Sets a signal's default action by a system call. glibc's function takes a lock for SIGABRT (2.41), and a process
/// that shares the application's memory would leave the lock held if it ended in this function.
void reset_signal(int signal) {
  static constexpr std::array<std::uint64_t, 4> usual{}; // the kernel's structure: SIG_DFL, no flags, no mask
  constexpr std::size_t signal_set_bytes = 8;
  syscall(SYS_rt_sigaction, signal, usual.data(), nullptr, signal_set_bytes);
}

} // namespace

/// The server from its start to execve(). The server still shares the application's memory here. This function resets
/// signals to their defaults, and has execve() close all descriptors except the server's own. It makes system calls
/// only: if the application has a sanitiser, functions of the C library are the sanitiser's, and use data of a thread
/// that does not exist in this process. The server ends when the holder ends.
__attribute__((no_stack_protector)) int DriverProcess::Start::become_server(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  for (int signal = 1; signal < NSIG; ++signal)
    reset_signal(signal);
  syscall(SYS_setsid); // signals of the terminal, as SIGINT, go to the application only
  const auto nothing = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
  // Without PR_SET_NO_NEW_PRIVS, execve() would give a root process the capabilities back that it has dropped.
  bool is_ready = syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
                  syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && nothing >= 0 &&
                  syscall(SYS_dup3, nothing, STDIN_FILENO, 0) >= 0 &&
                  syscall(SYS_dup3, nothing, STDOUT_FILENO, 0) >= 0 &&
                  syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
  for (const FileDescriptor* descriptor : start.descriptors)
    is_ready = is_ready && syscall(SYS_fcntl, descriptor->get(), F_SETFD, 0) == 0;
  if (is_ready) {
    const std::uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
    syscall(SYS_execve, start.arguments[0], start.arguments, environ);
  }
  start.error = errno;
  return 1;
}

/// The holder. The thread that started it may end while it runs, so this function uses no memory but its stack and
/// `start`.
__attribute__((no_stack_protector)) int DriverProcess::Start::hold(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  reset_signal(SIGCHLD); // if SIGCHLD were ignored, wait4() could not return the server
  const pid_t server = __clone(become_server, start.stack(1),
                               CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD, &start, &start.server);
  if (server < 0) {
    start.error = errno;
    return 1;
  }
  if (syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE) != 0) {
    start.error = errno;
    syscall(SYS_kill, server, SIGKILL);
  }
  syscall(SYS_wait4, server, &start.status, 0, nullptr);
  return 0;
}

DriverProcess::DriverProcess() : owner_(getpid()) {}

bool DriverProcess::start(const Role& role, std::string& why) {
  if (!*role.files[0] || !*role.files[1]) {
    why = described("a file in memory", errno);
    return false;
  }
  if (driver_file().empty()) {
    why = "this program contains the driver, which no file has";
    return false;
  }
  if (!starts_processes_here()) { // numbers of processes would mean others here
    why = "its process would be in another PID namespace";
    return false;
  }
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    why = described("socketpair()", errno);
    return false;
  }
  socket_ = beyond_standard(ends[0]);
  const FileDescriptor other = beyond_standard(ends[1]);
  if (!socket_ || !other) {
    why = described("fcntl()", errno);
    return false;
  }
  if (launch(other, role, why)) return true;
  if (!is_own() || role.files[0]->get() < 0 || role.files[1]->get() < 0) why = servers_closed;
  return false;
}

bool DriverProcess::launch(const FileDescriptor& socket, const Role& role, std::string& why) {
  void* memory = mmap(nullptr, Start::bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    why = described("mmap()", errno);
    return false;
  }
  start_ = new (memory) Start;
  start_->descriptors = {&socket, role.files[0], role.files[1]};
  std::vector<std::string> numbers = {std::to_string(socket.get()), std::to_string(role.files[0]->get()),
                                      std::to_string(role.files[1]->get()), std::to_string(owner_)};
  for (const std::uint64_t number : role.numbers)
    numbers.push_back(std::to_string(number));
  std::vector<const char*> arguments = {loader(), driver_file().c_str(), role.name};
  for (const std::string& number : numbers)
    arguments.push_back(number.c_str());
  arguments.push_back(nullptr);
  start_->arguments = arguments.data();
  int holder_handle = -1;
  {
    const AllSignalsBlocked blocked;
    holder_ =
        __clone(Start::hold, start_->stack(0), CLONE_VM | CLONE_FILES | CLONE_PIDFD, start_, &holder_handle);
  }
  if (holder_ < 0) {
    why = described("clone()", errno);
    return false;
  }
  const FileDescriptor holder(holder_handle);
  return await_greeting(holder.get(), why);
}

/// Waits for the server's Greeting, or for the holder's end.
bool DriverProcess::await_greeting(int holder_handle, std::string& why) {
  constexpr int patience_ms = 60'000;
  std::array<pollfd, 2> events = {{{socket(), POLLIN, 0}, {holder_handle, POLLIN, 0}}};
  int ready;
  do
    ready = poll(events.data(), events.size(), patience_ms);
  while (ready < 0 && errno == EINTR);
  Greeting greeting;
  if (ready > 0 && (events[0].revents & POLLIN) != 0 && receive_note(socket(), greeting)) {
    process_ = start_->server;
    const int handle = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
    const bool is_gone = handle < 0 && errno == ESRCH;
    handle_ = FileDescriptor(handle);
    std::array<char, 64> build{};
    std::ranges::copy(build_id().substr(0, build.size()), build.begin());
    if (greeting.build == build && handle_) return true;
    if (is_gone) {
      why = "it " + ending();
      if (was_killed()) why = servers_killed;
      return false;
    }
    why =
        handle_ ? "the driver's file is another one than this process has loaded" : "pidfd_open() is refused";
  } else if (ready == 0) {
    why = "it did not begin in a minute";
  } else if (start_->error != 0) {
    why = described(start_->server > 0 ? "execve()" : "clone()", start_->error);
  } else {
    why = "it " + ending();
    if (was_killed()) why = servers_killed;
  }
  return false;
}

DriverProcess::~DriverProcess() {
  if (owner_ == getpid()) end();
  if (start_) munmap(start_, Start::bytes);
}

bool DriverProcess::is_own() const {
  return owner_ == getpid() && socket() >= 0 && (!handle_ || handle() >= 0);
}

bool DriverProcess::has_ended(int within_ms) const {
  pollfd event{handle(), POLLIN, 0};
  int ready;
  do
    ready = poll(&event, 1, within_ms);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

void DriverProcess::end() noexcept {
  if (holder_ < 0) return;
  // Closing the connection ends a server that this thread may not signal, because its user id has changed or for a
  // Landlock rule.
  if (const int connected = socket(); connected >= 0) shutdown(connected, SHUT_RDWR);
  // If the application has closed the pidfd, the process id still denotes the server as long as the holder lives,
  // because the holder waits for the server.
  int status = 0;
  pid_t waited = 0;
  if (syscall(SYS_pidfd_send_signal, handle(), SIGKILL, nullptr, 0) != 0 && errno != ESRCH) {
    waited = waitpid(holder_, &status, WNOHANG | __WCLONE);
    if (waited == 0) kill(start_->server > 0 ? start_->server : holder_, SIGKILL);
  }
  while (waited == 0 || (waited < 0 && errno == EINTR))
    waited = waitpid(holder_, &status, __WCLONE);
  holder_ = -1;
  if (WIFSIGNALED(status)) lose_holder(status);
}

/// A holder that was killed from outside has not waited for the server, which Linux ends with the holder. The server
/// has become a child of init; or of the application, if the application is a subreaper.
void DriverProcess::lose_holder(int status) noexcept {
  start_->status = status;
  const bool has_begun = static_cast<bool>(handle_);
  const pid_t server = start_->server;
  if (!has_begun && server <= 0) return;
  if (!has_begun) kill(server, SIGKILL); // it may not have called PR_SET_PDEATHSIG yet
  siginfo_t unused;
  while (waitid(has_begun ? P_PIDFD : P_PID, static_cast<id_t>(has_begun ? handle() : server), &unused,
                WEXITED) < 0 &&
         errno == EINTR)
    ;
}

bool DriverProcess::was_killed() const {
  return start_ && WIFSIGNALED(start_->status) && WTERMSIG(start_->status) == SIGKILL;
}

std::string DriverProcess::ending() {
  end();
  const int status = start_ ? start_->status : 0;
  if (!WIFSIGNALED(status)) return "ended with status " + std::to_string(WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return "was ended by signal " + std::to_string(WTERMSIG(status)) +
         (name ? " (SIG" + std::string(name) + ")" : "");
}

std::chrono::nanoseconds DriverProcess::time() const {
  clockid_t clock;
  timespec now{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &now) != 0) return {};
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

FileDescriptor file_in_memory(unsigned flags) {
  return beyond_standard(memfd_create("hostcl", MFD_CLOEXEC | flags));
}

const std::string& driver_file() {
  static const std::string& file = *new std::string([]() -> std::string {
    Dl_info info{};
    if (!hcl_serve || dladdr(reinterpret_cast<void*>(&hcl_serve), &info) == 0) return {};
    const std::unique_ptr<char, decltype(&std::free)> path(realpath(info.dli_fname, nullptr), std::free);
    return path ? path.get() : info.dli_fname;
  }());
  return file;
}

} // namespace hostcl::compiler
