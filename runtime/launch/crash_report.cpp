#include "runtime/launch/crash_report.hpp"

#include "compiler/isolation/code_place.hpp"
#include "compiler/isolation/write_signals.hpp"
#include "runtime/faults/crash_place.hpp"
#include "runtime/faults/tally.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/support/thread_end.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace hostcl::runtime {

namespace {

struct Handled {
  int signal;
  std::string_view name;
  struct sigaction before; ///< the previous action; written before the handler is installed
  /// The previous handler was to be called once (SA_RESETHAND), and has been called.
  std::atomic<bool> is_spent{false};
};
constinit std::array<Handled, 5> handled = {{{SIGSEGV, "SIGSEGV", {}},
                                             {SIGBUS, "SIGBUS", {}},
                                             {SIGFPE, "SIGFPE", {}},
                                             {SIGILL, "SIGILL", {}},
                                             {SIGABRT, "SIGABRT", {}}}};

/// A line of text, put together without allocating memory or taking locks, as a signal handler must.
class Line {
public:
  Line& operator<<(std::string_view text) {
    const std::size_t bytes = std::min(text.size(), buffer_.size() - size_);
    std::memcpy(buffer_.data() + size_, text.data(), bytes);
    size_ += bytes;
    return *this;
  }
  Line& operator<<(std::uint64_t number) { return digits(number, 10); }
  Line& hexadecimal(std::uint64_t number) {
    *this << "0x";
    return digits(number, 16);
  }
  std::string_view text() const { return {buffer_.data(), size_}; }
  void write() {
    *this << "\n";
    WriteSignalsBlocked no_signals; // writing to a pipe whose reader is gone must not raise SIGPIPE
    (void)!::write(STDERR_FILENO, buffer_.data(), size_);
  }

private:
  Line& digits(std::uint64_t number, unsigned base) {
    std::array<char, 20> text;
    std::size_t first = text.size();
    do
      text[--first] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    return *this << std::string_view(text.data() + first, text.size() - first);
  }

  std::array<char, 768> buffer_;
  std::size_t size_ = 0;
};

/// The source line of the instruction at this offset of the code, or 0.
std::uint32_t line_of(const compiler::KernelCode& code, std::uintptr_t offset) {
  std::uint32_t line = 0;
  for (const compiler::CodeLine& begin : code.lines) {
    if (begin.offset > offset) break;
    line = begin.line;
  }
  return line;
}

std::uintptr_t distance_of(std::uintptr_t a, std::uintptr_t b) {
  return a < b ? b - a : a - b;
}

/// The pointer argument whose value is nearest to the accessed address, or null.
const compiler::KernelArgument* nearest_argument(const RunningKernel& kernel, std::uintptr_t address,
                                                 std::uintptr_t& nearest_begin) {
  using compiler::ArgumentKind;
  const compiler::KernelArgument* nearest = nullptr;
  for (const compiler::KernelArgument& argument : kernel.signature->arguments) {
    if (argument.kind != ArgumentKind::global_pointer && argument.kind != ArgumentKind::constant_pointer)
      continue;
    std::uintptr_t begin;
    std::memcpy(&begin, kernel.arguments + argument.offset, sizeof begin);
    if (begin == 0 || (nearest && distance_of(begin, address) >= distance_of(nearest_begin, address)))
      continue;
    nearest = &argument;
    nearest_begin = begin;
  }
  return nearest;
}

void write_address(Line& line, const RunningKernel& kernel, const compiler::CodeEnd& end) {
  if (end.code == SI_KERNEL) { // a general protection fault: the CPU does not report the address
    line << " at an address outside of the address space";
    return;
  }
  const std::uintptr_t address = end.address;
  line << " at the address ";
  line.hexadecimal(address);
  std::uintptr_t begin = 0;
  if (const auto* argument = nearest_argument(kernel, address, begin))
    line << ", " << distance_of(begin, address) << " bytes " << (address < begin ? "before" : "after")
         << " the beginning of argument "
         << static_cast<std::uint64_t>(argument - kernel.signature->arguments.data()) << " '"
         << argument->name << "'";
}

void write_groups(Line& line, const RunningKernel& kernel) {
  const abi::NDRange& range = kernel.launch->range;
  const std::uint64_t total = range.group_count[0] * range.group_count[1] * range.group_count[2];
  line << "; in ";
  if (kernel.last_group - kernel.first_group == 1)
    line << "work-group " << kernel.first_group;
  else
    line << "one of the work-groups " << kernel.first_group << " to " << kernel.last_group - 1;
  line << " of " << total << ", each of " << range.local_size[0] << "x" << range.local_size[1] << "x"
       << range.local_size[2] << " work-items";
}

/// Appends the sentence of crash_sentence().
void write_sentence(Line& line, const RunningKernel& kernel, const compiler::CodeEnd& end,
                    std::string_view signal) {
  line << "kernel '" << kernel.signature->name << "'";
  const std::uintptr_t offset = end.instruction - reinterpret_cast<std::uintptr_t>(kernel.code->first_byte);
  const std::uint32_t number = offset < kernel.code->code_bytes ? line_of(*kernel.code, offset) : 0;
  if (number != 0) line << ", line " << number << ",";
  line << " caused " << signal;
  if (end.signal == SIGSEGV || end.signal == SIGBUS) write_address(line, kernel, end);
  write_groups(line, kernel);
}

/// Reports the signal if the instruction that caused it belongs to the kernel, since only then the kernel is
/// the cause.
void report(const Handled& signal, const siginfo_t& info, const void* context, const RunningKernel& kernel) {
  const compiler::CodeEnd end{{},
                              signal.signal,
                              info.si_code,
                              compiler::program_counter(*static_cast<const ucontext_t*>(context)),
                              reinterpret_cast<std::uintptr_t>(info.si_addr)};
  if (end.instruction - reinterpret_cast<std::uintptr_t>(kernel.code->first_byte) >= kernel.code->code_bytes)
    return;
  Line line;
  line << "hostcl: error: ";
  write_sentence(line, kernel, end, signal.name);
  line.write();
}

/// Does what would have happened without this handler: calls the previous handler. If there is none, restores
/// the default action; the signal is then raised again, by the same instruction or by raise(), and ends the
/// process.
void call_previous(Handled& signal, siginfo_t* info, void* context) {
  struct sigaction before = signal.before;
  if ((before.sa_flags & SA_RESETHAND) && signal.is_spent.exchange(true)) {
    before.sa_flags = 0;
    before.sa_handler = SIG_DFL;
  }
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal.signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal.signal);
  const bool was_sent = info->si_code <= 0;
  if (was_sent && before.sa_handler == SIG_IGN) return;
  ::sigaction(signal.signal, &before, nullptr);
  if (was_sent) ::raise(signal.signal);
}

void handle(int number, siginfo_t* info, void* context) {
  const int error = errno;
  for (Handled& signal : handled) {
    if (signal.signal != number) continue;
    const RunningKernel* kernel = running_kernel();
    if (kernel && info->si_code > 0) report(signal, *info, context, *kernel);
    if (faults::has_report()) faults::note_crash(signal.name, *static_cast<const ucontext_t*>(context));
    call_previous(signal, info, context);
  }
  errno = error;
}

constexpr std::size_t stack_bytes = std::size_t{64} << 10;
constinit thread_local void* signal_stack = nullptr;

void end_signal_stack() {
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  stack_t current;
  if (::sigaltstack(nullptr, &current) == 0 && current.ss_sp == signal_stack) ::sigaltstack(&none, nullptr);
  ::munmap(signal_stack, stack_bytes);
  signal_stack = nullptr;
}

} // namespace

std::string crash_sentence(const RunningKernel& kernel, const compiler::CodeEnd& end) {
  Line line;
  write_sentence(line, kernel, end, end.reason);
  return std::string(line.text());
}

void install_crash_report() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Other handlers may call this one as long as the process lives, so the driver must not be unloaded.
    Dl_info self;
    if (!::dladdr(reinterpret_cast<void*>(&handle), &self) ||
        !::dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))
      return;
    for (Handled& signal : handled) {
      // SIGABRT is not caused by an instruction of a kernel. Only hostcl-check --fail-each needs its handler, to learn
      // whose code called abort().
      if (signal.signal == SIGABRT && !faults::has_report()) continue;
      struct sigaction action{};
      action.sa_sigaction = handle;
      // The handler runs on the alternate stack, if the thread has one, and blocks the signals that the previous
      // handler blocks.
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      ::sigaction(signal.signal, nullptr, &signal.before);
      action.sa_mask = signal.before.sa_mask;
      action.sa_flags |= signal.before.sa_flags & (SA_NODEFER | SA_RESTART);
      ::sigaction(signal.signal, &action, nullptr);
    }
  });
}

void prepare_thread_for_crash_report() {
  stack_t current;
  if (signal_stack || ::sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
  void* stack = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return;
  if (!at_thread_end<end_signal_stack>()) {
    ::munmap(stack, stack_bytes);
    return;
  }
  const stack_t mine{.ss_sp = stack, .ss_flags = 0, .ss_size = stack_bytes};
  ::sigaltstack(&mine, nullptr);
  signal_stack = stack;
}

} // namespace hostcl::runtime
