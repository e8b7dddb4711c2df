#pragma once

// The way from a kernel's IR to IR of its entry function; pipeline_steps.cpp has its steps.
//
// Gains on an Emerald Rapids Xeon, as the median over the kernels whose code a heuristic changes: full_chunks 1.07 over 209
// kernels (a group's sum 1.8), one_chunk 1.10 over 41 (products over tiles 1.6), single_item 8.4 over three (a scan 29).

#include "compiler/code/effort.hpp"
#include "compiler/code/kernel_module.hpp"
#include "compiler/code/variant.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

/// A callback that receives the name of each step that ran, its passes as `opt` reads them, and its result.
using StepObserver =
    llvm::function_ref<void(llvm::StringRef step, llvm::StringRef passes, llvm::Module& module)>;

/// What prepare_kernel() has made.
struct Preparation {
  Effort effort;
  bool is_huge; ///< the kernel has more than most_instructions()
};

/// Takes a freshly extracted kernel to one function in SSA form. This is the same for all variants.
/// @param soon whether a huge kernel gets the form without optimisations instead of the full one
llvm::Expected<Preparation> prepare_kernel(KernelModule& kernel, llvm::TargetMachine& machine, Effort effort,
                                           bool soon, StepObserver observer);

/// The traits of a prepared kernel.
KernelTraits traits_of(const llvm::Function& kernel, const llvm::TargetMachine& machine);

/// A kernel as optimised IR for the host.
struct PipelineResult {
  KernelFacts facts;
  std::string remark;                ///< why the kernel is not vectorised, if it is not
  bool has_simple_generator = false; ///< LLVM's simplest code generator is to write it
};

/// The name of an abi::Entry.
std::string entry_name(llvm::StringRef kernel, const Variant& variant);

/// Takes a prepared kernel to optimised IR for the host. The module then defines the entry of that name.
/// @param variant a canonical one
/// @param effort of the same preparation as the kernel's
llvm::Expected<PipelineResult> run_pipeline(KernelModule& kernel, llvm::TargetMachine& machine,
                                            const Variant& variant, Effort effort, StepObserver observer);

} // namespace hostcl::compiler
