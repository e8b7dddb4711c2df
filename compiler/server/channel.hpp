#pragma once

// What an application and a compile server send each other. The contents of a request or a reply are in a file in
// memory (memfd_create()). A Note, a small message over a socket, tells the other end that a request or a reply is
// ready. A Note is always received whole, so neither end waits in the middle of a message if the other end is killed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// What an application asks a server to do.
enum class Task : std::uint32_t {
  compile,
  compile_il,
  link,
  check,
  parts,
  properties,
  object,
  inspect ///< to tell whether may_inspect() is true of the thread whose id is in Note::bytes
};

/// The result of a task.
enum class Done : std::uint32_t {
  well,
  at_last,        ///< the task has a reply, but the compiler gave up in a part of it, so the server ends
  lacking_memory, ///< the compiler gave up because it needed more than HOSTCL_COMPILE_MEMORY; the server ends
  refused         ///< of Task::inspect: the server may not inspect the thread
};

/// A message over the socket, which tells that a request or a reply is in its file.
struct Note {
  std::uint32_t kind = 0;  ///< a Task for a request, a Done for a reply
  std::uint64_t bytes = 0; ///< size of the contents in the file
};

/// The message that a server sends when it has started.
struct Greeting {
  std::array<char, 64> build{}; ///< build_id() of the server's file: arbitrary bytes, no text
};

/// How far a server has come with a task. The record is at the beginning of the file of replies, where the application
/// reads it if the server ends without a reply.
struct StepRecord {
  std::array<char, 40> name{}; ///< of the step of the pipeline that began last; empty before the first
  std::uint32_t width = 0;     ///< as Trial::width
  std::uint32_t prepares = 0;  ///< 1: the step is part of the kernel's preparation
  std::uint32_t is_taken = 0;  ///< 1: the server has begun with the task
};

/// Writes to a file in memory at an offset. @returns whether all was written
bool write_at(int file, std::size_t offset, std::span<const std::byte> bytes);

/// Reads bytes of a file in memory. @returns nothing if the file is shorter or cannot be read
std::optional<std::vector<std::byte>> read_at(int file, std::size_t offset, std::size_t size);

bool send_note(int socket, const void* note, std::size_t size);
template <class T>
bool send_note(int socket, const T& note) {
  return send_note(socket, &note, sizeof note);
}

/// Waits for a Note. @returns false if the other end has closed the socket
bool receive_note(int socket, void* note, std::size_t size);
template <class T>
bool receive_note(int socket, T& note) {
  return receive_note(socket, &note, sizeof note);
}

} // namespace hostcl::compiler
