#pragma once

// Registers hostcl's passes by name, for the pipeline's text and for `hostclc --passes`.

namespace llvm {
class PassBuilder;
}

namespace hostcl::compiler {

/// Registers every pass of compiler/passes/ with `builder`.
void register_passes(llvm::PassBuilder& builder);

} // namespace hostcl::compiler
