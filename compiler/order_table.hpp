#pragma once

// What kernels that are checked for orders have beside their machine code, for as long as that lives.

#include "compiler/abi/launch.hpp"
#include "compiler/abi/order.hpp"

namespace hostcl::compiler {

/// Notes the properties of machine code that has been linked, in place of those of code that was there before.
void set_order_properties(abi::Entry entry, const abi::OrderProperties& properties);
/// @returns null if the code is not checked for orders
const abi::OrderProperties* order_properties(abi::Entry entry);

} // namespace hostcl::compiler
