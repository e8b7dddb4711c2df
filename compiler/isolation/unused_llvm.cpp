// Empty replacements for functions of LLVM that the driver does not need, and that would take time when the driver is
// loaded. The functions are declared in <llvm/Support/CommandLine.h> and in clang's code generator.

#include "llvm/Plugins/PassPlugin.h"

/// LLVM's function adds the optimiser Polly to clang's pipeline, which the driver never runs. This one adds nothing, so
/// Polly is not linked into the driver.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder&) {}};
}

/// Replaces llvm::cl::Option::addArgument(), which registers one of LLVM's command-line options. The driver parses no
/// command line with LLVM. The linker's option --wrap makes LLVM call this function.
extern "C" void __wrap__ZN4llvm2cl6Option11addArgumentEv() {} // NOLINT(bugprone-reserved-identifier)
