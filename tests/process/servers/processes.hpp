#pragma once

// Processes and descriptors, as /proc shows them.

#include "process/world.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
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

inline std::vector<pid_t> all_processes() {
  std::vector<pid_t> processes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == name.npos) processes.push_back(std::stoi(name));
  }
  return processes;
}

/// The compile servers that the process has started, dead ones left out. Between them and it there is another process.
inline std::vector<pid_t> servers_of(pid_t process) {
  std::vector<pid_t> servers;
  for (const pid_t number : all_processes())
    if (status_of(number, "Name") == "hostcl-compiler" && !status_of(number, "State").starts_with("Z") &&
        parent_of(parent_of(number)) == process)
      servers.push_back(number);
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

/// Leaves processes almost no time: threads that do nothing run on the only processor that the processes may use, and these
/// have the scheduler's lowest policy.
class Starvation {
public:
  explicit Starvation(const std::vector<pid_t>& processes) {
    cpu_set_t allowed, one;
    require(sched_getaffinity(0, sizeof allowed, &allowed) == 0, "the processors");
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &one);
    for (int i = 0; i < 4; ++i)
      threads_.emplace_back([this, one] {
        sched_setaffinity(0, sizeof one, &one);
        for (++running_; !is_over_;)
          ;
      });
    while (running_ < threads_.size())
      std::this_thread::yield();
    const sched_param usual{};
    for (const pid_t process : processes) {
      const std::string folder = "/proc/" + std::to_string(process);
      std::ofstream(folder + "/autogroup")
          << 19; // sessions share processors, whatever their threads' policies
      for (const auto& task : std::filesystem::directory_iterator(folder + "/task")) {
        const pid_t thread = std::stoi(task.path().filename());
        sched_setaffinity(thread, sizeof one, &one);
        sched_setscheduler(thread, SCHED_IDLE, &usual);
      }
    }
  }
  ~Starvation() {
    is_over_ = true;
    for (std::thread& thread : threads_)
      thread.join();
  }
  Starvation(const Starvation&) = delete;

private:
  std::atomic<std::size_t> running_ = 0;
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

} // namespace test
