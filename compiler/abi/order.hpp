#pragma once

// Properties of a kernel that the check `order` needs before it runs the kernel's groups again in other
// orders (compiler/passes/checks/order_properties.cpp).

#include "compiler/abi/check.hpp"

#include <cstdint>

namespace hostcl::abi {

/// The constant __hostcl_order in a kernel's object file.
struct OrderProperties {
  const char* reason; ///< why the kernel cannot run again; empty if it can
  /// For each parameter, the site of the last write through the parameter; null if there is no write.
  const CheckSite* const* places;
};
inline constexpr const char* order_symbol = "__hostcl_order";

/// The check `order` runs a launch again in other orders, on copies of its buffers. The address of a copy and the address
/// of its buffer are equal modulo this number of bytes.
inline constexpr std::uint64_t order_copy_alignment = 4096;

} // namespace hostcl::abi
