#pragma once

// What the process may use of the machine: processors, threads and memory by its affinity mask, its control groups, its
// limits (setrlimit) and HOSTCL_* variables. hostcl-doctor shows the same numbers without the driver.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

/// The first line of a file; empty if it cannot be read.
std::string read_line(const std::string& path);

/// The number that the text begins with.
std::optional<std::uint64_t> to_number(std::string_view digits);

/// Visits the process's folders in the control group hierarchy, innermost first, as "/sys/fs/cgroup/a/b". The
/// version 1 hierarchy has one per controller.
/// @param root in front of /proc and /sys, for tests
void for_each_control_group(std::string_view controller, const std::function<void(const std::string&)>& visit,
                            const std::string& root = {});

/// The numbers of the processors in the affinity mask; empty if the system does not tell.
std::vector<unsigned> allowed_processors();

/// As many as the smallest quota of a control group gives processors, rounded up, and the affinity mask has.
/// @param processors those of the affinity mask
unsigned usable_threads(const std::vector<unsigned>& processors, const std::string& root = {});

/// Bytes: the least of the machine's memory and of the limits.
std::uint64_t usable_memory(const std::string& root = {});

} // namespace hostcl::runtime
