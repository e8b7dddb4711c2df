#include "compiler/server/serve.hpp"

#include "compiler/cache/build_id.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/rights.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>

#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

/// The server's command-line arguments.
struct Connection {
  int socket = -1, requests = -1, replies = -1, application = -1; ///< descriptors; `application` is a pidfd
  std::uint64_t memory_bytes = 0;
};
constinit Connection connection;

constexpr int own_arguments = 5;

bool read_arguments(char** arguments) {
  std::array<std::uint64_t, own_arguments> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view text = arguments[i + 1];
    if (std::from_chars(text.data(), text.data() + text.size(), numbers[i]).ec != std::errc()) return false;
  }
  const auto process = static_cast<pid_t>(numbers[3]);
  connection = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2]),
                static_cast<int>(syscall(SYS_pidfd_open, process, 0)), numbers[4]};
  return connection.application >= 0;
}

/// Limits the server's memory to what the compiler may use, plus its stack and reserve. @returns whether this limit was
/// set; false if the application's own limit is smaller
bool bound_memory() {
  constexpr std::uint64_t own_bytes = 128u << 20;
  const std::uint64_t begin = writable_bytes() + own_bytes;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  if (connection.memory_bytes > std::numeric_limits<rlim_t>::max() - begin) return false;
  const rlim_t bytes = begin + connection.memory_bytes;
  if (limit.rlim_cur <= bytes) return false;
  limit.rlim_cur = bytes;
  return setrlimit(RLIMIT_DATA, &limit) == 0;
}

/// The thread that ends the server when the application ends, whatever the compiler does.
void* watch(void*) {
  std::array<pollfd, 2> events = {{{connection.socket, POLLRDHUP, 0}, {connection.application, POLLIN, 0}}};
  while (poll(events.data(), events.size(), -1) <= 0)
    ;
  _exit(0);
}

/// After a crash of the server no core file is left, and exceeding RLIMIT_FSIZE raises no signal.
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

bool greet() {
  Greeting greeting;
  const std::string& id = build_id();
  std::ranges::copy(std::string_view(id).substr(0, greeting.build.size()), greeting.build.begin());
  return send_note(connection.socket, greeting);
}

} // namespace

void note_step(const StepRecord& step) {
  write_at(connection.replies, 0, std::as_bytes(std::span(&step, 1)));
}

int serve(int count, char** arguments,
          llvm::function_ref<std::vector<std::byte>(Task task, std::span<const std::byte> request)> work) {
  if (count != own_arguments + 1) {
    std::fputs("hostcl: this file is an OpenCL driver, which applications load\n", stderr);
    return 2;
  }
  prepare_process();
  if (!read_arguments(arguments) || !start_watching() || !greet()) return 1;
  const bool has_own_bound = bound_memory();
  Note note;
  while (receive_note(connection.socket, note)) {
    if (static_cast<Task>(note.kind) == Task::inspect) {
      const Done answer = may_inspect(static_cast<pid_t>(note.bytes)) ? Done::well : Done::refused;
      if (!send_note(connection.socket, Note{static_cast<std::uint32_t>(answer), 0})) return 1;
      continue;
    }
    StepRecord begin;
    begin.is_taken = 1;
    note_step(begin);
    GivenUp given_up;
    std::vector<std::byte> reply;
    try {
      const auto request = read_at(connection.requests, 0, note.bytes);
      if (!request) return 1;
      reply = work(static_cast<Task>(note.kind), *request);
      given_up = what_was_given_up();
    } catch (const std::bad_alloc&) { // around isolated work
      given_up = GivenUp::for_memory;
    }
    Done done = Done::well;
    if (given_up != GivenUp::nothing) done = Done::at_last;
    if (given_up == GivenUp::for_memory && has_own_bound) done = Done::lacking_memory;
    if (!write_at(connection.replies, sizeof(StepRecord), reply)) return 1;
    if (!send_note(connection.socket, Note{static_cast<std::uint32_t>(done), reply.size()})) return 1;
    if (done != Done::well) return 0;
  }
  return 0;
}

} // namespace hostcl::compiler
