#include "compiler/server/serve.hpp"

#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/connection.hpp"
#include "compiler/server/rights.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

constinit Connection connection;

/// Limits the writable memory of the process, in addition to the memory in use and 128 MiB for the compiler's stack and
/// reserve.
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

} // namespace

void note_step(const StepRecord& step) {
  write_at(connection.files[1], 0, std::as_bytes(std::span(&step, 1)));
}

int serve(int count, char** arguments,
          llvm::function_ref<std::vector<std::byte>(Task task, std::span<const std::byte> request)> work) {
  auto connected = connect(count, arguments, 1);
  if (!connected) return 1;
  connection = std::move(*connected);
  prepare_process();
  if (!start_watching() || !greet(connection)) return 1;
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
      const auto request = read_at(connection.files[0], 0, note.bytes);
      if (!request) return 1;
      reply = work(static_cast<Task>(note.kind), *request);
      given_up = what_was_given_up();
    } catch (const std::bad_alloc&) { // outside of isolated work
      given_up = GivenUp::for_memory;
    }
    Done done = Done::well;
    if (given_up != GivenUp::nothing) done = Done::at_last;
    if (given_up == GivenUp::for_memory && has_own_bound) done = Done::lacking_memory;
    if (!write_at(connection.files[1], sizeof(StepRecord), reply)) return 1;
    if (!send_note(connection.socket, Note{static_cast<std::uint32_t>(done), reply.size()})) return 1;
    if (done != Done::well) return 0;
  }
  return 0;
}

} // namespace hostcl::compiler
