#pragma once

// One kernel of a program as an object file for the host.

#include "compiler/pipeline.hpp"

namespace llvm {
class MemoryBuffer;
}

namespace hostcl::compiler {

struct KernelObject {
  PipelineResult facts;
  std::unique_ptr<llvm::MemoryBuffer> object;
};

/// Compiles a kernel, or takes it from the disk cache.
llvm::Expected<KernelObject> make_kernel_object(const Module& program, const std::string& name,
                                                const Variant& variant);

} // namespace hostcl::compiler
