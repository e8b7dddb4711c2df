#pragma once

// The steps from a kernel's IR to IR of its entry function, in order.

#include "compiler/kernel_module.hpp"
#include "compiler/variant.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

/// What kernel code needs at run time, as KernelCode reports it.
struct PipelineResult {
  std::string entry_name;
  unsigned width = 1;           ///< work-items per vector
  unsigned preferred_width = 0; ///< what it would be for a large local size; 0: unknown
  bool prefers_columns = false;
  unsigned vector_dimension = 0; ///< that lanes lie along
  std::string remark;            ///< why the kernel is not vectorised, if it is not
  bool groups_merge = false;
  std::uint64_t static_local_bytes = 0;
  std::uint64_t context_bytes_fixed = 0;
  std::uint64_t context_bytes_per_chunk = 0;
};

/// Is told the name of each step that ran, and its result.
using StepObserver = llvm::function_ref<void(llvm::StringRef step, llvm::Module& module)>;

/// Takes a freshly extracted kernel to one function in SSA form. This is the same for all variants.
llvm::Error prepare_kernel(KernelModule& kernel, llvm::TargetMachine& machine, StepObserver observer);

/// Takes a prepared kernel to optimised IR for the host. The module then defines `entry_name`, an abi::Entry.
llvm::Expected<PipelineResult> run_pipeline(KernelModule& kernel, llvm::TargetMachine& machine,
                                            const Variant& variant, StepObserver observer);

} // namespace hostcl::compiler
