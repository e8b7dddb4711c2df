#include "compiler/jobs/serve_jobs.hpp"

#include "compiler/jobs/job.hpp"
#include "compiler/jobs/workbench.hpp"
#include "compiler/server/connection.hpp"
#include "compiler/server/rights.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::compiler {

Workbench::Compiled Workbench::take(const Module& program) {
  const bool is_last = last_.object && std::ranges::equal(last_.object->bitcode(), program.bitcode());
  return is_last ? std::exchange(last_, {}) : Compiled();
}

KernelWorker& Workbench::worker_of(const KernelId& kernel) {
  constexpr std::size_t most = 16;
  const auto found =
      std::ranges::find(workers_, kernel, [](const auto& worker) -> auto& { return worker->kernel(); });
  if (found != workers_.end()) return **found;
  if (workers_.size() == most) workers_.pop_front();
  return *workers_.emplace_back(std::make_unique<KernelWorker>(kernel));
}

namespace {

using Bytes = std::vector<std::byte>;

constinit Connection connection;

/// Limits the writable memory of the process, in addition to the memory in use and 128 MiB for the compiler's stack.
/// @returns whether this limit is in force; false if the application's own limit is smaller
bool bound_memory() {
  constexpr std::uint64_t own_bytes = 128u << 20;
  const std::uint64_t begin = writable_bytes() + own_bytes;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  if (connection.numbers[0] > std::numeric_limits<rlim_t>::max() - begin) return false;
  const rlim_t bytes = begin + connection.numbers[0];
  if (limit.rlim_cur <= bytes) return false;
  limit.rlim_cur = bytes;
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

void* watch(void*) {
  await_end(connection);
}

/// Sets the name of the process. Disables core dumps, and the signal for writes beyond RLIMIT_FSIZE.
void prepare_process() {
  prctl(PR_SET_NAME, "hostcl-compiler");
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool start_watching() {
  pthread_t thread;
  return pthread_create(&thread, nullptr, watch, nullptr) == 0 && pthread_detach(thread) == 0;
}

/// Records which step has begun, for the application (channel.hpp).
void note_step(const StepRecord& step) {
  write_at(connection.files[1], 0, std::as_bytes(std::span(&step, 1)));
}

/// The last step that the compiling thread has begun. A server does one job at a time.
constinit StepRecord last_step{};

void note_trial(const Trial& trial) {
  last_step = {};
  std::strncpy(last_step.name.data(), trial.step, last_step.name.size() - 1);
  last_step.width = trial.width;
  last_step.prepares = trial.variant ? 0 : 1;
  last_step.is_taken = 1;
  note_step(last_step);
}

llvm::Expected<KernelProperties> run(const PropertiesRequest& request, Workbench& bench) {
  const Trying trying(std::nullopt, request.level);
  return bench.worker_of(request.kernel).run(request);
}

llvm::Expected<KernelObject> run(const ObjectRequest& request, Workbench& bench) {
  const Trying trying(request.variant, request.level, request.width);
  return bench.worker_of(request.kernel).run(request);
}

template <class Request>
Bytes served(std::span<const std::byte> message, Workbench& bench) {
  std::string folder;
  Request request;
  if (!unpack(message, folder, request)) return {};
  if (chdir(folder.c_str()) != 0 && chdir("/") != 0) return {};
  last_step = {};
  auto reply = contained([&] { return run(request, bench); });
  Answer<typename Request::Reply> answer;
  answer.step = last_step;
  if (llvm::Error error = std::move(reply).moveInto(answer.reply)) {
    const std::string reason(reason_of(error)); // without other messages, so that ends_all_levels() knows it
    const std::string messages = llvm::toString(std::move(error));
    answer.gave_up = !reason.empty();
    answer.error = answer.gave_up ? reason : messages;
  }
  return packed(answer);
}

template <class... Requests>
Bytes served_as(Task task, std::span<const std::byte> message, Workbench& bench) {
  Bytes answer;
  (void)((task == Requests::task && (answer = served<Requests>(message, bench), true)) || ...);
  return answer;
}

Bytes do_task(Task task, std::span<const std::byte> message) {
  static Workbench& bench = *new Workbench;
  if (task != Task::parts) bench.keep({}); // the IR of the last object is for loading the object
  return served_as<CompileRequest, CompileIlRequest, LinkRequest, CheckRequest, PartsRequest,
                   PropertiesRequest, ObjectRequest>(task, message, bench);
}

/// Does a task and sends the reply. @returns whether the server may do another task
bool serve(const Note& request, bool has_own_bound) {
  StepRecord begin;
  begin.is_taken = 1;
  note_step(begin);
  GivenUp given_up;
  Bytes reply;
  try {
    const auto message = read_at(connection.files[0], 0, request.bytes);
    if (!message) return false;
    reply = do_task(static_cast<Task>(request.kind), *message);
    given_up = what_was_given_up();
  } catch (const std::bad_alloc&) { // outside of isolated work
    given_up = GivenUp::for_memory;
  }
  Done done = Done::well;
  if (given_up != GivenUp::nothing) done = Done::at_last;
  if (given_up == GivenUp::for_memory && has_own_bound) done = Done::lacking_memory;
  return write_at(connection.files[1], sizeof(StepRecord), reply) &&
         send_note(connection.socket, Note{static_cast<std::uint32_t>(done), reply.size()}) &&
         done == Done::well;
}

/// Answers Task::inspect. @returns whether the answer was sent
bool tell_whether_inspectable(pid_t thread) {
  const Done answer = may_inspect(thread) ? Done::well : Done::refused;
  return send_note(connection.socket, Note{static_cast<std::uint32_t>(answer), 0});
}

} // namespace

/// Returns when the application closes the connection, after a task in which the compiler gave up, and if there is an
/// error.
int run_server(int count, char** arguments) {
  // Isolated work of a server has no limits: the application kills a server that takes too long, and RLIMIT_DATA limits
  // the server's memory.
  constexpr auto unbounded = std::numeric_limits<std::uint64_t>::max();
  set_compile_limits(unbounded, unbounded);
  observe_trials(note_trial);
  auto connected = connect(count, arguments, 1);
  if (!connected) return 1;
  connection = std::move(*connected);
  prepare_process();
  if (!start_watching() || !greet(connection)) return 1;
  const bool has_own_bound = bound_memory();
  Note note;
  bool goes_on = true;
  while (goes_on && receive_note(connection.socket, note))
    goes_on = static_cast<Task>(note.kind) == Task::inspect
                  ? tell_whether_inspectable(static_cast<pid_t>(note.bytes))
                  : serve(note, has_own_bound);
  return 0;
}

} // namespace hostcl::compiler
