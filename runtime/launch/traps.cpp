#include "runtime/launch/traps.hpp"

#include "compiler/isolation/trap_handler.hpp"
#include "runtime/context/context.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/support/log.hpp"

#include <new>

namespace hostcl::runtime {

namespace {

using Id = std::array<std::uint64_t, 3>;

std::string text_of(const Id& id) {
  return text("(", id[0], ", ", id[1], ", ", id[2], ")");
}

/// A sentence about the work-item's local id and its group's id.
std::string place_in_group(const abi::NDRange& range, const Id& global_id) {
  Id local_id, group_id;
  for (unsigned d = 0; d < 3; ++d) {
    const std::uint64_t distance = global_id[d] - range.global_offset[d];
    local_id[d] = distance % range.local_size[d];
    group_id[d] = distance / range.local_size[d];
  }
  return text("local ", text_of(local_id), " of group ", text_of(group_id));
}

std::string what_of(const TrapProperties& trap) {
  if (!trap.expression) return trap.site.what;
  std::string what = text("assertion '", trap.expression, "' failed");
  if (trap.file) what += text(" at ", trap.file, ":", trap.line);
  if (trap.function) what += text(" in function '", trap.function, "'");
  return what;
}

std::string reason_of(const TrapProperties& trap, const abi::NDRange& range) {
  std::string reason = text("kernel '", trap.kernel, "' ended by ", what_of(trap));
  if (trap.site.line && !trap.expression)
    reason +=
        text(" at ", *trap.site.file ? trap.site.file : "source", ":", trap.site.line, ":", trap.site.column);
  if (const auto& id = trap.global_id)
    reason += text(", work-item ", text_of(*id), ", ", place_in_group(range, *id));
  if (*trap.site.source) reason += text("\n  > ", trap.site.source);
  return reason;
}

/// The reason of a trap if there is no memory for a better one. It is never destroyed.
const std::string& unknown_reason() {
  static const auto& reason = *new std::string("a kernel trapped");
  return reason;
}

/// Where the calling thread continues after a trap. If it runs no kernel but a constructor in program scope,
/// the process ends by the machine's trap instruction.
TrapExit& trap_exit() {
  const RunningKernel* kernel = running_kernel();
  if (!kernel || !kernel->trap_exit) __builtin_trap();
  return *kernel->trap_exit;
}

[[noreturn]] void trap(void*, const abi::Launch*, std::uint64_t global_x, std::uint64_t global_y,
                       std::uint64_t global_z, const abi::TrapSite* site, std::uint64_t expression,
                       std::uint64_t file, std::uint64_t line, std::uint64_t function) {
  TrapExit& exit = trap_exit();
  const auto text_at = [](std::uint64_t address) { return reinterpret_cast<const char*>(address); };
  exit.traps.note({running_kernel()->signature->name, *site, Id{global_x, global_y, global_z},
                   text_at(expression), text_at(file), line, text_at(function)},
                  exit.range);
  std::longjmp(exit.place, 1);
}

[[noreturn]] void trap_in_call(const abi::TrapSite* site) {
  TrapExit& exit = trap_exit();
  exit.traps.note({running_kernel()->signature->name, *site, std::nullopt}, exit.range);
  std::longjmp(exit.place, 1);
}

} // namespace

void TrapReason::free_text() {
  if (text_ != &unknown_reason()) delete text_;
}

TrapReason LaunchTraps::take() {
  return TrapReason(reason_.exchange(nullptr, std::memory_order_relaxed));
}

void LaunchTraps::note(const TrapProperties& trap, const abi::NDRange& range) noexcept {
  note_first([&] { return reason_of(trap, range); });
}

void LaunchTraps::note(std::string_view reason) noexcept {
  note_first([&] { return std::string(reason); });
}

template <class Make>
void LaunchTraps::note_first(Make make) noexcept {
  if (has_any()) return;
  TrapReason reason;
  try {
    reason = TrapReason(new std::string(make()));
  } catch (const std::bad_alloc&) {
    reason = TrapReason(&unknown_reason());
  }
  const std::string* none = nullptr;
  if (reason_.compare_exchange_strong(none, &*reason, std::memory_order_relaxed)) (void)reason.release();
}

void add_trap_callback(abi::HostCallbacks& host_callbacks) {
  unknown_reason(); // allocates its text while there is memory
  host_callbacks.trap = trap;
  compiler::set_trap_handler(trap_in_call);
}

cl_int report_trap(const std::string& reason, const Context& context) {
  if (context.is_terminated()) return CL_CONTEXT_TERMINATED_KHR;
  log(LogLevel::error, reason);
  context.notify(reason);
  return trap_status;
}

} // namespace hostcl::runtime
