#pragma once

// Masks of threads, and an application's handler that makes a page accessible.

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace test {

constexpr std::uint64_t bit(int signal) {
  return std::uint64_t{1} << (signal - 1);
}

/// The line SigBlk of a status in /proc; none if the thread has ended. While the kernel removes a thread, its status can
/// still be read, but says that the process has 0 threads and that no signal is blocked.
inline std::optional<std::uint64_t> blocked_in(const std::filesystem::path& status) {
  std::ifstream file(status);
  for (std::string line; std::getline(file, line) && line != "Threads:\t0";)
    if (line.starts_with("SigBlk:")) return std::stoull(line.substr(7), nullptr, 16);
  return std::nullopt;
}

inline const std::size_t page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
inline char* page = nullptr;
inline std::atomic<int> mended = 0;

inline void mend(int, siginfo_t* info, void*) {
  if (info->si_addr != page) _exit(3);
  mended++;
  mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
}

/// Makes the page, which is inaccessible, and has the handler called.
inline void handle_faults() {
  page = static_cast<char*>(mmap(nullptr, page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action{};
  action.sa_sigaction = mend;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

} // namespace test
