#include "runtime/checks/commands.hpp"

#include "compiler/isolation/write_signals.hpp"
#include "runtime/checks/command_findings.hpp"
#include "runtime/checks/command_order.hpp"
#include "runtime/checks/findings.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/support/cl.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/lock.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include <unistd.h>

namespace hostcl::runtime::checks {

namespace {

std::atomic<bool> is_lost = false;

/// Called when there is no memory. Without the complete order, findings would be wrong, so the check ends.
void lose_order() noexcept {
  if (is_lost.exchange(true)) return;
  constexpr std::string_view sentence = "hostcl: check commands: out of memory for the order of commands; "
                                        "commands are not checked from now on\n";
  const WriteSignalsBlocked no_signals;
  if (write(STDERR_FILENO, sentence.data(), sentence.size()) < 0)
    return; // there is no other place to report it to
}

bool is_on() {
  return checks::is_checked(compiler::Check::commands) && !is_lost.load(std::memory_order_relaxed);
}

constinit Lock order_lock; ///< guards order()

CommandOrder& order() {
  static auto* instance = new CommandOrder;
  return *instance;
}

Lock& process_lock() {
  return order_lock;
}

/// In a child of fork(), commands of the parent do not end.
void forget_all() {
  if (is_on()) order().clear();
}

const bool is_held_over_fork = held_over_fork<process_lock, forget_all>();

/// Calls a member function of the order with the lock held. @returns its result, or a value-initialised result
/// if memory is short
template <auto member, class... Arguments>
auto ask(Arguments&&... arguments) noexcept {
  using Answer = std::invoke_result_t<decltype(member), CommandOrder&, Arguments...>;
  std::scoped_lock guard(order_lock);
  try {
    if (!is_lost) return (order().*member)(std::forward<Arguments>(arguments)...);
  } catch (const std::bad_alloc&) {
    lose_order();
  }
  return Answer();
}

void report(const CommandFindings& findings) {
  try {
    for (const CommandFinding& finding : findings)
      note(finding);
  } catch (const std::bad_alloc&) {
    return; // there may be memory for the next finding
  }
}

Range range_of(const void* memory, std::size_t bytes) {
  const auto first = std::bit_cast<std::uint64_t>(memory);
  return {first, first + bytes};
}

/// Whether the command has made atomic operations on memory on which the host may make atomic operations at the same
/// time: on any memory except that of clCreateBuffer().
bool meets_host(const AccessSet& accesses) {
  const auto is_shared = [](std::uint64_t address) {
    return std::string_view(LiveObjects::instance().find(address).call) != "clCreateBuffer";
  };
  return std::ranges::any_of(accesses, [&](const Accesses& some) {
    return (some.how & abi::command_is_atomic) &&
           some.ranges.any([&](Range range) { return is_shared(range.first); });
  });
}

/// The command that the calling thread runs.
struct Current {
  std::uint64_t number = 0;
  abi::CommandAccesses* accesses = nullptr;
};

Current& current() {
  static constinit thread_local Current current;
  return current;
}

} // namespace

// ---- Order

std::uint64_t note_enqueued(const NewCommand& command) noexcept {
  return is_on() ? ask<&CommandOrder::enqueue>(command) : 0;
}

void note_wait(std::uint64_t number, std::uint64_t awaited) noexcept {
  if (number) ask<&CommandOrder::wait>(number, awaited);
}

std::uint64_t note_user_event() {
  return is_on() ? ask<&CommandOrder::make_user_event>() : 0;
}

void note_user_event_set(std::uint64_t number) {
  if (number) ask<&CommandOrder::set_user_event>(number);
}

void forget_queue(const void* queue) {
  if (is_on()) ask<&CommandOrder::forget_queue>(queue);
}

void host_knows(std::uint64_t number, std::int32_t status) {
  if (number && status <= CL_RUNNING) ask<&CommandOrder::host_knows>(number, status <= CL_COMPLETE);
}

void host_knows_ends_of(const void* queue) {
  if (is_on()) ask<&CommandOrder::host_knows_ends_of>(queue);
}

void host_knows_all_ends() {
  if (is_on()) ask<&CommandOrder::host_knows_all_ends>();
}

// ---- Commands that run

abi::CommandAccesses* current_accesses() {
  return current().accesses;
}

TakesPart::TakesPart(abi::CommandAccesses* accesses) : outer_(std::exchange(current().accesses, accesses)) {}

TakesPart::~TakesPart() {
  current().accesses = outer_;
}

RunningCommand::RunningCommand(std::uint64_t number)
    : outer_number_(std::exchange(current().number, number)),
      takes_part_(ask<&CommandOrder::begin>(number)) {}

RunningCommand::~RunningCommand() {
  abi::CommandAccesses* collected = current().accesses;
  const std::uint64_t number = std::exchange(current().number, outer_number_);
  try {
    const bool is_incomplete = collected && collected->is_incomplete();
    AccessSet accesses = collected ? collected->take() : AccessSet();
    const bool meets = meets_host(accesses);
    report(ask<&CommandOrder::end>(number, std::move(accesses), meets));
    if (is_incomplete)
      Findings::instance().say_once("commands: a command accesses more memory ranges than the check can "
                                    "record; findings that involve the others are missed");
    if (ask<&CommandOrder::has_forgotten>())
      Findings::instance().say_once(
          "commands: so many commands have ended without the host waiting for them that the check has "
          "dropped the oldest; findings that involve these are missed");
  } catch (const std::bad_alloc&) {
    lose_order();
  }
}

// ---- What they do

void note_transfer(const std::byte* to, const Rect& to_rect, const std::byte* from, const Rect& from_rect) {
  abi::CommandAccesses* accesses = current_accesses();
  if (!accesses) return;
  accesses->add(abi::command_writes, to, to_rect);
  accesses->add(0, from, from_rect);
}

void note_fill(const std::byte* to, const Rect& rect) {
  if (abi::CommandAccesses* accesses = current_accesses()) accesses->add(abi::command_writes, to, rect);
}

void note_mapped(const std::byte* memory, const Rect& rect, bool writes) {
  if (!current().accesses) return;
  Ranges ranges;
  ranges.add(memory, rect);
  ask<&CommandOrder::map>(current().number, std::move(ranges),
                          std::bit_cast<std::uint64_t>(memory) + rect.first, writes);
}

void note_unmapped(const void* address) {
  if (current().accesses) ask<&CommandOrder::unmap>(current().number, std::bit_cast<std::uint64_t>(address));
}

void note_freed(const void* memory, std::size_t bytes, const char* call) {
  if (abi::CommandAccesses* accesses = current_accesses())
    accesses->add(abi::command_writes, static_cast<const std::byte*>(memory), Rect::row(0, bytes));
  else if (is_on())
    report(ask<&CommandOrder::free>(range_of(memory, bytes), call));
}

void forget_accesses(const void* memory, std::size_t bytes) {
  if (bytes > 0 && is_on()) ask<&CommandOrder::forget>(range_of(memory, bytes));
}

void forget_variables() {
  if (is_on()) ask<&CommandOrder::forget_variables>();
}

namespace {

void command_access(void*, const abi::Launch* launch, std::uint64_t address, std::uint64_t bytes,
                    std::uint32_t how, const abi::CheckSite* site) {
  if (launch->accesses) launch->accesses->add(site, how, {address, address + bytes});
}

} // namespace

void add_command_callbacks(abi::HostCallbacks& host_callbacks) {
  host_callbacks.command_access = command_access;
}

} // namespace hostcl::runtime::checks
