#include "compiler/server/server.hpp"

#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/entry.hpp"
#include "compiler/server/process.hpp"
#include "compiler/server/rights.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include <dlfcn.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

using llvm::Expected;

struct Use {
  std::string file; ///< absolute path of the driver, because the application may change its working folder
  std::vector<std::byte> (*settings)();
  void (*report)(std::string_view message);
};
/// Null: the compiler works in this process. Never destroyed.
constinit std::atomic<const Use*> use = nullptr;
constinit std::atomic<bool> is_reported = false;

/// The idle servers. No lock guards them, so that a child of fork() finds no lock held.
constinit std::array<std::atomic<ServerProcess*>, 4> idle{};

/// Keeps an idle server for a later task. If the table is full, the server replaces another idle server, which is
/// ended.
void keep(std::unique_ptr<ServerProcess> server) {
  // The server's rights are unknown, so they cannot be compared with those of a later thread: the server is ended.
  if (server->rights().shown.empty()) return;
  for (auto& place : idle) {
    ServerProcess* none = nullptr;
    if (place.compare_exchange_strong(none, server.get())) {
      [[maybe_unused]] const ServerProcess* kept = server.release();
      return;
    }
  }
  // A server that suits one thread alone would otherwise keep its place after that thread has ended.
  static constinit std::atomic<unsigned> next = 0;
  server.reset(idle[next++ % idle.size()].exchange(server.release()));
}

bool request(const ServerProcess& server, Task task, std::span<const std::byte> contents) {
  return write_at(server.requests(), 0, contents) &&
         send_note(server.socket(), Note{static_cast<std::uint32_t>(task), contents.size()});
}

void report_once(const std::string& why) {
  if (!is_reported.exchange(true))
    use.load()->report(
        "HOSTCL_COMPILER=process: no process can be started for the compiler, which works in this one (" +
        why + ")");
}

/// Whether the reason means that the server was ended from outside, so that another server may do the task.
bool was_harmed(std::string_view reason) {
  return reason == servers_killed || reason == servers_closed;
}

/// The limits of one task: CPU time, and cancellation requests.
class TaskBounds {
public:
  TaskBounds(const ServerProcess& server, std::chrono::nanoseconds own_time)
      : server_(server), begin_(server.time()), own_time_(own_time) {}
  ~TaskBounds() { isolated_work()->served += now_; }
  TaskBounds(const TaskBounds&) = delete;

  static constexpr std::chrono::milliseconds period{20};

  /// Called once in each `period`. @returns why the task has to end; null if it may continue
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
  std::chrono::nanoseconds now_{0};
  std::chrono::nanoseconds standing_still_{0};
};

/// Ends a server that no longer answers. @returns why it does not answer, for messages
std::string lost(ServerProcess& server) {
  if (!server.is_own()) return servers_closed;
  const std::string ending = server.ending();
  return server.was_killed() ? servers_killed : "its process " + ending;
}

/// Why a request could not be sent to a server. When a server ends, its socket closes shortly before the pidfd tells of
/// the end, so this function waits 100 ms for the pidfd.
std::string unasked(ServerProcess& server) {
  constexpr int moment_ms = 100;
  return !server.is_own() || server.has_ended(moment_ms) ? lost(server) : "its process cannot be asked";
}

/// Waits for the reply to a request, or for the end of the server. The socket alone does not tell that the server has
/// ended, because a child of fork() may hold a copy of the server's end of the socket; so the pidfd is polled as well.
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
/// (Rights::shown). This function compares what Linux does not show. The Landlock domains are the same if the thread
/// and the server may inspect each other. Seccomp filters are comparable only if the whole process has them. For the
/// thread that started the server one direction is enough, because since then that thread can only have entered further
/// domains.
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

/// Takes an idle server of this process that has the rights which the calling thread has now. Ends idle servers that
/// have ended, belong to the parent of a fork(), or have other visible rights (Rights::shown). A server for which
/// suits() is false stays idle if another thread started it, and is ended otherwise.
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

StepRecord step_of(const ServerProcess& server) {
  StepRecord step;
  if (const auto bytes = read_at(server.replies(), 0, sizeof step))
    std::memcpy(&step, bytes->data(), sizeof step);
  step.name.back() = '\0';
  return step;
}

/// Has the server do a task. Keeps the server for later tasks unless the compiler gave up or the server was lost.
/// @param step receives the compiler's last step if the server sent no reply
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

/// Whether RLIMIT_FSIZE is below 1 GiB. The limit also holds for the memfd files in which requests and replies are
/// passed.
bool are_files_limited() {
  constexpr rlim_t plenty = 1u << 30;
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < plenty;
}

/// Starts a server and sends the settings of the compiler to it. @returns null if that fails, and the reason in `why`
std::unique_ptr<ServerProcess> started(const Use& with, std::string& why) {
  if (with.file.empty()) {
    why = "this program contains the driver, which no file has";
    return nullptr;
  }
  auto server = ServerProcess::start(with.file, most_memory(), why);
  if (!server) return nullptr;
  if (request(*server, Task::settings, with.settings())) {
    auto note = await_reply(*server, {});
    if (note && static_cast<Done>(note->kind) == Done::well) return server;
    why = note ? over_memory : llvm::toString(note.takeError());
    return nullptr;
  }
  why = unasked(*server);
  return nullptr;
}

} // namespace

void use_servers(std::vector<std::byte> (*settings)(), void (*report)(std::string_view message)) {
  Dl_info info{};
  std::string file;
  if (hcl_serve && dladdr(reinterpret_cast<void*>(&hcl_serve), &info) != 0) {
    char* path = realpath(info.dli_fname, nullptr);
    file = path ? path : info.dli_fname;
    std::free(path);
  }
  note_common_filters();
  use = new Use{std::move(file), settings, report};
}

bool uses_servers() {
  return use.load(std::memory_order_relaxed) != nullptr;
}

std::optional<Expected<std::vector<std::byte>>> ask(Task task, std::span<const std::byte> request,
                                                    std::chrono::nanoseconds own_time, StepRecord* step) {
  const Use* with = use.load();
  if (!with) return std::nullopt;
  StepRecord unused;
  StepRecord& how_far = step ? *step : unused;
  for (bool is_last_try = false;;) {
    std::unique_ptr<ServerProcess> server;
    bool is_new = false;
    std::string why;
    if (are_files_limited()) {
      why = "its files may not be as large as they need to be";
    } else {
      server = take_idle();
      is_new = !server;
      if (is_new) server = started(*with, why);
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
