// Builds hostile programs, each in a process of its own, whose compiler nothing has happened to yet: the process lives
// on, the build ends in time, and afterwards the driver builds and runs a small program as if nothing had happened.
// usage: test_hostile [some PART OF PARTS | all | NAME...]          hostile sources; `all` has the long ones
//        test_hostile mutations FIRST COUNT FOLDER                  of the kernels in the folder's files

#include "process/servers/build.hpp"
#include "sources.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using test::HostileSource;
using Clock = std::chrono::steady_clock;

/// No process takes longer, with whatever the machine does besides.
const unsigned allowed_seconds =
    std::getenv("HOSTCL_TEST_SECONDS") ? unsigned(std::atoi(std::getenv("HOSTCL_TEST_SECONDS"))) : 60;
/// So that a program that takes all memory does not take that of others.
constexpr rlim_t address_space = rlim_t{12} << 30;

struct World {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 20, nullptr, nullptr);
};

/// Has machine code made for the kernel k. It runs only where it ends: if what makes it hostile is its memory.
void launch(const World& world, cl_program program, const HostileSource& source) {
  const bool is_run =
      source.name.find(" x[") != source.name.npos || source.name.find("aligned(1 << 28)") != source.name.npos;
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  if (error != CL_SUCCESS) return;
  const size_t one = 1, none = 0;
  const cl_int zero = 0;
  clEnqueueFillBuffer(world.queue, world.buffer, &zero, sizeof zero, 0, 1 << 20, 0, nullptr, nullptr);
  if (clSetKernelArg(kernel, 0, sizeof world.buffer, &world.buffer) == CL_SUCCESS) {
    cl_int code = clEnqueueNDRangeKernel(world.queue, kernel, 1, nullptr, is_run ? &one : &none,
                                         is_run ? &one : nullptr, 0, nullptr, nullptr);
    if (code == CL_SUCCESS) code = clFinish(world.queue);
    if (is_run) std::printf("launch %d, ", code);
  }
  clReleaseKernel(kernel);
}

cl_int build(const World& world, const HostileSource& source) {
  const char* text = source.text.data();
  const size_t length = source.text.size();
  cl_program program = clCreateProgramWithSource(world.context, 1, &text, &length, nullptr);
  if (!program) return CL_INVALID_PROGRAM;
  const cl_int code = clBuildProgram(program, 0, nullptr, source.options.c_str(), nullptr, nullptr);
  if (code == CL_SUCCESS) {
    launch(world, program, source);
  } else if (std::getenv("HOSTCL_TEST_LOGS")) {
    std::string log(1 << 20, '\0');
    clGetProgramBuildInfo(program, world.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%.2000s\n", log.c_str());
  }
  clReleaseProgram(program);
  return code;
}

/// What a child does. @returns its exit code
int attempt(const HostileSource& source) {
  alarm(allowed_seconds);
  const World world;
  const auto begin = Clock::now();
  const cl_int code = build(world, source);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const bool is_good = test::works(world, 3);
  std::printf("build %d in %.2f s, %ld MB%s: %.60s\n", code, seconds, used.ru_maxrss >> 10,
              is_good ? "" : ", BROKEN", source.name.c_str());
  std::fflush(stdout);
  return is_good ? 0 : 1;
}

/// A standard input from which nothing comes, and which does not end.
void open_silent_input() {
  int ends[2];
  if (pipe(ends) == 0) dup2(ends[0], STDIN_FILENO);
}

bool survives(const HostileSource& source) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{address_space, address_space};
    setrlimit(RLIMIT_AS, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::_Exit(attempt(source));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  std::printf("%s (status %x): %.100s\n", hung ? "HANGS" : "ENDS THE PROCESS", unsigned(status),
              source.name.c_str());
  return false;
}

/// Runs the numbers [0, count) in as many processes as there are processors. @returns how many failed
std::size_t count_failures(std::size_t count, const std::function<bool(std::size_t)>& good) {
  const long workers = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  std::vector<int> results;
  for (long worker = 0; worker < workers; ++worker) {
    int ends[2];
    if (pipe(ends) != 0) std::exit(1);
    std::fflush(nullptr);
    if (fork() == 0) {
      std::size_t failures = 0;
      for (auto i = static_cast<std::size_t>(worker); i < count; i += static_cast<std::size_t>(workers))
        failures += !good(i);
      std::_Exit(write(ends[1], &failures, sizeof failures) == sizeof failures ? 0 : 1);
    }
    close(ends[1]);
    results.push_back(ends[0]);
  }
  std::size_t all = 0;
  for (int result : results) {
    std::size_t failures = 1;
    if (read(result, &failures, sizeof failures) != sizeof failures) failures = 1;
    all += failures;
    wait(nullptr);
  }
  return all;
}

/// The raw strings of the folder's C++ files that have kernels.
std::vector<std::string> kernels_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> kernels;
  for (const auto& file : files) {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (std::size_t at = 0; (at = text.find("R\"(", at)) != text.npos;) {
      const std::size_t end = std::min(text.find(")\"", at), text.size());
      const std::string raw = text.substr(at + 3, end - at - 3);
      if (raw.find("kernel ") != raw.npos) kernels.push_back(raw);
      at = end;
    }
  }
  return kernels;
}

/// A number of mutations that one process builds, one after the other: a process for each would take most of the time.
constexpr unsigned mutations_per_process = 25;

bool survive_mutations(const std::vector<std::string>& kernels, unsigned first) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const World world;
    for (unsigned seed = first; seed < first + mutations_per_process; ++seed) {
      alarm(allowed_seconds);
      std::printf("mutation %u\n", seed);
      std::fflush(stdout);
      build(world, {"mutation", test::mutated(kernels[seed % kernels.size()], seed), "-cl-std=CL3.0"});
    }
    std::_Exit(test::works(world, 3) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0)
    std::printf("status %x: a mutation of %u to %u\n", unsigned(status), first,
                first + mutations_per_process - 1);
  return status == 0;
}

/// Those that the arguments choose.
std::vector<HostileSource> chosen(std::vector<HostileSource> sources, int count, char** arguments) {
  const std::string first = count > 1 ? arguments[1] : "some";
  if (first == "all") return sources;
  std::vector<HostileSource> result;
  const std::size_t part = count > 2 && first == "some" ? std::strtoul(arguments[2], nullptr, 10) : 0;
  const std::size_t parts = count > 4 && first == "some" ? std::strtoul(arguments[4], nullptr, 10) : 1;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bool is_named = std::any_of(arguments + 1, arguments + count,
                                      [&](const char* name) { return sources[i].name == name; });
    if (first == "some" ? !sources[i].is_long && i % parts == part : is_named)
      result.push_back(std::move(sources[i]));
  }
  return result;
}

} // namespace

int main(int count, char** arguments) {
  open_silent_input();
  if (count == 5 && std::string(arguments[1]) == "mutations") {
    const std::vector<std::string> kernels = kernels_in(arguments[4]);
    const auto first = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
    const std::size_t wanted = std::strtoul(arguments[3], nullptr, 10);
    const std::size_t failures = count_failures(wanted / mutations_per_process, [&](std::size_t i) {
      return survive_mutations(kernels, first + static_cast<unsigned>(i) * mutations_per_process);
    });
    std::printf("%zu kernels, %zu mutations, %zu processes ended\n", kernels.size(), wanted, failures);
    return failures == 0 && !kernels.empty() ? 0 : 1;
  }
  std::string folder = "/tmp/hostcl-hostile-XXXXXX";
  if (!mkdtemp(folder.data()) || mkfifo((folder + "/endless").c_str(), 0600) != 0) return 1;
  std::ofstream(folder + "/self.h") << "#include \"" << folder << "/self.h\"\n#include \"" << folder
                                    << "/self.h\"\n";
  const std::vector<HostileSource> sources = chosen(test::hostile_sources(folder), count, arguments);
  const std::size_t failures =
      count_failures(sources.size(), [&](std::size_t i) { return survives(sources[i]); });
  std::filesystem::remove_all(folder);
  std::printf("%zu hostile sources, %zu end the process, hang it or leave it broken\n", sources.size(),
              failures);
  return failures == 0 && !sources.empty() ? 0 : 1;
}
