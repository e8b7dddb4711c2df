#pragma once

// A table of the abi::OrderProperties of machine code that is compiled for the check `order`, by entry
// function.

#include "compiler/abi/launch.hpp"
#include "compiler/abi/order.hpp"

namespace hostcl::compiler {

/// Records the properties of machine code that has just been linked. Replaces those of freed code that had
/// the same address.
void set_order_properties(abi::Entry entry, const abi::OrderProperties& properties);
/// @returns null if the code is not checked for orders
const abi::OrderProperties* order_properties(abi::Entry entry);

} // namespace hostcl::compiler
