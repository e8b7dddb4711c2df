#pragma once

// The process of a compile server, as the application sees it.
//
// No wait() of the application may return this process, and no SIGCHLD may tell of its end. Linux guarantees both for a
// child that clone() created without a termination signal. But execve() sets the termination signal to SIGCHLD again,
// and a server needs execve(). So the application's child is a second process, the holder, which never calls execve().
// The holder shares the application's memory, has no descriptors, starts the server as its own child, waits for the
// server's end, and ends. The holder runs on a stack of its own, and only makes system calls. The server is always
// killed before the holder, because a server whose parent has ended could become a child of the application.

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
  /// Starts a server and waits until it accepts requests. Must be called by isolated work.
  /// @param file the driver's shared library, which the dynamic loader runs as a program
  /// @param memory_bytes limit of the memory that the server may use beyond what it uses at its start
  /// @param why receives the reason if no server can be started
  /// @returns null if no server can be started
  static std::unique_ptr<ServerProcess> start(const std::string& file, std::uint64_t memory_bytes,
                                              std::string& why);
  /// Ends the server, except in a child of fork().
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;

  /// Whether the calling process has started the server (and is not a child of fork()), and the application has not
  /// closed its descriptors.
  bool is_own() const;
  bool has_ended(int within_ms = 0) const;
  /// Kills the server, unless it has ended.
  void end() noexcept;
  /// Calls end(). @returns in which way the server ended, for messages
  std::string ending();
  /// Whether SIGKILL ended the server. Valid after end().
  bool was_killed() const;
  /// CPU time that the server has used.
  std::chrono::nanoseconds time() const;
  pid_t process() const { return process_; }

  /// present_rights() of the thread that started the server, at that time.
  const Rights& rights() const { return rights_; }
  /// IsolatedWork::caller of the thread that started the server.
  std::uint64_t starter() const { return starter_; }

  int socket() const { return socket_.get(); }
  int requests() const { return requests_.get(); }
  int replies() const { return replies_.get(); }
  int handle() const { return handle_.get(); } ///< a pidfd, readable once the server has ended

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
  Start* start_ = nullptr; ///< in memory that the holder uses until it ends
  pid_t holder_ = -1;
  pid_t process_ = -1;
};

} // namespace hostcl::compiler
