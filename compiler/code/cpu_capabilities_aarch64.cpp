#include "compiler/code/cpu_capabilities.hpp"

namespace hostcl::compiler {

// Advanced SIMD, which every CPU of the kind has.
Capabilities capabilities_of(llvm::StringRef, const llvm::StringMap<bool>&) {
  return {.vector_bits = 128, .gathers = false, .permutes = false, .long_conversions = true};
}

const char* why_not_compiled_for(const llvm::MCSubtargetInfo&) {
  return nullptr;
}

} // namespace hostcl::compiler
