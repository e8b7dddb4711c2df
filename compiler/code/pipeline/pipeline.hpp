#pragma once

// Turns a kernel's IR into IR of its entry function; pipeline_steps.cpp has the steps.
//
// Gains on an Emerald Rapids Xeon, as the median over the kernels whose code a heuristic changes: full_chunks 1.07 over 209
// kernels (a group's sum 1.8), one_chunk 1.10 over 41 (products over tiles 1.6), single_item 8.4 over three (a scan
// 29).

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/kernel_module.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/settings/settings.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

/// A callback for each step that has run, with the step's name, its passes in the syntax of `opt`, and its
/// result.
using StepObserver =
    llvm::function_ref<void(llvm::StringRef step, llvm::StringRef passes, llvm::Module& module)>;

/// How a kernel is compiled.
struct PipelineOptions {
  /// Gives passes the switches of the settings; but only the level `full` has heuristics for speed.
  PipelineOptions(llvm::TargetMachine& machine, const Settings& settings, FallbackLevel level);

  llvm::TargetMachine& machine;
  const Settings& settings;
  const Switches switches;
  FallbackLevel level;     ///< is lowered for kernels that are huge or debugged; their switches stay
  bool print_plan = false; ///< see VectoriseOptions
};

/// The result of prepare_kernel().
struct Preparation {
  FallbackLevel level;
  bool is_huge; ///< the kernel has more than TestSteps::most_instructions
};

/// Turns a kernel that has just been extracted into a single function in SSA form. The result is the same for
/// all variants.
/// @param is_tier0 whether a huge kernel is prepared for the level `bare` instead of `full`
llvm::Expected<Preparation> prepare_kernel(KernelModule& kernel, const PipelineOptions& options,
                                           bool is_tier0, StepObserver observer = nullptr);

/// The properties of a prepared kernel.
KernelProperties properties_of(const llvm::Function& kernel, const PipelineOptions& options);

/// A kernel as optimised IR for the host.
struct PipelineResult {
  CodeProperties code_properties;
  std::string remark;                   ///< why the kernel is not vectorised; empty if it is
  bool has_unoptimised_codegen = false; ///< whether LLVM's unoptimised code generator should write its code
};

/// The symbol name of the kernel's abi::Entry.
std::string entry_name(llvm::StringRef kernel, const Variant& variant);

/// Turns a prepared kernel into optimised IR for the host. The module then defines the function entry_name().
/// @param variant a canonical variant
/// @param options with a level that has the same preparation as the kernel's
llvm::Expected<PipelineResult> run_pipeline(KernelModule& kernel, const PipelineOptions& options,
                                            const Variant& variant, StepObserver observer = nullptr);

} // namespace hostcl::compiler
