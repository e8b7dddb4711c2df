#pragma once

// What the host knows of a checked kernel before it runs its groups in other orders
// (compiler/passes/checks/order_properties.hpp).

#include "compiler/abi/check.hpp"

#include <cstdint>

namespace hostcl::abi {

/// The constant of this name in a kernel's object.
struct OrderProperties {
  const char* reason;             ///< why it cannot run again; empty if it can
  const CheckSite* const* places; ///< of the last write by each parameter; null where there is none
};
inline constexpr const char* order_symbol = "__hostcl_order";

/// Copies of buffers that other orders write to have the same addresses as the buffers, modulo this.
inline constexpr std::uint64_t order_copy_alignment = 4096;

} // namespace hostcl::abi
