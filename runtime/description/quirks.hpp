#pragma once

// Quirks: behaviour of a device that no query of OpenCL tells, from the object "quirks" of a device description. A
// device without a description has no quirks. docs/continuous-integration.md describes each key for users.
// Test: runtime/tests/quirks.cpp

#include "compiler/settings/settings.hpp"
#include "runtime/description/group_order.hpp"
#include "runtime/support/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace llvm::json {
class Object;
}

namespace hostcl::runtime {

struct Quirks {
  /// The host's own order is `forward`, although several threads run work-groups at the same time.
  GroupOrder group_order = GroupOrder::forward;
  std::uint64_t seed = 1;       ///< of the random order
  bool flush_denormals = false; ///< all programs are built as with -cl-denorms-are-zero
  bool contract = false;        ///< products and sums of all programs are contracted, also across statements
  /// The value of each byte of new buffers, SVM, local memory and the memory for private variables.
  std::optional<std::byte> fill_memory;
  bool printf_buffer = false;          ///< what a launch prints beyond CL_DEVICE_PRINTF_BUFFER_SIZE is lost
  std::uint32_t callback_delay_us = 0; ///< between the end of a command and the callbacks of its event

  /// A model of a register file: each work-group has all registers, which its work-items share. The registers limit the
  /// work-items of a work-group (CL_KERNEL_WORK_GROUP_SIZE).
  struct Registers {
    std::uint32_t per_group = 0; ///< 32-bit registers of a work-group; 0: no limit
    std::uint32_t least = 1;     ///< 32-bit registers that each work-item takes at least
    std::uint32_t most = ~0U;    ///< 32-bit registers that each work-item takes at most

    /// The largest number of work-items of a work-group for which the registers suffice, but at least 1.
    /// @param private_bytes bytes of private variables of a work-item (compiler::KernelSignature)
    std::uint64_t max_group_items(std::uint64_t private_bytes) const;
    bool operator==(const Registers&) const = default;
  };
  Registers registers;

  bool operator==(const Quirks&) const = default;
};

/// Reads the object "quirks" of a device description. Each key is optional. Fails with CL_INVALID_VALUE if a key is
/// unknown or a value is not allowed; the sentence names the key, the value and the rule.
Result<Quirks> parse_quirks(const llvm::json::Object& object);

/// Sets the compiler's settings that implement quirks: flush_denormals, contract, and an order of work-groups for which
/// heuristics that merge work-groups must be off.
void apply(const Quirks& quirks, compiler::Settings& settings);

} // namespace hostcl::runtime
