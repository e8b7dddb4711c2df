#pragma once

// The messages between an application and a compile server. A message is a request or a reply. Its contents are in a
// memfd file, one for requests and one for replies, and a note goes over a socket: a small packet that says what the
// message is and how many bytes its contents have. A note is received as a whole or not at all, so neither process ever
// waits in the middle of a message, and either process may be killed at any time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// What a request asks for.
enum class Task : std::uint32_t {
  settings,
  compile,
  compile_il,
  link,
  check,
  load,
  kernel,
  inspect ///< whether the server may_inspect() the thread whose number Note::bytes is
};

/// The result of a task.
enum class Done : std::uint32_t {
  well,
  at_last,        ///< isolated work gave up in the task; there is a reply, but the server ends
  lacking_memory, ///< the task needed more memory than HOSTCL_COMPILE_MEMORY allows; the server ends
  refused         ///< reply to Task::inspect: the server may not inspect the thread
};

/// The packet on the socket: `kind` is a Task in the note of a request, and a Done in the note of a reply.
struct Note {
  std::uint32_t kind = 0;
  std::uint64_t bytes = 0; ///< size of the message's contents
};

/// The first packet that a server sends.
struct Greeting {
  std::array<char, 64> build{}; ///< build_id(), which may have any bytes
};

/// How far a server has come with a task. The file of replies begins with this record, so that the application can read
/// it if the server crashes or is killed. A step is a step of the compiler's pipeline (code/pipeline/progress.hpp).
struct StepRecord {
  std::array<char, 40> name{}; ///< name of the step that has begun last; empty: none has begun
  std::uint32_t width = 0;     ///< see Trial::width
  std::uint32_t prepares = 0; ///< 1: the step is part of the kernel's preparation, before a variant is chosen
  std::uint32_t is_taken = 0; ///< 1: the server has begun the task
};

/// Writes to a memfd file at an offset. @returns whether all bytes were written
bool write_at(int file, std::size_t offset, std::span<const std::byte> bytes);

/// The bytes of a memfd file at an offset; nothing if the file is too short.
std::optional<std::vector<std::byte>> read_at(int file, std::size_t offset, std::size_t size);

bool send_note(int socket, const void* note, std::size_t size);
template <class T>
bool send_note(int socket, const T& note) {
  return send_note(socket, &note, sizeof note);
}

/// Waits for a note. @returns whether one came
bool receive_note(int socket, void* note, std::size_t size);
template <class T>
bool receive_note(int socket, T& note) {
  return receive_note(socket, &note, sizeof note);
}

} // namespace hostcl::compiler
