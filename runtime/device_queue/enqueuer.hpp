#pragma once

// What the work-groups of one range enqueue: abi::Launch::enqueuer leads here.

#include "compiler/abi.hpp"
#include "runtime/device_queue/child.hpp"
#include "runtime/object/context.hpp"

#include <cstdint>

namespace hostcl::runtime {

class Enqueuer {
public:
  /// @param running the kernel that the range is of
  explicit Enqueuer(const RunnableLaunch& running, Parent& parent) : running_(running), parent_(parent) {}
  Enqueuer(const Enqueuer&) = delete;
  /// The range has ended: children that wait for its groups, or for nothing, may begin.
  ~Enqueuer();

  // As abi::Services has them.
  std::int32_t enqueue_kernel(const abi::BlockLaunch& launch) noexcept;
  std::int32_t enqueue_marker(std::uint64_t queue, std::uint32_t wait_count, const std::uint64_t* waits,
                              std::uint64_t* event) noexcept;
  std::uint32_t query(abi::BlockQuery query, std::uint64_t kernel, const abi::BlockRange* range) noexcept;

private:
  std::int32_t enqueue(const abi::BlockLaunch& launch, bool is_marker);
  std::int32_t add(const Child::Description& description);
  std::int32_t told(std::int32_t status) const;
  const Device& device() const;
  LoadedKernel& kernel(std::uint64_t number) const;

  const RunnableLaunch& running_;
  Parent& parent_;
  ChildList children_; ///< that wait for no more than the range of groups
};

/// Fills in the services that concern enqueueing.
void add_enqueue_services(abi::Services& services);

} // namespace hostcl::runtime
