#pragma once

// A guest: a process that runs the kernels of a context, so that nothing that a kernel does can harm the application
// (HOSTCL_GUEST=process). A crash, an endless loop or a wild pointer ends the guest, and the launch fails with
// CL_OUT_OF_RESOURCES; another guest is started for the next launch.
//
// The guest has no descriptors, and may make no system calls but those by which its threads wait. All memory that
// kernels use (memory objects, arguments, local and private memory, machine code) is SharedMemory. Everything but the
// machine code runs in the application: a thread that runs work-groups borrows a lane (lane.hpp), whose thread in the
// guest makes the calls of abi::Entry for it.

#include "compiler/code_host.hpp"
#include "runtime/guest/lane.hpp"
#include "runtime/guest/shared_memory.hpp"
#include "runtime/support/pages.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hostcl::runtime::guest {

class Guest final : public compiler::CodeHost {
public:
  /// @param threads number of threads that run work-groups at the same time, as a rule
  /// @returns null if Linux does not provide the shared memory
  static std::shared_ptr<Guest> create(unsigned threads, std::uint64_t memory_bytes);
  ~Guest() override;
  Guest(const Guest&) = delete;

  std::byte* allocate_code(std::size_t bytes) override { return code_->allocate(bytes, page_bytes()); }
  void free_code(std::byte* memory) noexcept override { code_->free(memory); }
  std::byte* allocate_data(std::size_t bytes, std::size_t alignment) override {
    return data_->allocate(bytes, alignment);
  }
  void free_data(std::byte* memory) noexcept override { data_->free(memory); }
  void* host_function(std::string_view name) const override;
  /// Answers the host callbacks of the kernel on the calling thread.
  std::optional<std::string> run(const compiler::CodeCall& call, std::uint64_t first,
                                 std::uint64_t last) override;

  /// Ends the process, and with it everything that it runs.
  void stop();

private:
  Guest(std::unique_ptr<SharedMemory> code, std::unique_ptr<SharedMemory> data, unsigned lanes);
  class Loan;
  bool start(std::string& why);
  bool is_allowed(const void* pointer, std::size_t bytes) const;
  bool has_ended() const;

  struct Scratch {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  std::unique_ptr<SharedMemory> code_, data_;
  Start* start_;
  std::size_t lane_count_;
  std::vector<Scratch> scratch_; ///< of each lane
  std::mutex mutex_;             ///< guards the members below
  std::condition_variable lane_is_free_;
  std::vector<std::size_t> free_lanes_;
  pid_t process_ = -1;
  int handle_ = -1;
  std::atomic<std::uint64_t> generation_ = 0; ///< number of processes that have ended
};

} // namespace hostcl::runtime::guest
