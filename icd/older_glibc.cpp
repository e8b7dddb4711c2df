// Replacements for functions that the oldest glibc of the wheel (script/wheel/pack) does not have. LLVM's archives, the
// C++ library and the driver were compiled with headers of a newer glibc, and call these functions. If the process's
// glibc has the function, the replacement calls it. Declared in <dlfcn.h>, <string.h> and other headers of glibc.

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

namespace {

/// The function of this name in the process, or null.
template <typename Function>
Function* of_process(const char* name) noexcept {
  void* const function = dlsym(RTLD_DEFAULT, name);
  return reinterpret_cast<Function*>(function);
}

// Looked up when the driver is loaded, because _dl_find_object() is called in signal handlers.
const auto find_object = of_process<decltype(_dl_find_object)>("_dl_find_object");
const auto clock_wait = of_process<decltype(pthread_cond_clockwait)>("pthread_cond_clockwait");
const auto signal_name = of_process<decltype(sigabbrev_np)>("sigabbrev_np");
const auto malloc_information = of_process<decltype(mallinfo2)>("mallinfo2");

constexpr long second_ns = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * second_ns + time.tv_nsec;
}

std::int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return nanoseconds(now);
}

struct Search {
  std::uintptr_t address;
  dl_find_object* result;
};

int visit(dl_phdr_info* library, std::size_t, void* data) {
  const auto& search = *static_cast<Search*>(data);
  std::uintptr_t first = UINTPTR_MAX, end = 0;
  void* frames = nullptr;
  for (const ElfW(Phdr) & segment : std::span(library->dlpi_phdr, library->dlpi_phnum)) {
    const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_GNU_EH_FRAME) frames = reinterpret_cast<void*>(begin);
    if (segment.p_type != PT_LOAD) continue;
    first = std::min(first, begin);
    end = std::max(end, begin + segment.p_memsz);
  }
  if (search.address < first || search.address >= end) return 0;
  search.result->dlfo_map_start = reinterpret_cast<void*>(first);
  search.result->dlfo_map_end = reinterpret_cast<void*>(end);
  search.result->dlfo_eh_frame = frames;
  return 1;
}

} // namespace

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the C library's names

char __libc_single_threaded = 0;

pid_t gettid() noexcept {
  return static_cast<pid_t>(syscall(SYS_gettid));
}

int _dl_find_object(void* address, dl_find_object* result) noexcept {
  if (find_object) return find_object(address, result);
  Search search{reinterpret_cast<std::uintptr_t>(address), result};
  return dl_iterate_phdr(visit, &search) ? 0 : -1;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  if (clock_wait) return clock_wait(condition, mutex, clock, until);
  // The condition variable uses CLOCK_REALTIME, which may be set during the wait, so the remaining time is computed
  // again after each wait.
  while (true) {
    const std::int64_t left = nanoseconds(*until) - now_ns(clock);
    if (left <= 0) return ETIMEDOUT;
    const std::int64_t end = now_ns(CLOCK_REALTIME) + left;
    const timespec day{.tv_sec = end / second_ns, .tv_nsec = end % second_ns};
    if (const int error = pthread_cond_timedwait(condition, mutex, &day); error != ETIMEDOUT) return error;
  }
}

const char* sigabbrev_np(int signal) noexcept {
  return signal_name ? signal_name(signal) : nullptr;
}

struct mallinfo2 mallinfo2() noexcept {
  using Information = struct mallinfo2;
  return malloc_information ? malloc_information() : Information{};
}

std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    ;
  return value;
}

// NOLINTEND(bugprone-reserved-identifier)
}

#pragma GCC visibility pop
