#pragma once

// Starts and ends the process of a compile server, from the application's side.
//
// The application must not notice the server: no wait() of the application may return the server, and the application
// must get no SIGCHLD for it. Linux guarantees both for children that were made by clone() without a signal, but
// execve() gives a process SIGCHLD again. Therefore the application's child is a second process, the holder, which
// never calls execve(). The holder shares the application's memory, has no descriptors, starts the server as its own
// child, waits for the server, and ends. The holder only uses the stack that ServerProcess gives it, and makes system
// calls only. The server is killed before the holder, because a server whose parent has ended could become a child of
// the application.

#include "compiler/isolation/file_descriptor.hpp"
#include "compiler/server/rights.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <sys/types.h>

namespace hostcl::compiler {

class ServerProcess {
public:
  /// Starts a server and waits until the server accepts requests. Must be called by isolated work (isolate.hpp).
  /// @param file path of the driver's shared library, which the dynamic loader runs
  /// @param memory_bytes writable memory that the server may use in addition to what it has at its start
  /// @returns null if no server can be started, and the reason in `why`
  static std::unique_ptr<ServerProcess> start(const std::string& file, std::uint64_t memory_bytes,
                                              std::string& why);
  /// Kills the server.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;

  /// Whether the calling process has started the server, and still has the descriptors of the connection.
  bool is_own() const;
  bool has_ended(int within_ms = 0) const;
  /// Kills the server, unless it has ended.
  void end() noexcept;
  /// Kills the server, unless it has ended. @returns how the server ended, for messages
  std::string ending();
  /// Whether the server was ended by SIGKILL. Only called after the server has ended.
  bool was_killed() const;
  /// CPU time that the server has used.
  std::chrono::nanoseconds time() const;
  pid_t process() const { return process_; }

  /// present_rights() of the thread that started the server.
  const Rights& rights() const { return rights_; }
  /// IsolatedWork::caller of the thread that started the server.
  std::uint64_t starter() const { return starter_; }

  int socket() const { return socket_.get(); }
  int requests() const { return requests_.get(); }
  int replies() const { return replies_.get(); }
  int handle() const { return handle_.get(); } ///< pidfd of the server; readable once the server has ended

private:
  struct Start;
  ServerProcess(FileDescriptor socket, FileDescriptor requests, FileDescriptor replies);
  bool launch(const std::string& file, const FileDescriptor& socket, std::uint64_t memory_bytes,
              std::string& why);
  bool await_greeting(int holder_handle, std::string& why);
  void lose_holder(int status) noexcept;

  const pid_t owner_;
  const Rights rights_;
  const std::uint64_t starter_;
  FileDescriptor socket_, requests_, replies_, handle_;
  Start* start_ = nullptr; ///< memory that the holder uses until the holder ends
  pid_t holder_ = -1;
  pid_t process_ = -1;
};

} // namespace hostcl::compiler
