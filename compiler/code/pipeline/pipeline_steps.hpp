#pragma once

// The steps from a kernel's IR to IR of its entry function, as one table in the order in which they run.
//
// Gains of scalar_loops on an Emerald Rapids Xeon: groups of one work-item that scan 3.0, records taken apart 2.7, an array of
// structs 1.6 times as fast; sums over rows that pointers walk along take twice as long. The median of its seven users is 1.0.

#include "compiler/code/effort.hpp"
#include "compiler/code/kernel_module.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/code/variant.hpp"

namespace llvm {
class TargetMachine;
}

namespace hostcl::compiler {

class PassEnvironment;

/// A kernel on its way through the table.
struct PipelineRun {
  KernelModule& kernel;
  llvm::TargetMachine& machine;
  PassEnvironment& environment;
  Effort effort;
  const Variant* variant; ///< null while what is the same for all variants is made
  PipelineResult& result;
  const std::string name;  ///< of the kernel, which is not a function any more once its entry is made
  const bool soon = false; ///< as prepare_kernel() has it
  bool is_huge = false;
};

struct Step {
  enum Part : std::uint8_t { of_kernel, of_variant };
  enum Role : std::uint8_t {
    lowers,   ///< code is wrong, or not for the host, without it
    optimises ///< it can be left out
  };

  const char* name;
  Part part;
  Role role;
  /// Passes in the syntax of `opt`. hostcl's own are in compiler/passes/passes.def. `vectorise<>` gets the parameters of
  /// vectorise_options().
  const char* passes;
  bool (*when)(const PipelineRun& run);
  /// What later steps and the runtime ask of the result; or null.
  llvm::Error (*then)(PipelineRun& run) = nullptr;
};

/// All steps: the first one has the number 1.
llvm::ArrayRef<Step> pipeline_steps();

/// The number of the last step that may make code faster, see set_last_step().
unsigned last_step();

// What happens between passes, in pipeline.cpp.
llvm::Error note_size(PipelineRun& run);    ///< of all code of the kernel, which its form may follow from
llvm::Error note_vectors(PipelineRun& run); ///< after the choice of a form: its width, and whether it will do
llvm::Error note_group(PipelineRun& run);   ///< what one function for a group tells the runtime
llvm::Error note_entry(PipelineRun& run);   ///< from here on the entry stands for the kernel
llvm::Error become_host_code(PipelineRun& run);    ///< names the entry, and makes the module one for the host
llvm::Error note_private_memory(PipelineRun& run); ///< bytes of private memory, which may be too many

} // namespace hostcl::compiler
