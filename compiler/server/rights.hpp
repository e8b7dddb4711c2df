#pragma once

#include <string>

#include <sys/types.h>

namespace hostcl::compiler {

/// What a thread may do to files and processes, as far as Linux shows it. Linux shows neither the rules of Landlock nor
/// those of seccomp filters: may_inspect() compares Landlock's, and only inherited filters are comparable.
struct Rights {
  /// User, groups, capabilities, root folder, namespaces, security label and number of seccomp filters. Empty where Linux
  /// does not tell all of these.
  std::string shown;
  /// Whether all seccomp filters of the thread are those of the whole process. Other threads may have other filters in the
  /// same number.
  bool has_common_filters = false;
};

/// The rights of the calling thread.
Rights present_rights();

/// Notes the seccomp filters of the process if the process still has a single thread: all later threads have them as well.
void note_common_filters();

/// Whether Linux lets the calling thread read the state of a process or thread, as a debugger would. Linux allows that only
/// if the other one has no user ID, capability or security label that the calling thread lacks, and if each Landlock
/// domain of the calling thread binds the other one too. A thread can always inspect threads of its own process.
bool may_inspect(pid_t process);

/// Whether processes that the calling thread starts are in its own PID namespace. They are not after unshare() or setns().
bool starts_processes_here();

} // namespace hostcl::compiler
