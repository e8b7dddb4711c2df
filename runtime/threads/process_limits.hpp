#pragma once

// What the process may use of the machine: processors, threads and memory, by its affinity mask, control
// groups, resource limits (setrlimit) and HOSTCL_* variables. hostcl-doctor shows the same numbers without
// loading the driver.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

/// The first line of a file; empty if it cannot be read.
std::string read_line(const std::string& path);

/// The decimal number at the beginning of the text, if there is one.
std::optional<std::uint64_t> to_number(std::string_view digits);

/// Visits the process's directories in the control group hierarchy, such as "/sys/fs/cgroup/a/b", innermost
/// first. Control groups of version 1 have a hierarchy for each controller, those of version 2 have one for
/// all controllers.
/// @param root prefix of /proc and /sys, for tests
void for_each_control_group(std::string_view controller, const std::function<void(const std::string&)>& visit,
                            const std::string& root = {});

/// The numbers that Linux gives to the processors of the affinity mask; empty if the system call fails.
std::vector<unsigned> allowed_processors();

/// The number of threads: HOSTCL_THREADS if set; otherwise the number of processors, or the smallest CPU
/// quota of a control group, rounded up, if that is less.
/// @param processors the processors of the affinity mask; if empty, all processors that are online count
unsigned usable_threads(const std::vector<unsigned>& processors, const std::string& root = {});

/// Bytes of memory: the least of physical memory, the process's limits, its control groups' limits and
/// HOSTCL_MEMORY.
std::uint64_t usable_memory(const std::string& root = {});

} // namespace hostcl::runtime
