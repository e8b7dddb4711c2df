#include "compiler/isolation/resource_budget.hpp"

#include "compiler/compiler.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

constinit std::atomic<std::uint64_t> most_seconds = 300;
constinit std::atomic<std::uint64_t> most_bytes = std::uint64_t{8} << 30;
constinit thread_local Cancellation* cancellation = nullptr;

/// The beginning of a small file; empty if it cannot be read. Allocates nothing.
struct Text {
  Text() = default;
  explicit Text(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count < 0) text[0] = '\0';
  }
  char text[512] = "";
};

/// The number at the beginning of the word that has `before` words before it; 0 if there is none.
std::uint64_t number_at(const char* text, unsigned before) {
  for (; text && before > 0; --before) {
    text = __builtin_strchr(text, ' ');
    if (text) ++text;
  }
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

/// The number of resident pages of the process.
std::uint64_t resident_pages() {
  const Text statistics("/proc/self/statm");
  return number_at(statistics.text, 1);
}

/// Reads /proc/PROCESS/task/THREAD/stat. @returns the text after the thread's name, ") STATE ..."; null if it
/// cannot be read
const char* read_statistics(const char* process, const char* thread, Text& statistics) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%s/task/%s/stat", process, thread);
  statistics = Text(path);
  return __builtin_strrchr(statistics.text, ')');
}

/// The number of pages that the thread was the first to touch.
std::uint64_t touched_pages(pid_t thread) {
  Text statistics;
  const char* behind_name = read_statistics("self", std::to_string(thread).c_str(), statistics);
  return behind_name ? number_at(behind_name, 8) : 0;
}

/// Whether the thread runs or waits for a CPU.
bool is_runnable(const char* process, const char* thread) {
  Text statistics;
  const char* behind_name = read_statistics(process, thread, statistics);
  return behind_name && behind_name[1] == ' ' && behind_name[2] == 'R';
}

} // namespace

void set_compile_limits(std::uint64_t seconds, std::uint64_t bytes) {
  if (seconds) most_seconds = seconds;
  if (bytes) most_bytes = bytes;
}

std::chrono::seconds most_time() {
  // At most the number of seconds that a clock can count in nanoseconds.
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;
  return std::chrono::seconds(std::min<std::uint64_t>(most_seconds, largest));
}

std::uint64_t most_memory() {
  return most_bytes;
}

std::uint64_t writable_bytes() {
  const Text statistics("/proc/self/statm");
  return number_at(statistics.text, 5) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

bool has_runnable_thread(pid_t process) {
  const std::string number = std::to_string(process);
  std::error_code error;
  std::filesystem::directory_iterator threads("/proc/" + number + "/task", error);
  for (; !error && threads != std::filesystem::directory_iterator(); threads.increment(error))
    if (is_runnable(number.c_str(), threads->path().filename().c_str())) return true;
  return false;
}

Cancellation::Cancellation(std::function<bool()> is_cancelled)
    : is_cancelled_(std::move(is_cancelled)), outer_(cancellation) {
  cancellation = this;
}

Cancellation::~Cancellation() {
  cancellation = outer_;
}

bool Cancellation::is_wanted_here() {
  return cancellation && cancellation->is_cancelled_();
}

std::chrono::nanoseconds time_of_level() {
  using namespace std::chrono_literals;
  constexpr std::uint64_t usual = 20, levels = 4;
  const std::uint64_t most = most_seconds;
  return most / levels >= usual ? usual * 1s : std::chrono::nanoseconds(1s) * most / levels;
}

ResourceBudget::ResourceBudget(std::chrono::nanoseconds spent)
    : before_(spent), resident_(resident_pages()) {}

/// Other threads may make the process grow, so the pages that this thread has touched are counted, too. One
/// of its page faults may have allocated a huge page. A huge page has as many bytes as a whole page table maps, and a
/// page table is a page of 8-byte entries, each of which maps a page.
bool ResourceBudget::takes_too_much_memory(pid_t thread) const {
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), most = most_bytes / page,
                      largest_page = page / sizeof(std::uint64_t);
  const std::uint64_t now = resident_pages();
  return now > resident_ && now - resident_ > most && touched_pages(thread) > most / largest_page;
}

void ResourceBudget::look(pthread_t thread, pid_t id, const GuardedThread& guarded) {
  clockid_t clock;
  timespec time{};
  if (pthread_getcpuclockid(thread, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return; // the thread has just ended
  const auto now = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  // A thread that waits for code which another thread compiles uses the other thread's budget. And a thread
  // that waits for a CPU is not idle.
  const bool is_idle = now == now_ && !guarded.waits() && !is_runnable("self", std::to_string(id).c_str());
  standing_still_ = is_idle ? standing_still_ + period : std::chrono::nanoseconds(0);
  if (is_idle) idle_ += period;
  now_ = now;
}

const char* ResourceBudget::excess(pthread_t thread, pid_t id, const GuardedThread& guarded) {
  // Most compilations end soon. So a compilation that is not wanted any more is left only if it goes on for this time.
  constexpr std::chrono::milliseconds patience{500};
  look(thread, id, guarded);
  if (excess_) return excess_;
  if (Cancellation::is_wanted_here()) unwanted_ += period;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::max(spent(), idle_)).count();
  if (static_cast<std::uint64_t>(seconds) >= most_seconds) // most_seconds may be more than a clock can count
    excess_ = over_time;
  else if (guarded.is_over_own_time(now_))
    excess_ = over_own_time;
  else if (takes_too_much_memory(id))
    excess_ = over_memory;
  else if (unwanted_ >= patience)
    excess_ = unwanted;
  else if (what_was_given_up() != GivenUp::nothing && stands_still())
    return stuck; // no limit is exceeded, so other work of the thread may go on
  return excess_;
}

} // namespace hostcl::compiler
