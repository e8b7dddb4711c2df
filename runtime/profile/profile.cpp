#include "runtime/profile/profile.hpp"

#include "compiler/noted_code.hpp"
#include "runtime/profile/records.hpp"
#include "runtime/profile/report.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <exception>

namespace hostcl::runtime::profile {

namespace {

// Runs before main(), or when the ICD loader opens the driver, so before any call of the API. Functions
// registered first run last at exit(): the report is written after Background has paused the threads that run
// commands.
[[gnu::constructor]] void begin_when_loaded() noexcept {
  try {
    begin();
  } catch (const std::exception&) {
    recording = false; // out of memory, so there is no profile
  }
}

KernelRecord& record_in(const LaunchProperties& properties) {
  std::atomic<void*>& user_data = compiler::noted(properties.code).user_data;
  if (void* known = user_data.load(std::memory_order_acquire)) return *static_cast<KernelRecord*>(known);
  KernelRecord& record = Records::instance().record_of(properties);
  user_data.store(&record, std::memory_order_release);
  return record;
}

} // namespace

LaunchTimer::LaunchTimer(const LaunchProperties& properties)
    : properties_(properties), record_(record_in(properties)), kind_(record_.count(properties)) {
  if (kind_) began_ = now_ns();
}

// A child of fork() continues with the command of the thread that forked. Other threads may have held locks
// at the fork, so the child must not add figures.

LaunchTimer::~LaunchTimer() {
  if (!kind_ || !is_on()) return;
  const std::uint64_t ns = now_ns() - began_;
  const std::uint64_t alone = ns - std::min(ns, parallel_ns_);
  record_.add(*kind_, properties_, ns, alone + busy_ns_, ns * machine().threads);
}

void LaunchTimer::begin_parallel() {
  if (kind_) parallel_began_ = now_ns();
}

void LaunchTimer::end_parallel(std::uint64_t busy_ns) {
  if (!kind_) return;
  parallel_ns_ += now_ns() - parallel_began_;
  busy_ns_ += busy_ns;
}

void Moment::begin(Activity activity, std::string_view name) {
  activity_ = activity;
  name_ = name;
  began_ = now_ns();
}

void Moment::end() {
  if (!is_on()) return;
  Records::instance().add_event(activity_, name_, began_, now_ns());
}

CommandTimer::~CommandTimer() {
  if (!is_on()) return;
  Records::instance().add_command(name_, now_ns() - began_);
}

void note_compilation(std::string_view kernel, std::uint64_t began_ns, bool waited) {
  const std::uint64_t now = now_ns();
  Records::instance().add_compilation(kernel, now - began_ns, waited);
  if (has_room.load(std::memory_order_relaxed))
    Records::instance().add_event(Activity::compiler, kernel.empty() ? "program" : kernel, began_ns, now);
}

} // namespace hostcl::runtime::profile
