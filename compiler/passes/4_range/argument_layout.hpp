#pragma once

// The layout of kernel arguments in the packed block that abi::Entry gets.

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct ArgumentSlot {
  std::uint32_t offset;    ///< bytes from the start of the block
  std::uint32_t size;      ///< bytes; 8 for every pointer
  std::uint32_t alignment; ///< of the slot; for a pointer to local memory, of the memory
};

struct ArgumentLayout {
  std::vector<ArgumentSlot> slots; ///< one for each parameter, in order
  std::uint64_t bytes = 0;         ///< size of the block
};

/// Computes the layout: parameters in order, each at the next multiple of its natural alignment. A `byval` parameter is
/// in the block itself, not as a pointer.
ArgumentLayout argument_layout(const llvm::Function& kernel);

} // namespace hostcl::compiler
