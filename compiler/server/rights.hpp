#pragma once

#include <string>

#include <sys/types.h>

namespace hostcl::compiler {

/// What a thread may do to files and processes. Linux shows neither the rules of Landlock domains nor those of seccomp
/// filters. may_inspect() compares Landlock domains, and seccomp filters are comparable only if a thread has inherited
/// them from the process.
struct Rights {
  /// The rights that Linux shows: user, groups, capabilities, root folder, namespaces, security label and number of
  /// seccomp filters. Empty if Linux does not show all of these.
  std::string shown;
  /// Whether the thread has only seccomp filters that all threads of the process have. If not, another thread may have
  /// the same number of filters with other rules.
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

} // namespace hostcl::compiler
