#include "compiler/server/server.hpp"

#include "compiler/compiler.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/driver_process.hpp"
#include "compiler/server/rights.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

using llvm::Expected;

/// The process of a compile server, as the application sees it.
class ServerProcess : public DriverProcess {
public:
  /// Starts a server and waits until it accepts requests. Must be called by isolated work.
  /// @param memory_bytes limit of the memory that the server may use beyond what it uses at its start
  /// @param why receives the reason if no server can be started
  /// @returns null if no server can be started
  static std::unique_ptr<ServerProcess> start(std::uint64_t memory_bytes, std::string& why);

  /// DriverProcess::is_own() for this server's files as well.
  bool is_own() const { return DriverProcess::is_own() && requests() >= 0 && replies() >= 0; }
  int requests() const { return requests_.get(); }
  int replies() const { return replies_.get(); }

  /// present_rights() of the thread that started the server, at that time.
  const Rights& rights() const { return rights_; }
  /// IsolatedWork::caller of the thread that started the server.
  std::uint64_t starter() const { return starter_; }

private:
  ServerProcess();

  const Rights rights_;
  const std::uint64_t starter_;
  const FileDescriptor requests_, replies_;
};

ServerProcess::ServerProcess()
    : rights_(present_rights()),
      starter_(isolated_work()->caller),
      requests_(file_in_memory()),
      replies_(file_in_memory()) {}

std::unique_ptr<ServerProcess> ServerProcess::start(std::uint64_t memory_bytes, std::string& why) {
  std::unique_ptr<ServerProcess> server(new ServerProcess);
  const Role role{"compile", {&server->requests_, &server->replies_}, {memory_bytes}};
  if (!server->DriverProcess::start(role, why)) server.reset();
  return server;
}

/// The arguments of use_compiler_processes(). `report` is null before that function is called; until then, this process
/// runs the compiler itself.
constinit std::atomic<void (*)(std::string_view message)> report = nullptr;
constinit std::atomic<bool> is_always = false; ///< CompilerProcesses::always
/// Whether `report` has been called.
constinit std::atomic<bool> is_reported = false;

/// Servers without a task. The places are atomic, and no lock guards them: in a child of fork(), a lock would stay held
/// for ever if another thread held it during the fork().
constinit std::array<std::atomic<ServerProcess*>, 4> idle{};

/// Keeps an idle server for a later task. If all places are taken, the server replaces another idle server, which is
/// ended.
void keep(std::unique_ptr<ServerProcess> server) {
  // The rights are unknown, so no later thread could compare its rights with them: the server is ended.
  if (server->rights().shown.empty()) return;
  for (auto& place : idle) {
    ServerProcess* none = nullptr;
    if (place.compare_exchange_strong(none, server.get())) {
      [[maybe_unused]] const ServerProcess* kept = server.release();
      return;
    }
  }
  // The places are replaced in turn. Otherwise, a server that only one thread may use would keep its place after that
  // thread has ended.
  static constinit std::atomic<unsigned> next = 0;
  server.reset(idle[next++ % idle.size()].exchange(server.release()));
}

/// Sends a request to a server. @returns whether it was sent
bool request(const ServerProcess& server, Task task, std::span<const std::byte> contents) {
  return write_at(server.requests(), 0, contents) &&
         send_note(server.socket(), Note{static_cast<std::uint32_t>(task), contents.size()});
}

/// Reports, for the first failure only, that no server can be started.
void report_once(const std::string& why) {
  if (!is_reported.exchange(true))
    report.load()("no process can be started for the compiler, which works in this one (" + why + ")");
}

/// Whether a task failed because its server was ended from outside. Another server may then do the task.
bool was_harmed(std::string_view reason) {
  return reason == servers_killed || reason == servers_closed;
}

/// The limits of one task of a server, checked by the thread that waits for the reply. When the object is destroyed,
/// the server's CPU time is added to that of the isolated work (IsolatedWork::served).
class TaskBounds {
public:
  TaskBounds(const ServerProcess& server, std::chrono::nanoseconds own_time)
      : server_(server), begin_(server.time()), own_time_(own_time) {}
  ~TaskBounds() { isolated_work()->served += now_; }
  TaskBounds(const TaskBounds&) = delete;

  static constexpr std::chrono::milliseconds period{20};

  /// Must be called once in each period. @returns why the task has to end, or null
  const char* excess() {
    const auto now = server_.time() - begin_;
    if (now == now_ && !has_runnable_thread(server_.process())) standing_still_ += period;
    now_ = std::max(now, now_);
    if (std::max(isolated_work()->served + now_, standing_still_) >= most_time()) return over_time;
    if (own_time_.count() != 0 && now_ >= own_time_) return over_own_time;
    return cancellation_reason();
  }

private:
  const ServerProcess& server_;
  const std::chrono::nanoseconds begin_, own_time_;
  std::chrono::nanoseconds now_{0}; ///< CPU time of the server since the task began
  /// Sum of the periods in which the server used no CPU time and had no thread that waited for a CPU.
  std::chrono::nanoseconds standing_still_{0};
};

/// Ends a server that no longer answers. @returns why it does not answer, for messages
std::string lost(ServerProcess& server) {
  if (!server.is_own()) return servers_closed;
  const std::string ending = server.ending();
  return server.was_killed() ? servers_killed : "its process " + ending;
}

/// Why a request could not be sent to a server. When a server ends, its socket closes shortly before its pidfd tells of
/// the end, so the function waits up to 100 ms for the pidfd.
std::string unasked(ServerProcess& server) {
  constexpr int moment_ms = 100;
  return !server.is_own() || server.has_ended(moment_ms) ? lost(server) : "its process cannot be asked";
}

/// Waits for the reply to a request, or for the end of the server. The socket alone does not tell of the server's end,
/// because a child of fork() may have a copy of the server's end of the socket; so the server's pidfd is polled, too.
/// @returns the reply's Note (channel.hpp), or a GaveUp with the reason why there is no reply
Expected<Note> await_reply(ServerProcess& server, std::chrono::nanoseconds own_time) {
  const WaitingElsewhere waiting;
  TaskBounds bounds(server, own_time);
  for (;;) {
    std::array<pollfd, 2> events = {{{server.socket(), POLLIN, 0}, {server.handle(), POLLIN, 0}}};
    const int ready = poll(events.data(), events.size(), static_cast<int>(TaskBounds::period.count()));
    if (ready > 0) {
      Note note;
      if ((events[0].revents & POLLIN) != 0 && receive_note(server.socket(), note)) return note;
      return llvm::make_error<GaveUp>(lost(server));
    }
    if (!server.is_own()) return llvm::make_error<GaveUp>(servers_closed);
    if (const char* reason = bounds.excess()) return llvm::make_error<GaveUp>(reason);
  }
}

/// Whether the server may do tasks of the calling thread. The caller has already compared the rights that Linux shows
/// (Rights::shown). This function compares the rest: seccomp filters are comparable only if the whole process has them,
/// and Landlock domains are the same if the thread and the server may inspect each other (may_inspect()). For the
/// thread that started the server, it is enough that the thread may inspect the server, because since then that thread
/// can only have entered further domains.
bool suits(ServerProcess& server) {
  if (!may_inspect(server.process())) return false;
  if (server.starter() == isolated_work()->caller) return true;
  const auto thread = static_cast<std::uint64_t>(gettid());
  if (!server.rights().has_common_filters ||
      !send_note(server.socket(), Note{static_cast<std::uint32_t>(Task::inspect), thread}))
    return false;
  auto note = await_reply(server, {});
  if (note) return static_cast<Done>(note->kind) == Done::well;
  llvm::consumeError(note.takeError());
  server.end();
  return false;
}

/// Takes an idle server that has the rights which the calling thread has now; null if there is none. Ends idle servers
/// that can no longer be used: servers that have ended or belong to the parent of a fork(), servers with other visible
/// rights (Rights::shown), and servers that this thread started and that no longer suit it. A server of another thread
/// that does not suit this one stays idle.
std::unique_ptr<ServerProcess> take_idle() {
  Rights rights;
  for (auto& place : idle) {
    std::unique_ptr<ServerProcess> server{place.exchange(nullptr)};
    if (!server || !server->is_own() || server->has_ended()) continue;
    if (rights.shown.empty()) rights = present_rights();
    if (server->rights().shown != rights.shown) continue;
    if (suits(*server)) return server;
    if (server->starter() != isolated_work()->caller) keep(std::move(server));
  }
  return nullptr;
}

/// How far the server has come, as it wrote to the file of replies; an empty record if that file cannot be read.
StepRecord step_of(const ServerProcess& server) {
  StepRecord step;
  if (const auto bytes = read_at(server.replies(), 0, sizeof step))
    std::memcpy(&step, bytes->data(), sizeof step);
  step.name.back() = '\0';
  return step;
}

/// Has the server do a task. The server is kept for later tasks unless the compiler gave up or the server was lost.
/// @param step receives the server's StepRecord if the server sent no reply
Expected<std::vector<std::byte>> done_by(std::unique_ptr<ServerProcess> server, Task task,
                                         std::span<const std::byte> contents,
                                         std::chrono::nanoseconds own_time, StepRecord& step) {
  const StepRecord none;
  if (!write_at(server->replies(), 0, std::as_bytes(std::span(&none, 1))) ||
      !request(*server, task, contents))
    return llvm::make_error<GaveUp>(unasked(*server));
  auto note = await_reply(*server, own_time);
  if (!note) {
    server->end();
    step = step_of(*server);
    return note.takeError();
  }
  const auto done = static_cast<Done>(note->kind);
  if (done == Done::lacking_memory) return llvm::make_error<GaveUp>(over_memory);
  auto reply = read_at(server->replies(), sizeof(StepRecord), note->bytes);
  if (!reply) return llvm::make_error<GaveUp>("its process has written no reply");
  if (done == Done::well && ftruncate(server->replies(), 0) == 0 && ftruncate(server->requests(), 0) == 0)
    keep(std::move(server));
  return std::move(*reply);
}

/// Whether RLIMIT_FSIZE is below 1 GiB. This limit also holds for files in memory (memfd_create()), in which requests
/// and replies are passed.
bool are_files_limited() {
  constexpr rlim_t plenty = 1u << 30;
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < plenty;
}

} // namespace

void use_compiler_processes(CompilerProcesses when, void (*with)(std::string_view message)) {
  driver_file();
  note_common_filters();
  is_always = when == CompilerProcesses::always;
  report = with;
}

std::string working_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

bool uses_servers() {
  return report.load() && (is_always || what_was_given_up() != GivenUp::nothing);
}

std::optional<Expected<std::vector<std::byte>>> ask(Task task, std::span<const std::byte> request,
                                                    std::chrono::nanoseconds own_time, StepRecord& how_far) {
  if (!uses_servers()) return std::nullopt;
  for (bool is_last_try = false;;) {
    std::unique_ptr<ServerProcess> server;
    bool is_new = false;
    std::string why;
    if (are_files_limited()) {
      why = "its files may not be as large as they need to be";
    } else {
      server = take_idle();
      is_new = !server;
      if (is_new) server = ServerProcess::start(most_memory(), why);
    }
    if (!server && !was_harmed(why)) {
      report_once(why);
      return std::nullopt;
    }
    how_far = {};
    auto reply = server ? done_by(std::move(server), task, request, own_time, how_far)
                        : Expected<std::vector<std::byte>>(llvm::make_error<GaveUp>(why));
    if (reply || cancellation_reason()) return reply;
    llvm::Error error = reply.takeError();
    const bool had_no_task = !is_new && how_far.is_taken == 0;
    if (!had_no_task && (is_last_try || !was_harmed(reason_of(error)))) return error;
    is_last_try = is_last_try || !had_no_task;
    llvm::consumeError(std::move(error));
  }
}

} // namespace hostcl::compiler
