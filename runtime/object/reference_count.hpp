#pragma once

#include <atomic>
#include <cstdint>

namespace hostcl::runtime {

/// A number of references to an object, or of reasons to wait. It begins with 1.
class ReferenceCount {
public:
  /// The caller holds a reference, or knows that some reference is not dropped during the call.
  void add() { count_.fetch_add(1, std::memory_order_relaxed); }
  /// @returns whether the dropped reference was the last one. If so, everything that other threads did before they
  /// dropped their references happens before what the caller does next.
  bool drop() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Whether anyone but the caller has a reference. If nobody has, everything that other threads did before dropping
  /// references happens before what the caller does next.
  bool is_shared() const { return count_.load(std::memory_order_acquire) > 1; }

private:
  std::atomic<std::uint32_t> count_{1};
};

} // namespace hostcl::runtime
