#include "runtime/guest/guest_process.hpp"

#include "compiler/code/host_functions.hpp"
#include "runtime/guest/lane.hpp"
#include "runtime/host_callbacks/host_callbacks.hpp"
#include "runtime/support/float_environment.hpp"
#include "runtime/support/pages.hpp"

#include <array>
#include <charconv>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace hostcl::runtime::guest {

namespace {

constexpr std::uint64_t forever_ns = std::numeric_limits<std::int32_t>::max();

/// Initial-exec, because a signal handler reads the variables.
[[gnu::tls_model("initial-exec")]] constinit thread_local Lane* own_lane = nullptr;
constinit thread_local std::jmp_buf out_of_kernel{};

// ---- Host callbacks

/// Has the application answer a host callback.
std::uint64_t ask_application(const CallbackCall& call) {
  Lane& lane = *own_lane;
  lane.call = call;
  lane.turn.pass(Turn::call);
  while (!lane.turn.wait_while(Turn::call, forever_ns))
    ;
  if (lane.turn.get() == Turn::abandoned) std::longjmp(out_of_kernel, 1);
  return lane.call.result;
}

template <std::size_t index, auto member>
struct Asking;

template <std::size_t index, class Result, class... Arguments,
          Result (*abi::HostCallbacks::*member)(void*, Arguments...)>
struct Asking<index, member> {
  static Result call(void*, Arguments... arguments) {
    using Packing = Callback<member>;
    const std::uint64_t result = ask_application({index, {Packing::packed(arguments)...}, 0});
    if constexpr (!std::is_void_v<Result>) return Packing::template unpacked<Result>(result);
  }
};

const abi::HostCallbacks& callbacks() {
  static const abi::HostCallbacks all = [] {
    abi::HostCallbacks made = host_callbacks(); // those of pipes
    Callbacks::for_each([&]<std::size_t index, auto member> { made.*member = Asking<index, member>::call; });
    return made;
  }();
  return all;
}

// ---- Faults

/// Tells the application of a signal that the kernel has caused, and ends the process.
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

/// Ends the process at every system call but those that a lane makes.
bool allow_little() {
  constexpr unsigned data_nr = offsetof(seccomp_data, nr);
  constexpr std::array allowed = {SYS_futex,         SYS_exit,        SYS_exit_group,     SYS_rt_sigreturn,
                                  SYS_clock_gettime, SYS_sched_yield, SYS_restart_syscall};
  std::array<sock_filter, 2 * allowed.size() + 2> filter{};
  std::size_t length = 0;
  filter[length++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, data_nr);
  for (const long call : allowed) {
    filter[length++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1);
    filter[length++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  filter[length++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  const sock_fprog program{static_cast<unsigned short>(length), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// ---- Lanes

void run_kernel(Lane& lane) {
  lane.launch.host_callbacks = &callbacks();
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
  if (sigaltstack(&stack, nullptr) != 0 || !allow_little()) _exit(1);
  FloatControl::set(FloatControl::defaults);
  start.ready->fetch_add(1);
  Lane& lane = *start.lane;
  for (;;) {
    while (lane.turn.get() != Turn::run)
      lane.turn.wait_while(lane.turn.get(), forever_ns);
    run_kernel(lane);
    lane.turn.pass(Turn::done);
  }
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

bool map_at(std::uintptr_t address, std::size_t bytes, int protection, int file) {
  void* wanted = reinterpret_cast<void*>(address);
  return mmap(wanted, bytes, protection, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0) == wanted;
}

/// Gives the process its own page of the table of host functions.
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
  constexpr int numbers_passed = 6;
  std::array<std::uint64_t, numbers_passed> numbers{};
  if (count < numbers_passed + 2) return 2;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!read_number(arguments[i + 2], numbers[i])) return 2;
  const auto [code_file, code_at, code_bytes, data_file, data_at, data_bytes] = numbers;
  prctl(PR_SET_NAME, "hostcl-guest");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return 1;
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!map_at(code_at, code_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, static_cast<int>(code_file)) ||
      !map_at(data_at, data_bytes, PROT_READ | PROT_WRITE, static_cast<int>(data_file)))
    return 3;
  close(static_cast<int>(code_file));
  close(static_cast<int>(data_file));
  Start& start = *reinterpret_cast<Start*>(data_at);
  if (!fill_functions(start.functions)) return 4;
  catch_faults();
  callbacks();
  std::atomic<unsigned> ready = 0;
  for (std::uint32_t i = 0; i < start.lane_count; ++i) {
    std::byte* stack = start.stacks + i * start.stack_bytes;
    if (mprotect(stack, page_bytes(), PROT_NONE) != 0) return 5;
    LaneStart lane{start.lanes + i, &ready};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack + page_bytes(), start.stack_bytes - page_bytes());
    if (pthread_create(&thread, &attributes, run_lane, &lane) != 0) return 6;
    while (ready.load() != i + 1)
      sched_yield();
  }
  start.is_ready.store(1);
  syscall(SYS_futex, &start.is_ready, 1 /* FUTEX_WAKE */, 1, nullptr, nullptr, 0);
  if (!allow_little()) return 7;
  std::atomic<std::uint32_t> never = 0;
  for (;;)
    syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, nullptr, nullptr, 0);
}

} // namespace hostcl::runtime::guest
