#pragma once

// Names of hostcl's passes, for the pipeline's text and for `hostclc --passes`.

namespace llvm {
class PassBuilder;
}

namespace hostcl::compiler {

/// Makes every pass of compiler/passes/ known to `builder` by its name.
void register_passes(llvm::PassBuilder& builder);

} // namespace hostcl::compiler
