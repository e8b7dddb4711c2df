#pragma once

// A guest process, guest for short, runs the kernels of a context, so that a kernel cannot harm the application
// (HOSTCL_GUEST=process). If a kernel crashes, uses a wild pointer or exceeds its time limit, the guest ends, and the
// launch fails with CL_OUT_OF_RESOURCES. The next launch starts another guest.
//
// A system call filter allows the threads of the guest little more than to wait and to get memory (guest_process.cpp).
// All memory that kernels use (memory objects, arguments, local and private memory, machine code) is SharedMemory. The
// guest runs machine code only; the rest of the runtime is in the application. A thread of the application that runs
// work-groups borrows a lane (lane.hpp), and the lane's thread in the guest calls the abi::Entry.

#include "compiler/code_host.hpp"
#include "compiler/server/driver_process.hpp"
#include "runtime/guest/lane.hpp"
#include "runtime/guest/shared_memory.hpp"
#include "runtime/guest/watched_time.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hostcl::runtime::guest {

class Guest final : public compiler::CodeHost {
public:
  /// @param threads number of threads that usually run work-groups at the same time
  /// @param memory_bytes bytes that the context's memory objects and launches may need at most
  /// @returns null, with the reason in errno, if Linux does not provide the shared memory
  static std::shared_ptr<Guest> create(unsigned threads, std::uint64_t memory_bytes);
  ~Guest() override = default;
  Guest(const Guest&) = delete;

  std::byte* allocate_code(std::size_t bytes, bool is_writable) override;
  void free_code(std::byte* memory) noexcept override { code_->free(memory); }
  std::byte* allocate_data(std::size_t bytes, std::size_t alignment) override {
    return data_->allocate(bytes, alignment);
  }
  void free_data(std::byte* memory) noexcept override { data_->free(memory); }
  void* host_function(std::string_view name) const override;
  /// Answers the host callbacks of the kernel on the calling thread.
  void run(const compiler::CodeCall& call, std::uint64_t first, std::uint64_t last,
           const std::function<void(const compiler::CodeEnd&)>& ended) override;
  std::uint64_t wall_ns() override;
  std::uint64_t cpu_ns() override;
  void stop(const std::string& reason) override;

private:
  Guest(std::unique_ptr<SharedMemory> code, std::unique_ptr<SharedMemory> data, unsigned lanes);
  class Loan;
  class Process;
  bool start(std::string& why);
  std::span<std::byte> half_of_code(bool is_writable) const;
  std::optional<compiler::CodeEnd> borrow(std::size_t& lane, std::uint64_t& generation);
  void give_back(std::size_t lane);
  void stop(const std::string& reason, std::uint64_t generation);
  bool is_over(const compiler::CodeLimit& limit);
  bool has_ended(std::uint64_t generation);
  std::string why_ended(std::uint64_t generation);

  struct Scratch {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
  };

  std::unique_ptr<SharedMemory> code_, data_;
  void** functions_ = nullptr; ///< page of addresses in the memory for code; the guest has its own page there
  Lane* lanes_;
  WatchedTime wall_time_;
  std::vector<Scratch> scratch_; ///< memory of each lane for launches
  std::mutex mutex_;             ///< guards the members below
  std::condition_variable changed_;
  std::vector<std::size_t> free_lanes_;
  std::unique_ptr<Process> process_;          ///< null before the first launch, and after a guest has ended
  std::uint64_t ended_ns_ = 0;                ///< CPU time of the processes that have ended
  std::string end_reason_;                    ///< why the last process was ended
  std::atomic<std::uint64_t> generation_ = 0; ///< number of processes that have ended
};

} // namespace hostcl::runtime::guest
