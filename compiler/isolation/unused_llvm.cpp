// Parts of LLVM that the driver does not use, and that would take time when the driver is loaded. The definitions here
// replace LLVM's. Declared in <llvm/Support/CommandLine.h> and in clang's code generator.

#include "llvm/Plugins/PassPlugin.h"

/// Adds the optimiser Polly to clang's pipeline, which the driver never runs.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder&) {}};
}

/// llvm::cl::Option::addArgument(), which registers each of LLVM's options for a command line. The driver has none. The
/// linker's option --wrap makes LLVM call this function.
extern "C" void __wrap__ZN4llvm2cl6Option11addArgumentEv() {} // NOLINT(bugprone-reserved-identifier)
