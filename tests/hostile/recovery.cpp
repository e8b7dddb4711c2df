// What goes on in a process while builds in it crash, do not end, or are not wanted any more.
// usage: test_recovery WAY, one of the functions of `ways`

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

/// An address where nothing is.
volatile int* volatile nowhere = reinterpret_cast<int*>(64);

using Clock = std::chrono::steady_clock;

/// Crashes in the program's own code, which the driver runs while it builds.
const std::string crashing_constructor = "struct S { S() { *(global int*)0 = 1; } int x; }; global S s; "
                                         "kernel void k(global int* p) { p[0] = s.x; }";
const std::string endless_constructor =
    "struct S { S() { for (volatile int i = 0;; ++i) x += i; } int x; }; global S s; "
    "kernel void k(global int* p) { p[0] = s.x; }";
/// Takes more than the compiler's stack.
std::string deep_source() {
  std::string text = "kernel void k(global int* p) { p[0] = p[1]";
  for (int i = 0; i < 600'000; ++i)
    text += "+1";
  return text + "; }";
}
constexpr const char* cxx = "-cl-std=CLC++2021";

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::_Exit(1);
}

cl_device_id device;
cl_context context;
cl_command_queue queue;

cl_program program_of(const std::string& source) {
  const char* text = source.c_str();
  return clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
}

struct Built {
  cl_int code;
  std::string log;
};

Built build(const std::string& source, const char* options) {
  cl_program program = program_of(source);
  Built built{clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), {}};
  size_t bytes = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  built.log.resize(bytes);
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, built.log.data(), nullptr);
  clReleaseProgram(program);
  return built;
}

/// Builds a program that no other has the code of, and runs it.
bool works(int number) {
  cl_program program = program_of("kernel void k(global int* p) { p[get_global_id(0)] = get_global_id(0) * " +
                                  std::to_string(number) + "; }");
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return false;
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const size_t items = 64;
  cl_int values[items] = {};
  cl_mem buffer = clCreateBuffer(context, 0, sizeof values, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  for (cl_int i = 0; i < cl_int(items); ++i)
    if (values[i] != i * number) return false;
  return true;
}

void crash() {
  const Built built = build(crashing_constructor, cxx);
  check(built.code == CL_BUILD_PROGRAM_FAILURE, "a crash is the build's failure");
  check(built.log.find("invalid access to memory") != built.log.npos, "the log says what happened");
}

// ---- Ways

void crashes() {
  for (int i = 0; i < 20; ++i) {
    crash();
    check(works(i), "the driver works after a crash");
  }
}

void overflows() {
  const std::string source = deep_source();
  for (int i = 0; i < 2; ++i) {
    const Built built = build(source, "");
    check(built.code == CL_SUCCESS || built.log.find("nested too deeply") != built.log.npos,
          built.log.c_str());
    check(works(i), "the driver works after an overflow");
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
          check(works(100 * t + i), "a build succeeds beside one that crashes");
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
  check(waitpid(child, &status, 0) == child && status == 0, "a child of a process with a crash");
  check(works(8), "its parent");
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
    check(false, "nobody takes a fault of the driver's");
}

void install(void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  check(sigaction(SIGSEGV, &action, &behind) == 0, "sigaction");
}

/// The application's own fault goes to its handler, with the address.
void fault() {
  const int before = faults;
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  check(faults == before + 1 && fault_address.load() == const_cast<const int*>(nowhere),
        "the application's fault");
}

void handler_before() {
  install(on_fault);
  fault();
  for (int i = 0; i < 3; ++i) {
    crash();
    fault();
  }
  check(faults == 4, "the application's handler sees its own faults only");
}

void handler_after() {
  crash();
  install(on_fault_or_pass);
  for (int i = 0; i < 3; ++i) {
    fault();
    crash();
  }
  check(works(3), "the driver works");
}

void on_fault_once(int, siginfo_t*, void*) {
  check(++faults == 1, "a handler with SA_RESETHAND is called once");
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
  check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "the second fault ends the process");
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
  check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "the application's own fault ends it");
  if (fork() == 0) std::abort();
  wait(&status);
  check(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "its own abort() ends it");
}

/// An application that compiles nothing keeps its handlers.
void no_handlers() {
  struct sigaction action{};
  sigaction(SIGSEGV, nullptr, &action);
  check(action.sa_handler == SIG_DFL, "no handler without a build");
}

// ---- Bounds

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Macros that double what they stand for.
std::string doubling(const char* term, int times) {
  std::string text = "#define M0 " + std::string(term) + "\n";
  for (int i = 1; i <= times; ++i) {
    const std::string before = " M" + std::to_string(i - 1);
    text += "#define M" + std::to_string(i) + before + before + "\n";
  }
  return text;
}

/// With HOSTCL_COMPILE_SECONDS=2: a kernel that is built soon, and has LLVM work for half a minute when it is launched.
void time_limit_of_launch() {
  cl_program program =
      program_of(doubling("p[i] = p[i] * p[i + 1] + p[i + 2]; i = (i * 7 + p[i]) & 1023;", 14) +
                 "kernel void k(global int* p) { int i = get_global_id(0); M14 }");
  // On a busy machine the build reaches the bound.
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    cl_mem buffer = clCreateBuffer(context, 0, 8192, nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const size_t items = 64;
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    check(clFinish(queue) == CL_OUT_OF_RESOURCES, "a launch past the bound is no lack of memory");
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
  }
  clReleaseProgram(program);
  check(works(5), "the driver works");
}

/// With HOSTCL_COMPILE_SECONDS=1.
void time_limit() {
  const auto begin = Clock::now();
  const std::string tokens =
      doubling("+ 1", 40) + "#if 1 M40\n#endif\nkernel void k(global int* p) { p[0] = 1; }";
  for (const auto& [source, options] : {std::pair(endless_constructor, cxx), {tokens, ""}}) {
    const Built built = build(source, options);
    check(built.code == CL_BUILD_PROGRAM_FAILURE, "what does not end fails");
    check(built.log.find("HOSTCL_COMPILE_SECONDS") != built.log.npos, "the log names the limit");
  }
  check(seconds_since(begin) < 20, "soon");
  check(works(5), "the driver works");
}

/// With HOSTCL_COMPILE_MEMORY=96M.
void memory_limit() {
  const Built built = build(doubling("p[0] += p[1];", 21) + "kernel void k(global int* p) { M21 }", "");
  check(built.code == CL_BUILD_PROGRAM_FAILURE && built.log.find("HOSTCL_COMPILE_MEMORY") != built.log.npos,
        "a large program fails");
  check(works(5), "the driver works");
}

std::atomic<bool> called = false;
void CL_CALLBACK on_built(cl_program, void*) {
  called = true;
}

/// No call waits for a program that was released.
void release_cancels() {
  cl_program program = program_of(endless_constructor);
  check(clBuildProgram(program, 0, nullptr, cxx, on_built, nullptr) == CL_SUCCESS, "a build with a callback");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto begin = Clock::now();
  check(!called && clReleaseProgram(program) == CL_SUCCESS, "it goes on until it is released");
  while (!called && seconds_since(begin) < 20)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  check(called, "its end is told");
  check(works(5), "the driver works");
}

void CL_CALLBACK build_more(cl_program, void*) {
  crash();
  check(works(9), "a build in a callback");
  called = true;
}

void builds_in_callback() {
  cl_program program = program_of(crashing_constructor);
  clBuildProgram(program, 0, nullptr, cxx, build_more, nullptr);
  for (int i = 0; i < 2000 && !called; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  check(called, "the callback came to its end");
}

/// exit() does not wait for a build.
void exit_cancels() {
  static cl_program program = program_of(endless_constructor);
  check(clBuildProgram(program, 0, nullptr, cxx, on_built, nullptr) == CL_SUCCESS, "a build with a callback");
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
  device = test::chosen_device();
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  for (const Way& way : ways)
    if (count == 2 && way.name == arguments[1]) {
      way.run();
      return 0;
    }
  return 2;
}
