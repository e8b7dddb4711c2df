#pragma once

// Runs the work-groups of a launch in other orders than its own as well, on copies of its buffers, and reports what has
// other contents after them (HOSTCL_CHECK=order). Kernels that cannot run again are named once, with the reason.
// Test: tests/process/order.cpp

#include "compiler/abi/order.hpp"
#include "compiler/compiler.hpp"
#include "runtime/launch/launch_record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace hostcl::runtime {

enum class GroupOrder { reversed, shuffled };

/// Which of `groups` comes at this position in an order.
std::vector<std::uint64_t> groups_in(GroupOrder order, std::uint64_t groups);

class OtherOrders {
public:
  /// Runs all groups of a launch, one by one.
  using Run = std::function<void(const RunnableLaunch&, GroupOrder)>;

  /// Runs the launch on copies of its buffers, as they are now.
  OtherOrders(const RunnableLaunch& record, const compiler::KernelCode& code, const Run& run);
  ~OtherOrders();
  OtherOrders(const OtherOrders&) = delete;
  /// Compares the copies with the buffers, after the launch itself has run.
  void compare() const;

private:
  /// Memory that arguments point into.
  struct Range {
    std::uint64_t first, bytes;
  };
  class Copies;
  class Copy;

  const char* find_ranges();
  void compare(const Copies& copies, const Range& range, const std::byte* copy) const;
  bool report(std::uint64_t address, GroupOrder order) const;

  const RunnableLaunch& record_;
  const abi::OrderFacts* facts_;
  std::vector<Range> ranges_; ///< apart from each other, ascending
  std::vector<std::unique_ptr<Copies>> copies_;
};

} // namespace hostcl::runtime
