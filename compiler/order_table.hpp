#pragma once

// What kernels that are checked for orders have beside their machine code, for as long as that lives.

#include "compiler/abi/launch.hpp"
#include "compiler/abi/order.hpp"

namespace hostcl::compiler {

/// Notes the facts of machine code that has been linked, in place of those of code that was there before.
void set_order_facts(abi::Entry entry, const abi::OrderFacts& facts);
/// @returns null if the code is not checked for orders
const abi::OrderFacts* order_facts(abi::Entry entry);

} // namespace hostcl::compiler
