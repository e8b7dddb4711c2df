#include "runtime/guest/guest_process.hpp"

#include "compiler/code/host_functions.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/server/connection.hpp"
#include "runtime/guest/guest_callbacks.hpp"
#include "runtime/support/float_environment.hpp"
#include "runtime/support/pages.hpp"

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace hostcl::runtime::guest {

namespace {

constexpr std::size_t stack_bytes = std::size_t{16} << 20;
/// Bytes that the guest may allocate in addition to the shared memory, for example to format messages.
constexpr std::uint64_t own_memory_bytes = std::uint64_t{256} << 20;

// ---- Faults

/// A signal handler: tells the application of a signal that the kernel has caused, and ends the process.
void tell_fault(int signal, siginfo_t* info, void* context) {
  Lane* lane = own_lane;
  if (!lane) _exit(1);
  const auto* state = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  const auto instruction = static_cast<std::uint64_t>(state->uc_mcontext.gregs[REG_RIP]);
#else
  const auto instruction = static_cast<std::uint64_t>(state->uc_mcontext.pc);
#endif
  lane->fault = {signal, info->si_code, reinterpret_cast<std::uint64_t>(info->si_addr), instruction};
  lane->turn.pass(Turn::fault);
  _exit(1);
}

void catch_faults() {
  struct sigaction action{};
  action.sa_sigaction = tell_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    sigaction(signal, &action, nullptr);
}

// ---- Rights

/// Appends instructions to the filter that allow one system call. If `bits` is not 0, the call is allowed only if the
/// argument with this number, masked by `bits`, is `value`.
void allow(std::span<sock_filter> filter, std::size_t& length, long call, unsigned argument = 0,
           unsigned bits = 0, unsigned value = 0) {
  const unsigned char steps = bits != 0 ? 4 : 1;
  filter[length++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, steps);
  if (bits != 0) {
    const auto place = static_cast<unsigned>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    filter[length++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place);
    filter[length++] = BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits);
    filter[length++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  }
  filter[length++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  if (bits != 0) // the instructions for the next call expect the number of the system call
    filter[length++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, nr)));
}

/// From now on, the calling thread may only wait, read clocks, end the process, and get memory that is not executable.
/// Every other system call raises SIGSYS.
bool give_up_rights() {
  std::array<sock_filter, 48> filter{};
  std::size_t length = 0;
#if defined(__x86_64__)
  constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#else
  constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#endif
  filter[length++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, arch)));
  filter[length++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  filter[length++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  filter[length++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, nr)));
  for (const long call : {SYS_futex, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_clock_gettime,
                          SYS_sched_yield, SYS_restart_syscall, SYS_brk, SYS_munmap, SYS_ppoll})
    allow(filter, length, call);
#if defined(__x86_64__)
  allow(filter, length, SYS_poll);
#endif
  allow(filter, length, SYS_mmap, 2, PROT_EXEC, 0);
  filter[length++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  const sock_fprog program{static_cast<unsigned short>(length), filter.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

void bound_memory() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  rlimit data{};
  const rlim_t most = compiler::writable_bytes() + own_memory_bytes;
  if (getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur <= most) return;
  data.rlim_cur = most;
  setrlimit(RLIMIT_DATA, &data);
}

// ---- Lanes

void run_kernel(Lane& lane) {
  lane.launch.host_callbacks = &guest_callbacks();
  if (setjmp(out_of_kernel) == 0)
    lane.entry(&lane.launch, lane.arguments, lane.local, lane.context, lane.first_group, lane.last_group);
  else
    FloatControl::set(FloatControl::defaults);
}

struct LaneStart {
  Lane* lane;
  std::atomic<unsigned>* ready;
};

void* run_lane(void* argument) {
  const LaneStart start = *static_cast<LaneStart*>(argument);
  own_lane = start.lane;
  constexpr std::size_t signal_stack_bytes = 64 << 10;
  alignas(64) std::array<std::byte, signal_stack_bytes> signal_stack;
  const stack_t stack{.ss_sp = signal_stack.data(), .ss_flags = 0, .ss_size = signal_stack.size()};
  if (sigaltstack(&stack, nullptr) != 0 || !give_up_rights()) _exit(1);
  FloatControl::set(FloatControl::defaults);
  start.ready->fetch_add(1);
  Lane& lane = *start.lane;
  for (;;) {
    for (Turn turn; (turn = lane.turn.get()) != Turn::run;)
      lane.turn.wait_while(turn, std::numeric_limits<std::int32_t>::max());
    run_kernel(lane);
    lane.turn.pass(Turn::done);
  }
}

bool start_lanes(Lane* lanes, std::size_t count) {
  std::atomic<unsigned> ready = 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  for (std::size_t i = 0; i < count; ++i) {
    LaneStart lane{lanes + i, &ready};
    pthread_t thread;
    if (pthread_create(&thread, &attributes, run_lane, &lane) != 0) return false;
    while (ready.load() != i + 1)
      sched_yield();
  }
  return true;
}

// ---- Memory

bool map_at(std::uint64_t address, std::size_t bytes, int protection, int file, std::size_t offset = 0) {
  void* wanted = reinterpret_cast<void*>(address);
  return mmap(wanted, bytes, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file,
              static_cast<off_t>(offset)) == wanted;
}

/// Replaces the page with the table of host functions by a page of this process alone, which has this process's
/// addresses of the functions.
bool fill_functions(void** table) {
  void* page =
      mmap(table, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (page != table) return false;
  for (const compiler::HostFunction& function : compiler::host_functions())
    *table++ = function.address;
  return mprotect(page, page_bytes(), PROT_READ) == 0;
}

} // namespace

int run_guest(int count, char** arguments) {
  const auto connection = compiler::connect(count, arguments, 7);
  if (!connection) return 2;
  const std::uint64_t code = connection->numbers[0], code_bytes = connection->numbers[1],
                      functions = connection->numbers[2], data = connection->numbers[3],
                      data_bytes = connection->numbers[4], lanes = connection->numbers[5],
                      lane_count = connection->numbers[6];
  prctl(PR_SET_NAME, "hostcl-guest");
  const auto [code_file, data_file] = connection->files;
  const std::size_t half = code_bytes / 2;
  if (!map_at(code, half, PROT_READ | PROT_EXEC, code_file) ||
      !map_at(code + half, half, PROT_READ | PROT_WRITE, code_file, half) ||
      !map_at(data, data_bytes, PROT_READ | PROT_WRITE, data_file))
    return 3;
  close(code_file);
  close(data_file);
  for (const int standard :
       {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) // kernels could map a file of theirs
    close(standard);
  if (!fill_functions(reinterpret_cast<void**>(functions))) return 4;
  catch_faults();
  guest_callbacks();
  mallopt(M_ARENA_MAX, 1); // a further arena would need mprotect(), which the filter refuses
  if (!start_lanes(reinterpret_cast<Lane*>(lanes), lane_count)) return 5;
  bound_memory();
  if (!compiler::greet(*connection) || !give_up_rights()) return 6;
  compiler::await_end(*connection);
}

} // namespace hostcl::runtime::guest
