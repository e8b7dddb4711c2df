#pragma once

// One kernel of a program as an object file for the host.

#include "compiler/kernel_module.hpp"
#include "compiler/pipeline.hpp"

#include <mutex>

namespace llvm {
class MemoryBuffer;
}

namespace hostcl::compiler {

struct KernelObject {
  PipelineResult facts;
  std::unique_ptr<llvm::MemoryBuffer> object;
};

/// Compiles a kernel for one variant after another. Several threads may ask at once.
class KernelCompiler {
public:
  KernelCompiler(ModulePtr program, std::string name);

  /// Looks into the disk cache and into what this process has made before it compiles anything.
  llvm::Expected<KernelObject> make(const Variant& variant);

private:
  llvm::Expected<KernelObject> compile(const Variant& variant);
  llvm::Expected<KernelModule> prepare(llvm::LLVMContext& context, llvm::TargetMachine& machine);

  ModulePtr program_;
  std::string name_;
  std::mutex mutex_;   ///< held while the kernel is prepared
  ModulePtr prepared_; ///< the kernel as prepare_kernel() leaves it, when it has been needed
};

} // namespace hostcl::compiler
