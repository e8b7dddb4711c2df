#include "compiler/code/cpu_capabilities.hpp"

namespace hostcl::compiler {

// Advanced SIMD, which all 64-bit CPUs of this architecture have.
Capabilities capabilities_of(llvm::StringRef, const llvm::StringMap<bool>&) {
  return {.vector_bits = 128, .gathers = false, .permutes = false, .long_conversions = true};
}

const char* why_not_compiled_for(const llvm::MCSubtargetInfo&) {
  return nullptr;
}

bool is_system_feature(llvm::StringRef) {
  return false;
}

} // namespace hostcl::compiler
