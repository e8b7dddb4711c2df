#pragma once

// A command that is being enqueued, as the check of commands takes it (runtime/checks/commands.hpp).

#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

/// Gives the command and its event a number, before it is in the queue.
void note_new_command(const Queue& queue, Command& command, const Queue::Submission& submission) noexcept;

} // namespace hostcl::runtime
