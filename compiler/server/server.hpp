#pragma once

// Compile servers: processes of the driver's own file that do what the compiler would do in this one, so that a crash or
// an excess of theirs is none of the application's.
//
// Each has one task in hand; there are as many as tasks at the same time, and a few wait for the next one. A task that
// exceeds a bound ends with its server, which is killed, and so does one that gives up. A server ends with the process
// that has started it, and children of fork() have servers of their own. It reads files as the application would: in the
// same working folder, with the environment that it was started with, and with the rights that the asking thread has. A
// thread never uses a server that was started with other rights (rights.hpp): another server is started.
//
// In a server itself, and where none is wanted or can be started, there is none: callers do the task in their process.

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

/// Has tasks done by servers from now on.
/// @param settings makes the contents of the first request that each server gets
/// @param report is called once, with a sentence, if none can be started
void use_servers(std::vector<std::byte> (*settings)(), void (*report)(std::string_view message));

/// Whether servers are wanted.
bool uses_servers();

/// Has a server do a task. Called by isolated work, whose bounds hold.
/// @param own_time that it may take of the processor, where it is less; 0: there is no such bound
/// @param step gets the last one that the server began, if it came to no end
/// @returns the reply; a GaveUp if there is none; nothing where the caller has to do the task
std::optional<llvm::Expected<std::vector<std::byte>>> ask(Task task, std::span<const std::byte> request,
                                                          std::chrono::nanoseconds own_time = {},
                                                          StepRecord* step = nullptr);

/// The same, with values for contents.
/// @param pack_request called with a Packer if there are servers
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
