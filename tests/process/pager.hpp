#pragma once

// Memory whose pages the application supplies when a thread touches them: with userfaultfd(), or in a handler of SIGBUS
// or SIGSEGV. Checkpoints, user-space swap, live migration and garbage collectors do it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <unistd.h>

namespace test {

enum class PagerWay {
  thread,          ///< a thread reads of faults from a userfaultfd, and threads that touch pages wait for it
  sigbus,          ///< userfaultfd sends SIGBUS, and the handler supplies the page
  sigsegv,         ///< mprotect(), and a handler of SIGSEGV
  sigsegv_on_stack ///< the same with a handler that runs on sigaltstack() where a thread has one
};

class Pager {
public:
  static inline const std::size_t page_size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

  virtual ~Pager() = default;
  Pager(const Pager&) = delete;
  /// @return null if this system does not allow it
  static std::unique_ptr<Pager> make(PagerWay way, std::size_t pages);

  std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(memory_); }
  std::size_t count() const { return bytes_ / sizeof(std::uint32_t); }
  /// The contents of pages that are supplied.
  static std::uint32_t initial(std::size_t word) { return static_cast<std::uint32_t>(word) * 2654435761u; }

  /// Takes all pages away; they are supplied again with their first contents. No thread may use them meanwhile.
  virtual void evict() = 0;

  /// Pages that threads other than the one that made the first pager have touched, and all.
  std::size_t foreign_faults() const { return foreign_faults_; }
  std::size_t faults() const { return faults_; }

protected:
  Pager(std::size_t bytes) : bytes_(bytes) {}
  void note_fault(bool is_foreign);

  std::size_t bytes_;
  char* memory_ = nullptr;

private:
  std::atomic<std::size_t> faults_ = 0, foreign_faults_ = 0;
};

} // namespace test
