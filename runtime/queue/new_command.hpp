#pragma once

// Tells the check `commands` (runtime/checks/commands.hpp) about a command that is being enqueued.

#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

/// Gives the command and its event a number. Called before the command is in the queue.
void note_new_command(const Queue& queue, Command& command, const Queue::Submission& submission) noexcept;

} // namespace hostcl::runtime
