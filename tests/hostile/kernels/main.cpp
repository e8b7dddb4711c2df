// Launches kernels that crash, never end, or write where they may not, in contexts whose kernels run in a guest process
// (HOSTCL_GUEST=process). The application has to survive, and contexts with honest kernels must not be affected.
// usage: test_hostile_kernels [--kernels=COUNT | --fuzz=COUNT | --stops=COUNT] [--seed=NUMBER] [--first=NUMBER]
//                             [--only=FAMILY] [--verbose] [--print]
// --first=N --kernels=1 launches kernel N alone; --print shows the sources and launches nothing.

#include "hostile/kernels/guest_context.hpp"
#include "hostile/kernels/modes.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using test::Progress;
using test::Request;
using test::require;

using Mode = int (*)(const Request&, Progress&);

int print_sources(const Request& request, Progress&) {
  for (std::uint64_t i = request.first; i < request.first + request.count; ++i) {
    const test::HostileKernel kernel = test::make_kernel(request.seed, i, request.wanted);
    std::printf("// %llu: %s\n%s\n", static_cast<unsigned long long>(i), kernel.family.c_str(),
                kernel.source.c_str());
  }
  return 0;
}

/// @returns the text after a prefix; null if the argument does not begin with it
const char* value_of(const char* argument, const char* prefix) {
  return std::strncmp(argument, prefix, std::strlen(prefix)) == 0 ? argument + std::strlen(prefix) : nullptr;
}

struct CommandLine {
  Request request;
  Mode mode = test::run_kernels;

  CommandLine(int count, char** arguments) {
    for (int i = 1; i < count; ++i)
      require(take(arguments[i]), std::string("unknown argument ") + arguments[i]);
  }

private:
  bool take(const char* argument) {
    if (take_mode(argument, "--kernels=", test::run_kernels) ||
        take_mode(argument, "--fuzz=", test::run_fuzz) || take_mode(argument, "--stops=", test::run_stops) ||
        take_number(argument, "--seed=", request.seed) || take_number(argument, "--first=", request.first))
      return true;
    if (const char* family = value_of(argument, "--only="))
      request.wanted = family;
    else if (std::strcmp(argument, "--verbose") == 0)
      request.is_verbose = true;
    else if (std::strcmp(argument, "--print") == 0)
      mode = print_sources;
    else
      return false;
    return true;
  }
  bool take_mode(const char* argument, const char* prefix, Mode wanted) {
    if (!take_number(argument, prefix, request.count)) return false;
    if (mode != print_sources) mode = wanted;
    return true;
  }
  static bool take_number(const char* argument, const char* prefix, std::uint64_t& number) {
    const char* value = value_of(argument, prefix);
    if (value) number = std::strtoull(value, nullptr, 10);
    return value;
  }
};

/// Discards standard output: in the child, only hostile kernels print there.
void discard_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
}

} // namespace

/// The parent never uses OpenCL itself: if the child dies, the parent names the kernels that ran at that moment.
int main(int count, char** arguments) {
  const CommandLine line(count, arguments);
  Progress none{};
  if (line.mode == print_sources) return print_sources(line.request, none);
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(shared != MAP_FAILED, "mmap");
  auto& progress = *new (shared) Progress{};
  setenv("HOSTCL_GUEST", "process", 1);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    discard_output();
    std::exit(line.mode(line.request, progress));
  }
  int status = 0;
  require(waitpid(child, &status, 0) == child, "waitpid");
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::fprintf(
      stderr,
      "failed: the application was ended by signal %d while these kernels ran: %llu %llu (seed %llu)\n",
      WTERMSIG(status), static_cast<unsigned long long>(progress.running[0]),
      static_cast<unsigned long long>(progress.running[1]),
      static_cast<unsigned long long>(line.request.seed));
  return 1;
}
