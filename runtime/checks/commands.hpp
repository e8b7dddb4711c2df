#pragma once

// HOSTCL_CHECK=commands: reports pairs of commands that access the same memory, at least one of them writing,
// and that are not ordered by an event, a barrier, an in-order queue or a wait of the host. While the check
// is on, each command has a number; otherwise its number is 0.
//
// Each of these functions records an event at the time when it happens. None of them may be called with the lock of a
// queue or of an event held.

#include "compiler/abi/launch.hpp"
#include "runtime/checks/access_set.hpp"
#include "runtime/support/rect.hpp"

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime::checks {

/// What the check has to know of a command that is being enqueued.
struct NewCommand {
  const void* queue;
  const char* call; ///< name of the API function; the text must live as long as the process
  bool is_in_order; ///< whether the queue is in-order
  bool comes_after_all, is_barrier;
  /// The host learns of the command's end although no call tells it: code of the application runs in the
  /// command, or waits for what the command signals.
  bool tells_host = false;
  /// The command may wait for something that the host does.
  bool hears_host = false;
  /// Whether the source or the destination of a transfer is a pointer of the host, which may point into a
  /// mapped region.
  bool reads_by_host_pointer = false, writes_by_host_pointer = false;
};

/// @returns the command's number, or 0 if there is no memory; then nothing is checked any more
std::uint64_t note_enqueued(const NewCommand& command) noexcept;
/// Records that a command waits for another command or a user event. Called before the command is in its
/// queue.
void note_wait(std::uint64_t number, std::uint64_t awaited) noexcept;
std::uint64_t note_user_event();
/// Called before the commands that wait for the user event learn of its status.
void note_user_event_set(std::uint64_t number);
/// Called when a queue is destroyed, since another queue may get its address.
void forget_queue(const void* queue);

/// Collects the accesses of the command that this thread runs; null unless the check is on.
abi::CommandAccesses* current_accesses();

/// While an object of this class exists, the accesses of this thread belong to another command, or to no
/// command.
class TakesPart {
public:
  explicit TakesPart(abi::CommandAccesses* accesses);
  ~TakesPart();
  TakesPart(const TakesPart&) = delete;

private:
  abi::CommandAccesses* outer_;
};

/// While an object of this class exists, this thread runs a command. All commands that it waits for have
/// ended.
class RunningCommand {
public:
  explicit RunningCommand(std::uint64_t number);
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;

private:
  std::uint64_t outer_number_;
  TakesPart takes_part_;
};

// What the host has learnt by a status, a callback or a wait. Commands that the host enqueues from now on come after
// the commands whose end it knows of.

/// The host has seen the status of a command. CL_RUNNING tells the host that all commands which this command waits for
/// have ended; CL_COMPLETE or an error tells that the command itself has ended, and so have all commands that come
/// before it.
void host_knows(std::uint64_t number, std::int32_t status);
/// The host has learnt the end of all commands of a queue that have ended so far.
void host_knows_ends_of(const void* queue);
/// The host has learnt the end of all commands that have ended so far.
void host_knows_all_ends();

// What the running command does. These functions do nothing unless the check is on.

void note_transfer(const std::byte* to, const Rect& to_rect, const std::byte* from, const Rect& from_rect);
void note_fill(const std::byte* to, const Rect& rect);
/// The command maps a region, which stays mapped until another command unmaps it.
void note_mapped(const std::byte* memory, const Rect& rect, bool writes);
void note_unmapped(const void* address);

// What the host does. These functions do nothing unless the check is on.

/// The host, or a command, frees memory that commands may use. @param call name of the API function; the text
/// must live as long as the process
void note_freed(const void* memory, std::size_t bytes, const char* call);
/// Called when memory is released, so that its addresses may belong to another object later: forgets the accesses to
/// them.
void forget_accesses(const void* memory, std::size_t bytes);
/// Forgets the accesses to all variables in program scope.
void forget_variables();

void add_command_callbacks(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime::checks
