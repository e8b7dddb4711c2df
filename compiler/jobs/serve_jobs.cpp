#include "compiler/jobs/serve_jobs.hpp"

#include "compiler/jobs/job.hpp"
#include "compiler/jobs/workbench.hpp"
#include "compiler/server/serve.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

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
  // serve() itself answers Task::inspect.
  return served_as<CompileRequest, CompileIlRequest, LinkRequest, CheckRequest, PartsRequest,
                   PropertiesRequest, ObjectRequest>(task, message, bench);
}

} // namespace

int run_server(int count, char** arguments) {
  // Isolated work of a server has no limits: the application kills a server that takes too long, and RLIMIT_DATA limits
  // the server's memory (server/serve.cpp).
  constexpr auto unbounded = std::numeric_limits<std::uint64_t>::max();
  set_compile_limits(unbounded, unbounded);
  observe_trials(note_trial);
  return serve(count, arguments, do_task);
}

} // namespace hostcl::compiler
