#pragma once

// The steps from a kernel's IR to IR of its entry function, in order.

#include "compiler/kernel_module.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

/// Which machine code of a kernel is wanted.
struct Variant {
  unsigned width = 1;       ///< work-items per vector; 1 is the scalar form
  bool full_chunks = false; ///< every group's x size is a multiple of width

  auto operator<=>(const Variant&) const = default;
  /// Distinct for distinct variants; part of symbol names and cache keys.
  std::string text() const;
};

/// What kernel code needs at run time, as KernelCode reports it.
struct PipelineResult {
  std::string entry_name;
  unsigned width = 1;
  std::uint64_t static_local_bytes = 0;
  std::uint64_t context_bytes_fixed = 0;
  std::uint64_t context_bytes_per_chunk = 0;
};

/// Is told the name of each step that ran, and its result.
using StepObserver = llvm::function_ref<void(llvm::StringRef step, llvm::Module& module)>;

/// Takes a freshly extracted kernel to optimised IR for the host. The module then defines `entry_name`, an
/// abi::Entry.
llvm::Expected<PipelineResult> run_pipeline(KernelModule& kernel, llvm::TargetMachine& machine,
                                            const Variant& variant, StepObserver observer);

} // namespace hostcl::compiler
