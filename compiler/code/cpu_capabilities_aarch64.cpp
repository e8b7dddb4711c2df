#include "compiler/code/cpu_capabilities.hpp"

namespace hostcl::compiler {

// Advanced SIMD, which every CPU of the kind has.
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
