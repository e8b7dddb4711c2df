#pragma once

// Compile servers: processes that run the compiler for the application. A server executes the driver's shared library
// as a program. If clang or LLVM crashes or exceeds its resource budget, only the server ends, and the application goes
// on.
//
// A server does one task at a time. If all servers are busy, another server is started; at most four idle servers are
// kept for later tasks. A server is killed when its task exceeds a limit. It ends by itself after a task in which the
// compiler gave up (a crash, or a lack of memory). If a server was ended from outside, its task is given to another
// server once.
//
// A server ends with the process that started it, and a child of fork() starts servers of its own. A server reads files
// as the application would: in the application's working folder, with the environment that the application had when the
// server was started, and with the rights of the thread that asks. A thread never uses a server that was started with
// other rights (rights.hpp); another server is started instead.
//
// Servers do all tasks of an application that was started with HOSTCL_COMPILER=process or HOSTCL_GUEST=process. For
// other applications, servers do all tasks once the application's own compiler was left (what_was_given_up()): from
// then on, that compiler may hold locks and may have damaged memory. If no server can be started, the application's own
// compiler does the task.

#include "compiler/isolation/isolate.hpp"
#include "compiler/server/channel.hpp"

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

/// Whether servers do the tasks of this process: according to use_compiler_processes() (compiler.hpp), and if work of
/// the process was left.
bool uses_servers();

/// Has a server do a task, and waits for the reply. Must be called by isolated work (isolate.hpp): the server's CPU
/// time counts against the time limit of that work.
/// @param own_time limit of the CPU time of this task alone, in addition to the limit of the isolated work; 0: none
/// @param step if the task does not end, receives the compiler's step that the server had begun last
/// @returns the reply; a GaveUp if the task did not end; nothing if the caller has to do the task itself
std::optional<llvm::Expected<std::vector<std::byte>>>
ask(Task task, std::span<const std::byte> request, std::chrono::nanoseconds own_time, StepRecord& step);

/// The working folder of this process; empty if it has none.
std::string working_folder();

} // namespace hostcl::compiler
