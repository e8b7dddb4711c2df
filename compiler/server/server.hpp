#pragma once

// Compile servers: processes that run the compiler for the application. A server executes the driver's shared library
// as a program. If clang or LLVM crashes, or exceeds its resource budget, the server ends, and the application does
// not.
//
// A server does one task at a time. If all servers are busy, another server is started; up to four idle servers are
// kept for later tasks. A server is killed when its task exceeds a limit, and it ends when the compiler has given up on
// its task (a crash, or a lack of memory). If a server was ended from outside, its task is given to another server
// once.
//
// A server ends with the process that started it. A child of fork() starts servers of its own. A server reads files as
// the application would: it has the application's working folder, the environment of the time when it was started, and
// the rights of the thread that asks. A thread never uses a server that was started with other rights (rights.hpp);
// another server is started instead.
//
// ask() returns nothing in three cases, and the caller then does the task in its own process: in a server, if
// use_servers() has not been called, and if no server can be started.

#include "compiler/isolation/isolate.hpp"
#include "compiler/server/channel.hpp"
#include "compiler/server/message.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// From now on, servers do the compiler's tasks.
/// @param settings returns the contents of the first request that each server gets: the settings of the compiler
/// @param report called once, with a message, if no server can be started
void use_servers(std::vector<std::byte> (*settings)(), void (*report)(std::string_view message));

/// Whether servers are wanted.
bool uses_servers();

/// Has a server do a task, and waits for the reply. Must be called by isolated work (isolate.hpp): the limits of that
/// work include the server's CPU time.
/// @param own_time limit of the CPU time of this task alone, in addition to the limits of the isolated work; 0: none
/// @param step receives the compiler's step that the server had begun last, if the task did not end
/// @returns the reply; a GaveUp if the task did not end; nothing if the caller has to do the task itself
std::optional<llvm::Expected<std::vector<std::byte>>> ask(Task task, std::span<const std::byte> request,
                                                          std::chrono::nanoseconds own_time = {},
                                                          StepRecord* step = nullptr);

/// ask() for requests and replies that are values: packs the request, and unpacks the reply.
/// @param pack_request appends the request to a Packer; called only if uses_servers()
template <class Reply>
std::optional<llvm::Expected<Reply>> ask_for(Task task, llvm::function_ref<void(Packer&)> pack_request,
                                             std::chrono::nanoseconds own_time = {},
                                             StepRecord* step = nullptr) {
  if (!uses_servers()) return std::nullopt;
  Packer request;
  pack_request(request);
  auto bytes = ask(task, request.bytes(), own_time, step);
  if (!bytes) return std::nullopt;
  if (!*bytes) return bytes->takeError();
  Reply reply;
  Unpacker unpack(**bytes);
  unpack(reply);
  if (!unpack.is_complete()) return llvm::make_error<GaveUp>("its process has written no reply");
  return reply;
}

} // namespace hostcl::compiler
