#pragma once

// HOSTCL_CHECK=order: runs the work-groups of a launch in other orders as well, on copies of its buffers, and
// reports buffers whose contents depend on the order. Kernels that cannot run on copies are reported once,
// with the reason. Test: tests/process/order.cpp

#include "compiler/abi/order.hpp"
#include "compiler/compiler.hpp"
#include "runtime/description/group_order.hpp"
#include "runtime/launch/launch_record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace hostcl::runtime {

/// The runs of one launch in other orders. Used by the thread that runs the launch.
class OtherOrders {
public:
  /// Runs all work-groups of a launch one by one.
  using Run = std::function<void(const RunnableLaunch&, GroupOrder)>;

  /// Copies the buffers of the launch and runs the launch on the copies, once for each order.
  OtherOrders(const RunnableLaunch& record, const compiler::KernelCode& code, const Run& run);
  ~OtherOrders();
  OtherOrders(const OtherOrders&) = delete;
  /// Compares the copies with the buffers. Called after the launch itself has run.
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
  const abi::OrderProperties* properties_;
  std::vector<Range> ranges_; ///< disjoint, in ascending order
  std::vector<std::unique_ptr<Copies>> copies_;
};

} // namespace hostcl::runtime
