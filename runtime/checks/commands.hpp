#pragma once

// HOSTCL_CHECK=commands: commands that access the same memory, of which one writes, and that nothing orders: no event,
// barrier, queue in order, or wait of the host. Each command has a number while the check is on, otherwise 0.
//
// What is told here is told as it happens. Nothing of it may be called under a lock of a queue or an event.

#include "compiler/abi/launch.hpp"
#include "runtime/checks/access_set.hpp"
#include "runtime/support/box.hpp"

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::checks {

/// A command that is being enqueued.
struct NewCommand {
  const void* queue;
  const char* call; ///< the entry point, a text that lives for ever
  bool is_in_order; ///< its queue is
  bool comes_after_all, is_barrier;
  /// The host knows when it ends, though no call tells: its code runs in the command, or waits for what that signals.
  bool tells_host = false;
  /// It may wait for what the host does.
  bool hears_host = false;
  /// Which side of a transfer is a pointer of the host's, so that it may point into a mapped region.
  bool reads_by_host_pointer = false, writes_by_host_pointer = false;
};

/// @returns the command's number; 0 if there is no memory, and nothing is checked any more
std::uint64_t note_enqueued(const NewCommand& command) noexcept;
/// The command waits for another one, or for a user event; told before it is in its queue.
void note_wait(std::uint64_t number, std::uint64_t awaited) noexcept;
std::uint64_t note_user_event();
/// Before the commands that wait for it are told.
void note_user_event_set(std::uint64_t number);
/// A queue goes; another one may get its address.
void forget_queue(const void* queue);

/// Those of the command that this thread runs; null unless the check is on.
abi::CommandAccesses* current_accesses();

/// Has a thread take part in a command as long as this lives, or in none.
class TakesPart {
public:
  explicit TakesPart(abi::CommandAccesses* accesses);
  ~TakesPart();
  TakesPart(const TakesPart&) = delete;

private:
  abi::CommandAccesses* outer_;
};

/// A command runs on this thread as long as this lives: all commands that it waits for have ended.
class RunningCommand {
public:
  explicit RunningCommand(std::uint64_t number);
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;

private:
  std::uint64_t outer_number_;
  TakesPart takes_part_;
};

// What the host has been told, or has waited for. Commands that it enqueues from now on come after that.

/// Its status: CL_RUNNING says that what it waits for has ended, CL_COMPLETE or an error that it has ended.
void host_knows(std::uint64_t number, std::int32_t status);
/// All commands of a queue that have ended.
void host_knows_ends_of(const void* queue);
/// All commands that have ended.
void host_knows_all_ends();

// What the running command does. Nothing unless the check is on.

void note_transfer(const std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box);
void note_fill(const std::byte* to, const Box& box);
/// A region is mapped from the command on, until one unmaps it.
void note_mapped(const std::byte* memory, const Box& box, bool writes);
void note_unmapped(const void* address);

// What the host does. Nothing unless the check is on.

/// The host frees memory that commands may use, or a command does. @param call a text that lives for ever
void note_freed(const void* memory, std::size_t bytes, const char* call);
/// The addresses may be used for something else.
void forget_accesses(const void* memory, std::size_t bytes);
/// The same for variables in program scope, of any program.
void forget_variables();

void add_command_services(abi::Services& services);

} // namespace hostcl::runtime::checks
