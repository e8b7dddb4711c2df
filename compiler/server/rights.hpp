#pragma once

#include <string>

#include <sys/types.h>

namespace hostcl::compiler {

/// The rights of a thread to access files and processes, as far as Linux shows them in /proc. Linux shows neither the rules of Landlock nor
/// those of seccomp filters: may_inspect() compares Landlock domains, and filters are comparable only if threads inherited them.
struct Rights {
  /// User, groups, capabilities, root folder, namespaces, security label and number of seccomp filters. Empty where Linux
  /// does not tell all of these.
  std::string shown;
  /// Whether the thread has only the seccomp filters that all threads of the process have. If not, the number of filters in
  /// `shown` is no proof: another thread may have as many filters, but other ones.
  bool has_common_filters = false;
};

/// The rights of the calling thread.
Rights present_rights();

/// Notes the seccomp filters of the process if the process still has a single thread: all later threads have them as well.
void note_common_filters();

/// Whether Linux lets the calling thread read the state of a process or thread, as a debugger would (ptrace access). Linux
/// allows it only if the target has no user ID, capability or security label that the calling thread lacks, and if each
/// Landlock domain of the calling thread restricts the target, too. A thread can always inspect its own process.
bool may_inspect(pid_t process);

/// Whether processes that the calling thread starts are in its own PID namespace. They are not after unshare() or setns().
bool starts_processes_here();

} // namespace hostcl::compiler
