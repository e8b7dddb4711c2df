#pragma once

// What an application and a compile server send each other: a note over a socket for each request and each reply, whose
// contents are in a file in memory. The note is small and comes whole, so that neither end ever waits in the middle of a
// message, and either end may be killed at any time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// What a server is asked for.
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

/// How a server has done it.
enum class Done : std::uint32_t {
  well,
  at_last,        ///< something in it gave up: the server ends
  lacking_memory, ///< and that was the memory that HOSTCL_COMPILE_MEMORY allows
  refused         ///< it may not inspect the thread
};

/// A request has a Task as its kind, a reply a Done.
struct Note {
  std::uint32_t kind = 0;
  std::uint64_t bytes = 0; ///< of the contents
};

/// A server's first words.
struct Greeting {
  std::array<char, 64> build{}; ///< build_id(), which may have any bytes
};

/// How far a server has come with a task, for when it comes to no end. It is what the file of replies begins with.
struct StepRecord {
  std::array<char, 40> name{}; ///< of the compiler's step that has begun last; empty: none has
  std::uint32_t width = 0;     ///< as Trial::width
  std::uint32_t prepares = 0;  ///< 1: it is part of the kernel's preparation
  std::uint32_t is_taken = 0;  ///< 1: the server has begun with the task
};

/// Writes to a file in memory at an offset. @returns whether all was written
bool write_at(int file, std::size_t offset, std::span<const std::byte> bytes);

/// The bytes that a file in memory has there, if it has them.
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
