#pragma once

// The machine code that a running launch uses. Several threads run the launch's work-groups, and any of them may replace
// the code when a better version has been compiled.

#include "compiler/compiler.hpp"

#include <atomic>

namespace hostcl::runtime {

class CurrentCode {
public:
  explicit CurrentCode(const compiler::KernelChoice& choice)
      : code_(choice.code), versions_(choice.versions), is_tier1_(choice.is_tier1) {}

  const compiler::KernelCode& get() const { return *code_.load(std::memory_order_acquire); }
  /// Whether the code is tier 1 code, which is not replaced.
  bool is_tier1() const { return is_tier1_.load(std::memory_order_relaxed); }

  /// Replaces the code if another version has been compiled since the code was chosen, unless the code is tier 1 code.
  /// @param versions returns the number of versions that have been compiled
  /// @param choose returns the best version that can replace the given code; null if there is none
  /// @returns the code to run
  template <class Versions, class Choose>
  const compiler::KernelCode& latest(Versions versions, Choose choose) {
    const compiler::KernelCode* code = code_.load(std::memory_order_acquire);
    if (is_tier1()) return *code;
    const unsigned made = versions();
    if (made == versions_.load(std::memory_order_relaxed)) return *code;
    const compiler::KernelChoice choice = choose(*code);
    // If another thread has replaced the code in the meantime, use that thread's code. That thread may have chosen
    // among fewer versions; then the next call looks for a better one again.
    if (choice.code && !code_.compare_exchange_strong(code, choice.code, std::memory_order_acq_rel))
      return *code;
    versions_.store(made, std::memory_order_relaxed);
    if (!choice.code) return *code;
    if (choice.is_tier1) is_tier1_.store(true, std::memory_order_relaxed);
    return *choice.code;
  }

private:
  std::atomic<const compiler::KernelCode*> code_;
  std::atomic<unsigned> versions_; ///< the number of versions when code_ was last chosen
  std::atomic<bool> is_tier1_;
};

} // namespace hostcl::runtime
