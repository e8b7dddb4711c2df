#pragma once

// A process that runs the driver's file as a program (icd/server.cpp): a compile server (server.hpp) or a guest process
// (runtime/guest/guest.hpp). This header is the application's side; the process's own side is connection.hpp.
//
// No wait() of the application may return this process, and no SIGCHLD may tell of its end. Linux guarantees both for a
// child that clone() created without a termination signal. But execve() sets the termination signal to SIGCHLD again,
// and the process needs execve(). So the application's child is a second process, the holder, which never calls
// execve(). The holder shares the application's memory, has no descriptors, starts the process as its own child, waits
// for the process's end, and ends. The holder runs on a stack of its own, and only makes system calls. The process is
// always killed before the holder, because a process whose parent has ended could become a child of the application.

#include "compiler/isolation/file_descriptor.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hostcl::compiler {

class DriverProcess {
public:
  /// What the process is for, and what the application passes to it.
  struct Role {
    const char* name; ///< the first argument of hcl_serve()
    /// Files that both processes use. The process gets copies of the descriptors.
    std::array<const FileDescriptor*, 2> files;
    /// Further arguments of hcl_serve(), after the numbers of the socket, of the files, and of the application's
    /// process.
    std::vector<std::uint64_t> numbers;
  };

  /// Starts a process and waits for its Greeting (channel.hpp).
  /// @param why receives the reason if no process can be started
  /// @returns whether the process is running
  bool start(const Role& role, std::string& why);
  /// Ends the process, except in a child of fork().
  ~DriverProcess();
  DriverProcess(const DriverProcess&) = delete;

  /// Whether the calling process has started this one (and is not a child of fork()), and the application has not
  /// closed the driver's descriptors.
  bool is_own() const;
  bool has_ended(int within_ms = 0) const;
  /// Kills the process, unless it has ended.
  void end() noexcept;
  /// Calls end(). @returns in which way the process ended, for messages
  std::string ending();
  /// Whether SIGKILL ended the process. Valid after end().
  bool was_killed() const;
  /// CPU time that the process has used.
  std::chrono::nanoseconds time() const;
  pid_t process() const { return process_; }
  int socket() const { return socket_.get(); }
  int handle() const { return handle_.get(); } ///< a pidfd, readable once the process has ended

protected:
  DriverProcess();

private:
  struct Start;
  bool launch(const FileDescriptor& socket, const Role& role, std::string& why);
  bool await_greeting(int holder_handle, std::string& why);
  void lose_holder(int status) noexcept;

  const pid_t owner_;
  FileDescriptor socket_, handle_;
  Start* start_ = nullptr; ///< in memory that the holder uses until it ends
  pid_t holder_ = -1;
  pid_t process_ = -1;
};

/// Creates a file in memory, whose descriptor is none of the standard descriptors 0 to 2.
/// @param flags of memfd_create(), in addition to MFD_CLOEXEC
FileDescriptor file_in_memory(unsigned flags = 0);

/// The absolute path of the driver's shared library, which the dynamic loader runs as a program. Empty if the driver is part
/// of a program. The first call finds it, before the application changes its working folder.
const std::string& driver_file();

} // namespace hostcl::compiler
