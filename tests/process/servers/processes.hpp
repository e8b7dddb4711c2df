#pragma once

// Processes and descriptors, as /proc shows them.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/types.h>

namespace test {

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What follows the name of a line of a process's status; empty if the process has gone.
inline std::string status_of(pid_t process, const std::string& name) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
  return {};
}

inline pid_t parent_of(pid_t process) {
  const std::string text = status_of(process, "PPid");
  return text.empty() ? 0 : std::stoi(text);
}

/// The compile servers that the process has started, dead ones left out. Between them and it there is another process.
inline std::vector<pid_t> servers_of(pid_t process) {
  std::vector<pid_t> servers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    const pid_t number = std::stoi(name);
    if (status_of(number, "Name") == "hostcl-compiler" && !status_of(number, "State").starts_with("Z") &&
        parent_of(parent_of(number)) == process)
      servers.push_back(number);
  }
  return servers;
}

/// Whether the process has ended: it may be one that its parent has not waited for.
inline bool has_ended(pid_t process) {
  const std::string state = status_of(process, "State");
  return state.empty() || state.starts_with("Z");
}

inline std::size_t descriptors_of(pid_t process) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd"))
    ++count;
  return count;
}

} // namespace test
