// What goes on in a process while builds in it crash, do not end, or are not wanted any more.
// usage: test_recovery WAY, one of the functions of `ways`

#include "process/servers/build.hpp"
#include "process/world.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace test;

/// An address where nothing is.
volatile int* volatile nowhere = reinterpret_cast<int*>(64);

using Clock = std::chrono::steady_clock;

/// Crashes in the program's own code, which the driver runs while it builds.
const std::string crashing_constructor = "struct S { S() { *(global int*)0 = 1; } int x; }; global S s; "
                                         "kernel void k(global int* p) { p[0] = s.x; }";
const std::string endless_constructor =
    "struct S { S() { for (volatile int i = 0;; ++i) x += i; } int x; }; global S s; "
    "kernel void k(global int* p) { p[0] = s.x; }";
constexpr const char* cxx = "-cl-std=CLC++2021";

/// Made by the first use, because it builds a program.
World& world() {
  static World& world = lasting_world();
  return world;
}

Built build(const std::string& source, const char* options) {
  return test::build(world(), source, options);
}

bool works(int number) {
  return test::works(world(), number);
}

void crash() {
  const Built built = build(crashing_constructor, cxx);
  require(built.code == CL_BUILD_PROGRAM_FAILURE, "a crash is the build's failure");
  require(built.log.find("invalid access to memory") != built.log.npos, "the log says what happened");
}

// ---- Ways

void crashes() {
  for (int i = 0; i < 20; ++i) {
    crash();
    require(works(i), "the driver works after a crash");
  }
}

void overflows() {
  const std::string source = deep_source();
  for (int i = 0; i < 2; ++i) {
    const Built built = build(source, "");
    require(built.code == CL_SUCCESS || built.log.find("nested too deeply") != built.log.npos,
            built.log.c_str());
    require(works(i), "the driver works after an overflow");
  }
}

/// Threads build programs while builds of others crash.
void threads() {
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t)
    all.emplace_back([t] {
      for (int i = 0; i < 10; ++i)
        if (t % 2)
          crash();
        else
          require(works(100 * t + i), "a build succeeds beside one that crashes");
    });
  for (std::thread& thread : all)
    thread.join();
}

void forks() {
  crash();
  const pid_t child = fork();
  if (child == 0) {
    crash();
    std::_Exit(works(7) ? 0 : 1);
  }
  int status = 1;
  require(waitpid(child, &status, 0) == child && status == 0, "a child of a process with a crash");
  require(works(8), "its parent");
}

/// The process exits while others crash.
void exits() {
  for (int t = 0; t < 2; ++t)
    std::thread([] {
      for (;;)
        build(crashing_constructor, cxx);
    }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

// ---- Handlers of the application

sigjmp_buf back;
std::atomic<int> faults = 0;
std::atomic<const void*> fault_address = nullptr;
struct sigaction behind; ///< the handler that the application's replaced

void on_fault(int, siginfo_t* info, void*) {
  ++faults;
  fault_address = info->si_addr;
  siglongjmp(back, 1);
}

/// As a virtual machine's: what is not its own goes to the handler before it.
void on_fault_or_pass(int signal, siginfo_t* info, void* ucontext) {
  if (reinterpret_cast<std::uintptr_t>(info->si_addr) == 64) on_fault(signal, info, ucontext);
  if (behind.sa_flags & SA_SIGINFO)
    behind.sa_sigaction(signal, info, ucontext);
  else
    require(false, "nobody takes a fault of the driver's");
}

void install(void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  require(sigaction(SIGSEGV, &action, &behind) == 0, "sigaction");
}

/// The application's own fault goes to its handler, with the address.
void fault() {
  const int before = faults;
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  require(faults == before + 1 && fault_address.load() == const_cast<const int*>(nowhere),
          "the application's fault");
}

void handler_before() {
  install(on_fault);
  fault();
  for (int i = 0; i < 3; ++i) {
    crash();
    fault();
  }
  require(faults == 4, "the application's handler sees its own faults only");
}

void handler_after() {
  crash();
  install(on_fault_or_pass);
  for (int i = 0; i < 3; ++i) {
    fault();
    crash();
  }
  require(works(3), "the driver works");
}

void on_fault_once(int, siginfo_t*, void*) {
  require(++faults == 1, "a handler with SA_RESETHAND is called once");
}

/// The handler returns, and so the fault comes again.
void handler_once() {
  install(on_fault_once, SA_RESETHAND);
  crash();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    *nowhere = 1;
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  require(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "the second fault ends the process");
  crash();
}

/// No handler takes it: the process ends as it would have, by the signal.
void own_fault() {
  crash();
  const pid_t child = fork();
  if (child == 0) {
    *nowhere = 1;
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  require(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "the application's own fault ends it");
  if (fork() == 0) std::abort();
  wait(&status);
  require(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "its own abort() ends it");
}

/// An application that compiles nothing keeps its handlers.
void no_handlers() {
  cl_device_id device = chosen_device();
  require(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr), "a context");
  struct sigaction action{};
  sigaction(SIGSEGV, nullptr, &action);
  require(action.sa_handler == SIG_DFL, "no handler without a build");
}

// ---- Bounds

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// With HOSTCL_COMPILE_SECONDS=2: a kernel that is built soon, and has LLVM work for half a minute when it is launched.
void time_limit_of_launch() {
  cl_program program = make_program(
      world().context, doubling("p[i] = p[i] * p[i + 1] + p[i + 2]; i = (i * 7 + p[i]) & 1023;", 14) +
                           "kernel void k(global int* p) { int i = get_global_id(0); M14 }");
  // On a busy machine the build reaches the bound.
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    cl_mem buffer = clCreateBuffer(world().context, 0, 8192, nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const size_t items = 64;
    clEnqueueNDRangeKernel(world().queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    require(clFinish(world().queue) == CL_OUT_OF_RESOURCES, "a launch past the bound is no lack of memory");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
  }
  clReleaseProgram(program);
  require(works(5), "the driver works");
}

/// With HOSTCL_COMPILE_SECONDS=1.
void time_limit() {
  const auto begin = Clock::now();
  const std::string tokens =
      doubling("+ 1", 40) + "#if 1 M40\n#endif\nkernel void k(global int* p) { p[0] = 1; }";
  for (const auto& [source, options] : {std::pair(endless_constructor, cxx), {tokens, ""}}) {
    const Built built = build(source, options);
    require(built.code == CL_BUILD_PROGRAM_FAILURE, "what does not end fails");
    require(built.log.find("HOSTCL_COMPILE_SECONDS") != built.log.npos, "the log names the limit");
  }
  require(seconds_since(begin) < 20, "soon");
  require(works(5), "the driver works");
}

/// With HOSTCL_COMPILE_MEMORY=96M.
void memory_limit() {
  const Built built = build(doubling("p[0] += p[1];", 21) + "kernel void k(global int* p) { M21 }", "");
  require(built.code == CL_BUILD_PROGRAM_FAILURE && built.log.find("HOSTCL_COMPILE_MEMORY") != built.log.npos,
          "a large program fails");
  require(works(5), "the driver works");
}

std::atomic<bool> called = false;
void CL_CALLBACK on_built(cl_program, void*) {
  called = true;
}

/// No call waits for a program that was released.
void release_cancels() {
  cl_program program = make_program(world().context, endless_constructor);
  require(clBuildProgram(program, 0, nullptr, cxx, on_built, nullptr) == CL_SUCCESS,
          "a build with a callback");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto begin = Clock::now();
  require(!called && clReleaseProgram(program) == CL_SUCCESS, "it goes on until it is released");
  while (!called && seconds_since(begin) < 20)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  require(called, "its end is told");
  require(works(5), "the driver works");
}

void CL_CALLBACK build_more(cl_program, void*) {
  crash();
  require(works(9), "a build in a callback");
  called = true;
}

void builds_in_callback() {
  cl_program program = make_program(world().context, crashing_constructor);
  clBuildProgram(program, 0, nullptr, cxx, build_more, nullptr);
  for (int i = 0; i < 2000 && !called; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  require(called, "the callback came to its end");
}

/// exit() does not wait for a build.
void exit_cancels() {
  static cl_program program = make_program(world().context, endless_constructor);
  require(clBuildProgram(program, 0, nullptr, cxx, on_built, nullptr) == CL_SUCCESS,
          "a build with a callback");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

struct Way {
  std::string_view name;
  void (*run)();
};
constexpr Way ways[] = {{"crashes", crashes},
                        {"overflows", overflows},
                        {"threads", threads},
                        {"forks", forks},
                        {"exits", exits},
                        {"handler_before", handler_before},
                        {"handler_after", handler_after},
                        {"handler_once", handler_once},
                        {"own_fault", own_fault},
                        {"no_handlers", no_handlers},
                        {"time_limit", time_limit},
                        {"time_limit_of_launch", time_limit_of_launch},
                        {"memory_limit", memory_limit},
                        {"release_cancels", release_cancels},
                        {"builds_in_callback", builds_in_callback},
                        {"exit_cancels", exit_cancels}};

} // namespace

int main(int count, char** arguments) {
  constexpr unsigned allowed_seconds = 100;
  alarm(allowed_seconds);
  for (const Way& way : ways)
    if (count == 2 && way.name == arguments[1]) {
      way.run();
      return 0;
    }
  return 2;
}
