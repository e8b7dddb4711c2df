#pragma once

// The steps from a kernel's IR to IR of its entry function: a table in the order in which the steps run.
//
// Gains of scalar_loops on an Emerald Rapids Xeon: groups of one work-item that scan 3.0, records taken apart 2.7, an array of
// structs 1.6 times as fast; sums over rows that pointers walk along take twice as long. The median of its seven users is 1.0.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/kernel_module.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/code/variant.hpp"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

class PassEnvironment;

/// The state of a kernel between steps.
struct PipelineRun {
  KernelModule& kernel;
  PipelineOptions options;
  PassEnvironment& environment;
  const Variant* variant; ///< null during the steps that are the same for all variants
  PipelineResult& result;
  const std::string name; ///< name of the kernel, which no function has any more once the entry has been made
  const bool is_tier0 = false; ///< see prepare_kernel()
  bool is_huge = false;
};

/// A step of the pipeline: a row of the table.
struct Step {
  enum Part : std::uint8_t { of_kernel, of_variant };
  enum Role : std::uint8_t {
    lowers,   ///< without it, code would be wrong, or not for the host
    optimises ///< it only makes code faster
  };

  const char* name;
  Part part;
  Role role;
  /// Passes in the syntax of `opt`; hostcl's own passes are in compiler/passes/passes.def. Passes with empty
  /// angle brackets get the switches of the kernel as parameters; `vectorise<>` gets the result of vectorise_options().
  const char* passes;
  bool (*when)(const PipelineRun& run);
  /// Called after the passes, to record what later steps and the runtime have to know of the result; may be
  /// null.
  llvm::Error (*then)(PipelineRun& run) = nullptr;
};

/// All steps. The first one has number 1.
llvm::ArrayRef<Step> pipeline_steps();

// The functions Step::then, in pipeline.cpp.
/// Records the size of the kernel's code, and lowers the fallback level of a huge kernel.
llvm::Error note_size(PipelineRun& run);
/// Records the vector width, after vectorisation; fails if the kernel must have another one.
llvm::Error note_vectors(PipelineRun& run);
/// Records what the runtime has to know of the function for a group.
llvm::Error note_group(PipelineRun& run);
/// Records whether the kernel waits for other work-groups.
llvm::Error note_waits(PipelineRun& run);
llvm::Error note_entry(PipelineRun& run); ///< makes the entry the current function of the kernel
/// Names the entry, and turns the module into one for the host.
llvm::Error become_host_code(PipelineRun& run);
/// Records the bytes of private memory; fails if there are too many.
llvm::Error note_private_memory(PipelineRun& run);

} // namespace hostcl::compiler
