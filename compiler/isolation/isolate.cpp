#include "compiler/isolation/isolate.hpp"

#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/own_stack.hpp"
#include "compiler/isolation/own_threads.hpp"
#include "compiler/isolation/resource_budget.hpp"

#include "clang/Basic/Stack.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include <execinfo.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

/// clang's parser and LLVM's instruction selection are recursive. Pages of the 64 MB that are never touched cost no
/// memory.
constexpr std::size_t stack_bytes = 64u << 20;

void on_fatal_error(void*, const char* reason, bool) {
  leave_guarded_work(reason);
}

/// Called if operator new or an allocation of LLVM fails. LLVM is compiled without support for exceptions: its frames
/// release nothing when an exception passes through them, and destructors of other frames would then find objects that
/// are half made. So the frames of LLVM are left by a jump.
[[noreturn]] void on_bad_alloc() {
  leave_for_memory();
  throw std::bad_alloc();
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { on_bad_alloc(); });
    std::set_new_handler(on_bad_alloc); // of the driver alone, because the C++ library is part of the driver
    // The C library loads the unwinder when it is first needed, for exceptions that pass through frames of the library,
    // as in std::call_once(). If memory is short at that time, the library ends the process. So the unwinder is loaded
    // here.
    void* frame;
    backtrace(&frame, 1);
  });
}

/// The layout of the memory of a stack. It begins with an inaccessible part, the stack for signal handlers, and another
/// inaccessible part, the guard, which shows that the stack proper has overflowed.
constexpr std::size_t lowest_bytes = 64u << 10, signal_bytes = 64u << 10, guard_bytes = 1u << 20;
constexpr std::size_t below_bytes = lowest_bytes + signal_bytes + guard_bytes;
/// The memory of a stack ends with unused address space, and a small stack for mark_stack().
constexpr std::size_t gap_bytes = 9u << 20, mark_bytes = 64u << 10;
constexpr std::size_t mapped_bytes = stack_bytes + gap_bytes + mark_bytes;

/// A number for the calling thread. No other thread of the process ever has the same number, even after this thread has
/// ended.
std::uint64_t number_of_this_thread() {
  static constinit std::atomic<std::uint64_t> count = 0;
  static constinit thread_local std::uint64_t number = 0;
  if (number == 0) number = ++count;
  return number;
}

constinit std::atomic<GivenUp> given_up = GivenUp::nothing;

/// The error of work that was left, or that there was no memory to begin with.
llvm::Error gave_up(std::string reason) {
  if (reason == out_of_memory)
    given_up = GivenUp::for_memory;
  else if (given_up == GivenUp::nothing)
    given_up = GivenUp::something;
  return llvm::make_error<GaveUp>(std::move(reason));
}

struct Work : IsolatedWork {
  explicit Work(llvm::function_ref<llvm::Error()> function)
      : IsolatedWork{.caller = number_of_this_thread()}, function(function) {}

  llvm::function_ref<llvm::Error()> function;
  std::optional<llvm::Error> error; ///< result of the function
  std::string failure;              ///< why the function was left; empty if it was not
  GuardedThread thread{};
  std::atomic<pid_t> id = 0; ///< thread id, once the thread runs
  std::byte* stack = nullptr;

  llvm::Error result() {
    if (error && failure.empty()) return std::move(*error);
    return gave_up(std::move(failure));
  }

  void run() {
    Failure crash;
    try {
      if (!guarded([this] { run_unguarded(); }, crash)) failure = crash.reason;
    } catch (const std::bad_alloc&) {
      failure = out_of_memory;
    }
  }

private:
  void run_unguarded() {
    try {
      error.emplace(function());
    } catch (const std::bad_alloc&) {
      failure = out_of_memory;
    } catch (const std::exception& e) {
      leave_guarded_work(e.what());
    }
  }
};

/// The isolated work that this thread does; null if it does none.
constinit thread_local Work* work_here = nullptr;

/// A pool of stacks that no thread runs on. Mapping a stack, touching its pages for the first time and unmapping it
/// takes longer than many steps of the compiler.
class Stacks {
public:
  /// Takes a stack from the pool, or maps a new one. @returns null if memory is short
  void* take() {
    {
      std::scoped_lock lock(mutex_);
      if (count_ > 0) return idle_[--count_];
    }
    void* stack = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return nullptr;
    auto* guard = static_cast<std::byte*>(stack) + lowest_bytes + signal_bytes;
    if (mprotect(stack, lowest_bytes, PROT_NONE) == 0 && mprotect(guard, guard_bytes, PROT_NONE) == 0)
      return stack;
    munmap(stack, mapped_bytes);
    return nullptr;
  }

  static void free(void* stack) { munmap(stack, mapped_bytes); }

  /// Unmaps the idle stacks. @returns whether there were any
  bool release_idle() {
    std::scoped_lock lock(mutex_);
    const bool any = count_ > 0;
    while (count_ > 0)
      free(idle_[--count_]);
    return any;
  }

  void give_back(void* stack) {
    // Frees the pages that only deeply nested input touches.
    madvise(stack, stack_bytes - kept_bytes, MADV_DONTNEED);
    std::scoped_lock lock(mutex_);
    if (count_ < max_idle)
      idle_[count_++] = stack;
    else
      munmap(stack, mapped_bytes);
  }

private:
  static constexpr std::size_t kept_bytes = 512u << 10, max_idle = 4;

  std::mutex mutex_; ///< guards all members
  std::array<void*, max_idle> idle_{};
  std::size_t count_ = 0;
};

/// The pool can be used while static objects are constructed or destroyed.
constinit Stacks stacks;
static_assert(std::is_trivially_destructible_v<Stacks>);

/// Memory that must be available for each running call of isolate() if the process has a limit (RLIMIT_DATA,
/// RLIMIT_AS): several times what the compilation of a small OpenCL program needs.
constexpr std::size_t working_bytes = 32u << 20;
/// Bytes of address space that the C library reserves for a short time when it creates the heap of a new thread.
constexpr std::size_t new_heap_bytes = 128u << 20;
constinit std::mutex entering;            ///< guards `running` and `extended_heaps`
constinit std::size_t running = 0;        ///< calls of isolate() that have a thread
constinit std::size_t extended_heaps = 0; ///< calls of extend_heap() that have extended a heap

bool is_limited(int resource) {
  rlimit limit;
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool can_map(std::size_t bytes, int protection) {
  void* room = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

/// Whether the limits of the process leave enough memory for one more call of isolate(). This is checked in advance
/// because LLVM and clang cannot handle allocations that fail: the work has to be left.
bool has_room() {
  const std::size_t bytes = (running + 1) * working_bytes;
  return (!is_limited(RLIMIT_DATA) || can_map(bytes, PROT_READ | PROT_WRITE)) &&
         (!is_limited(RLIMIT_AS) || can_map(bytes + new_heap_bytes, PROT_NONE));
}

/// Reserves memory for one call of isolate(), and returns a stack for it; null if memory is short. If other calls are
/// running, the function waits up to 10 s for their memory: they usually end soon, and a short wait is better than a
/// build or launch that fails. The wait is limited, because another call may itself wait for something that the caller
/// holds, such as a lock.
void* enter() {
  constexpr auto period = std::chrono::milliseconds(2), patience = std::chrono::milliseconds(10'000);
  for (auto waited = period; waited < patience;) {
    {
      std::scoped_lock lock(entering);
      if (void* stack = stacks.take()) {
        if (has_room()) {
          ++running;
          return stack;
        }
        Stacks::free(stack);
      }
      if (stacks.release_idle()) continue;
      if (running == 0) return nullptr;
    }
    std::this_thread::sleep_for(period);
    waited += period;
  }
  return nullptr;
}

void leave() {
  std::scoped_lock lock(entering);
  --running;
}

/// Makes clang use the whole stack of this thread. clang assumes that each stack has 8 MB, which it measures from the
/// address that clang::noteBottomOfStack() has noted. Near the end of these 8 MB clang would continue on a new thread, where
/// no fault would be caught. At a distance of more than 8 MB from the noted address, clang takes the stack for large enough.
/// So clang notes an address on a small stack that lies more than 8 MB above this thread's stack.
void mark_stack(std::byte* memory) {
  call_on_stack(
      memory + stack_bytes + gap_bytes, mark_bytes,
      [](void*) { clang::noteBottomOfStack(/*ForceSet=*/true); }, nullptr);
}

/// Extends the C library's heap for this thread to the size that the compilation of a small kernel needs. Otherwise the
/// heap would grow by one page at a time, with hundreds of system calls. The function allocates blocks and frees them:
/// the C library keeps their pages and uses them again without a system call. The C library also reuses the heaps of
/// threads that have ended. So a heap is only extended if more threads run at the same time than heaps have been
/// extended.
void extend_heap() {
  {
    std::scoped_lock lock(entering);
    if (running <= extended_heaps) return;
    ++extended_heaps;
  }
  constexpr std::size_t block_bytes = 96u << 10; // larger blocks would get mappings of their own
  std::array<void*, 24> blocks;                  // 2.3 MB in all
  for (void*& block : blocks) {
    block = std::malloc(block_bytes);
    asm volatile("" ::"r"(block) : "memory"); // or the C++ compiler would remove malloc() and free()
  }
  for (void* block : blocks)
    std::free(block);
}

void* main_of_thread(void* argument) {
  Work& work = *static_cast<Work*>(argument);
  extend_heap();
  install_handlers(); // here, because loading the unwinder takes some KB of stack
  work.id = gettid();
  work_here = &work;
  std::byte* signal_stack = work.stack + lowest_bytes;
  work.thread.enter(signal_stack, signal_bytes, signal_stack + signal_bytes, guard_bytes);
  mark_stack(work.stack);
  work.run();
  work.thread.leave();
  return nullptr;
}

/// Sets the default floating-point environment, as threads of the driver have it. The destructor restores the
/// environment of the application.
class DefaultRounding {
public:
  DefaultRounding() {
    fegetenv(&applications_);
    fesetenv(FE_DFL_ENV);
  }
  ~DefaultRounding() { fesetenv(&applications_); }
  DefaultRounding(const DefaultRounding&) = delete;

private:
  fenv_t applications_;
};

/// Runs the work on the calling thread, with the given stack, if the process cannot start a thread. The time and memory
/// of the work are not limited then. @returns false if that is not possible, either
bool run_here(Work& work) {
  const DefaultRounding rounding; // the work begins with this environment
  stack_t signal_stack;
  if (sigaltstack(nullptr, &signal_stack) != 0) return false;
  // Signals are blocked, because a handler of the application would not know this stack.
  const SignalMask mask = SignalMask::of_own_threads().exchange();
  const bool has_run = call_on_stack(
      work.stack + below_bytes, stack_bytes - below_bytes, [](void* here) { main_of_thread(here); }, &work);
  work_here = nullptr;
  sigaltstack(&signal_stack, nullptr);
  mask.exchange();
  return has_run;
}

/// Waits for the end of the work, and has the work left if it exceeds its resource budget.
void wait_for(pthread_t thread, Work& work, std::chrono::nanoseconds& spent) {
  ResourceBudget budget(spent);
  GuardedThread& guarded = work.thread;
  while (!guarded.wait(ResourceBudget::period)) {
    const char* reason = budget.excess(thread, work.id, guarded);
    spent = budget.spent();
    guarded.interrupt(thread, reason, budget.stands_still());
  }
  pthread_join(thread, nullptr);
}

/// Runs the work on a new thread with the given stack, or on the calling thread if no thread can be started. Nothing
/// interrupts work on the calling thread. It could wait for ever for a lock of LLVM that left work still holds, so the
/// calling thread does no work once any work has been left for lack of memory: LLVM allocates memory while it holds
/// locks, but hardly crashes or recurses then. llvm::thread is not used, because it would end the process
/// if no thread can be started.
/// @returns false if the work has not run
bool run_on(void* stack, Work& work, std::chrono::nanoseconds& spent) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread;
  work.stack = static_cast<std::byte*>(stack);
  const bool started =
      pthread_attr_setstack(&attributes, work.stack + below_bytes, stack_bytes - below_bytes) == 0 &&
      hcl_new_thread(&thread, &attributes, main_of_thread, &work) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return given_up != GivenUp::for_memory && run_here(work);
  wait_for(thread, work, spent);
  return true;
}

} // namespace

char GaveUp::ID = 0;

void GaveUp::log(llvm::raw_ostream& stream) const {
  stream << reason_;
}

std::string_view reason_of(const llvm::Error& error) {
  std::string_view reason;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase& info) {
    if (info.isA<GaveUp>()) reason = static_cast<const GaveUp&>(info).reason();
  });
  return reason;
}

bool ends_all_levels(std::string_view reason) {
  return reason == out_of_memory || reason == over_time || reason == over_memory || reason == unwanted ||
         reason == servers_killed || reason == servers_closed;
}

Failed failed(llvm::Error error, Status status, std::string log) {
  if (reason_of(error) == out_of_memory) {
    llvm::consumeError(std::move(error));
    return {Status::out_of_memory, {}};
  }
  if (reason_of(error) == servers_killed) status = Status::out_of_memory;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase& info) {
    log += (info.isA<GaveUp>() ? "error: the compiler gave up: " : "error: ") + info.message() + "\n";
  });
  return {status, std::move(log)};
}

IsolatedWork* isolated_work() {
  return work_here;
}

GivenUp what_was_given_up() {
  return given_up;
}

llvm::Error isolate(llvm::function_ref<llvm::Error()> function, std::chrono::nanoseconds* spent) {
  Work work{function};
  if (is_isolated()) {
    work.run();
    return work.result();
  }
  install_fault_handlers();
  void* stack = enter();
  if (!stack) return gave_up(out_of_memory);
  std::chrono::nanoseconds own{0}, &all = spent ? *spent : own;
  const std::chrono::nanoseconds before = work.served = all;
  const bool has_run = run_on(stack, work, all);
  all += work.served - before;
  if (work.thread.was_left())
    Stacks::free(stack);
  else
    stacks.give_back(stack);
  leave();
  return has_run ? work.result() : gave_up(out_of_memory);
}

} // namespace hostcl::compiler
