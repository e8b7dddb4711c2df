// Kernels that do what they must not. Each runs in a child, whose standard error and end are compared.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* source =
    "kernel void beyond(global int* before, global int* v, ulong at) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i == 5)\n"
    "    v[at] = 1;\n"
    "  before[i & 3] = i; }\n"
    "kernel void print(global int* v, global int* unused, ulong n) {\n"
    "  for (ulong i = 0; i < n; ++i) printf(\"0123456789\\n\"); }\n"
    "kernel void endless(global int* v, global int* unused, ulong n) { __builtin_trap(); }\n"
    "kernel void leave(global int* v, global int* unused, ulong n) { local int t[1024];\n"
    "  for (int i = 0; i < 1024; ++i) if (n) t[i] = n; else if (t[i] == 0x5ec2e7) *v += 1; }\n";

struct Run {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  cl_mem before = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);

  explicit Run(const char* options) { clBuildProgram(program, 0, nullptr, options, nullptr, nullptr); }

  cl_int launch(const char* name, cl_ulong number, std::size_t items) {
    cl_kernel kernel = clCreateKernel(program, name, nullptr);
    clSetKernelArg(kernel, 0, sizeof before, &before);
    clSetKernelArg(kernel, 1, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 2, sizeof number, &number);
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    const cl_int status = clFinish(queue);
    clReleaseKernel(kernel);
    return status;
  }
};

constexpr cl_ulong far = cl_ulong{1} << 33;     // 32 GB after the buffer: nothing is there
constexpr cl_ulong nowhere = cl_ulong{1} << 60; // no address

void beyond() {
  Run("-g").launch("beyond", far, 8);
}
void beyond_memory() {
  Run("").launch("beyond", nowhere, 8);
}
void trap() {
  std::_Exit(Run("").launch("endless", 1, 1) == CL_OUT_OF_RESOURCES ? 42 : 1);
}
void print() {
  Run("").launch("print", 100, 1);
}
void print_twice() {
  Run run("");
  run.launch("print", 9, 1);
  run.launch("print", 9, 1);
}

sigjmp_buf back;
void go_back(int) {
  siglongjmp(back, 1);
}
/// The application's own handler was there first, and goes on.
void handled() {
  std::signal(SIGSEGV, go_back);
  Run run("");
  if (sigsetjmp(back, 1) == 0) run.launch("beyond", far, 8);
  std::_Exit(42);
}

/// Standard error is a pipe without a reader: the application's handler is called all the same.
void unread() {
  int ends[2];
  if (pipe(ends) != 0) std::_Exit(1);
  close(ends[0]);
  dup2(ends[1], STDERR_FILENO);
  handled();
}

/// The application's handler was to be called once, and returns.
void return_once(int) {
  static bool is_called = false;
  if (is_called) std::_Exit(1);
  is_called = true;
  (void)!write(STDOUT_FILENO, "application\n", 12);
}
void handled_once() {
  struct sigaction action{};
  action.sa_handler = return_once;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGSEGV, &action, nullptr);
  Run("").launch("beyond", far, 8);
}

/// The application's handler comes later, and calls the one before.
struct sigaction earlier;
void pass_on(int signal, siginfo_t* info, void* context) {
  (void)!write(STDERR_FILENO, "application\n", 12);
  if (earlier.sa_flags & SA_SIGINFO) return earlier.sa_sigaction(signal, info, context);
  std::signal(signal, SIG_DFL);
}
void passed_on() {
  Run run("");
  struct sigaction action{};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &earlier);
  run.launch("beyond", far, 8);
}

/// The fault is the application's: not a word of kernels.
void not_a_kernel() {
  Run run("");
  run.launch("print", 1, 1);
  *reinterpret_cast<volatile int*>(std::strtoull("16", nullptr, 10)) = 1;
}

void killed() {
  Run run("");
  kill(getpid(), SIGSEGV);
}

/// What one context leaves in a buffer and in local memory, another one does not find. 42 if all is clear.
void clear() {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  std::string text(bytes, 's'), found(bytes, 0);
  {
    Run run("");
    cl_mem secret = clCreateBuffer(run.context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
    clEnqueueWriteBuffer(run.queue, secret, CL_TRUE, 0, bytes, text.data(), 0, nullptr, nullptr);
    clReleaseMemObject(secret);
    run.launch("leave", 0x5ec2e7, 1);
  }
  Run run("");
  for (const std::size_t size : {bytes, bytes / 16, std::size_t{4096}}) {
    cl_mem other = clCreateBuffer(run.context, CL_MEM_READ_WRITE, size, nullptr, nullptr);
    clEnqueueReadBuffer(run.queue, other, CL_TRUE, 0, size, found.data(), 0, nullptr, nullptr);
    if (found.find_first_not_of('\0') != std::string::npos) std::_Exit(1);
    clReleaseMemObject(other);
  }
  cl_int count = 0;
  clEnqueueWriteBuffer(run.queue, run.before, CL_TRUE, 0, 4, &count, 0, nullptr, nullptr);
  run.launch("leave", 0, 1);
  clEnqueueReadBuffer(run.queue, run.before, CL_TRUE, 0, 4, &count, 0, nullptr, nullptr);
  std::_Exit(count == 0 ? 42 : 2);
}

struct Case {
  const char* name;
  void (*run)();
  int signal, status;   ///< how the child ends: by the signal unless it is 0
  const char* setting;  ///< NAME=VALUE
  const char* says[5];  ///< parts of standard error and output
  const char* not_says; ///< or null
};

const Case cases[] = {
    {"beyond",
     beyond,
     SIGSEGV,
     0,
     "HOSTCL_CRASH_REPORT=1",
     {"kernel 'beyond'", "line 4", "caused SIGSEGV at the address 0x", "argument 1 'v'", "work-group"},
     nullptr},
    {"beyond_memory",
     beyond_memory,
     SIGSEGV,
     0,
     "HOSTCL_CRASH_REPORT=1",
     {"kernel 'beyond'", "an address outside of the address space"},
     nullptr},
    {"silent", beyond, SIGSEGV, 0, "HOSTCL_CRASH_REPORT=0", {}, "hostcl"},
    {"trap", trap, 0, 42, "HOSTCL_CRASH_REPORT=1", {"kernel 'endless' ended by a trap"}, "SIGILL"},
    {"handled", handled, 0, 42, "HOSTCL_CRASH_REPORT=1", {"kernel 'beyond' caused SIGSEGV"}, nullptr},
    {"unread", unread, 0, 42, "HOSTCL_CRASH_REPORT=1", {}, nullptr},
    {"handled_once",
     handled_once,
     SIGSEGV,
     0,
     "HOSTCL_CRASH_REPORT=1",
     {"kernel 'beyond'", "application\n"},
     nullptr},
    {"passed_on",
     passed_on,
     SIGSEGV,
     0,
     "HOSTCL_CRASH_REPORT=1",
     {"application\n", "kernel 'beyond'"},
     nullptr},
    {"not_a_kernel", not_a_kernel, SIGSEGV, 0, "HOSTCL_CRASH_REPORT=1", {}, "caused"},
    {"killed", killed, SIGSEGV, 0, "HOSTCL_CRASH_REPORT=1", {}, "caused"},
    {"print",
     print,
     0,
     0,
     "HOSTCL_PRINTF_SIZE=100",
     {"has printed 99 bytes", "HOSTCL_PRINTF_SIZE=100"},
     nullptr},
    {"print_twice", print_twice, 0, 0, "HOSTCL_PRINTF_SIZE=100", {"0123456789\n"}, "dropped"},
    {"clear", clear, 0, 42, "HOSTCL_CLEAR=1", {}, nullptr},
};

/// Runs the case in a new process, for settings are read once. @returns what it wrote
std::string output_of(const char* program, const Case& chosen, int& status) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    putenv(const_cast<char*>(chosen.setting));
    execl(program, program, chosen.name, nullptr);
    std::_Exit(127);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t bytes = 0; (bytes = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(bytes));
  close(ends[0]);
  waitpid(child, &status, 0);
  return text;
}

bool is_right(const char* program, const Case& chosen) {
  int status = 0;
  const std::string text = output_of(program, chosen, status);
  bool right = chosen.signal ? WIFSIGNALED(status) && WTERMSIG(status) == chosen.signal
                             : WIFEXITED(status) && WEXITSTATUS(status) == chosen.status;
  for (const char* part : chosen.says)
    right = right && (!part || text.find(part) != std::string::npos);
  right = right && (!chosen.not_says || text.find(chosen.not_says) == std::string::npos);
  if (!right)
    std::fprintf(stderr, "failed: %s ended with status 0x%x and wrote:\n%s\n", chosen.name, status,
                 text.c_str());
  return right;
}

} // namespace

int main(int count, char** arguments) {
  bool right = true;
  for (const Case& chosen : cases)
    if (count == 1)
      right = is_right(arguments[0], chosen) && right;
    else if (std::strcmp(arguments[1], chosen.name) == 0)
      chosen.run();
  return right ? 0 : 1;
}
