#pragma once

// The process of a compile server, as the application sees it.
//
// No wait() of the application may see it, and no SIGCHLD tell of it. Linux promises that for children that were made by
// clone() without a signal, but execve() gives a process SIGCHLD again. So the application's child is a second process,
// the holder, which never calls execve(): it shares the application's memory, has no descriptors, starts the server as
// its own child, waits for it and ends. It does not leave the stack that it has here, and makes system calls alone. The
// server is killed before the holder: a server whose parent has ended could become a child of the application.

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
  /// Starts one and waits until it takes requests. Called by isolated work.
  /// @param file the driver's, which the dynamic loader runs
  /// @param memory_bytes that it may take beyond what it begins with
  /// @returns null where that cannot be, and why
  static std::unique_ptr<ServerProcess> start(const std::string& file, std::uint64_t memory_bytes,
                                              std::string& why);
  /// Kills it.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;

  /// Whether the calling process has started it, and still has its descriptors.
  bool is_own() const;
  bool has_ended(int within_ms = 0) const;
  /// Kills it, unless it has ended.
  void end() noexcept;
  /// The same. @returns in which way it ended, for messages
  std::string ending();
  /// Once it has ended: whether SIGKILL did it.
  bool was_killed() const;
  /// The processor's time that it has taken.
  std::chrono::nanoseconds time() const;
  pid_t process() const { return process_; }

  /// present_rights() of the thread that started it.
  const Rights& rights() const { return rights_; }
  /// IsolatedWork::caller of the thread that started it.
  std::uint64_t starter() const { return starter_; }

  int socket() const { return socket_.get(); }
  int requests() const { return requests_.get(); }
  int replies() const { return replies_.get(); }
  int handle() const { return handle_.get(); } ///< readable once it has ended

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
