#pragma once

// Records which step of the pipeline the compiling thread has begun: after a crash, no other information is left. Also
// has the settings by which tests make steps fail.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/server/channel.hpp"

#include "llvm/Support/Error.h"

#include <optional>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// A trial: the compilation of a kernel at one fallback level.
struct Trial {
  std::optional<Variant> variant; ///< nothing while the kernel is prepared, before a variant is chosen
  FallbackLevel level = FallbackLevel::full;
  const char* step = "start"; ///< name of the step that has begun last; a constant string
  unsigned width = 0;         ///< the chosen vector width; before the choice, the width of the level `full`
};

/// A scope in which the calling thread makes one trial, within the time limit for a trial. If the trial fails, by an
/// error or a crash, its record tells how far it came until the scope ends.
class Trying {
public:
  /// @param width vector width of the level `full`; 0 if it is not known
  Trying(const std::optional<Variant>& variant, FallbackLevel level, unsigned width = 0);
  ~Trying();
  Trying(const Trying&) = delete;

  /// The innermost trial of this thread; nothing outside of trials.
  static const std::optional<Trial>& here();
  /// Begins a part of the trial in which the kernel is prepared, which is the same for all variants. The part has a
  /// time limit of its own, and its end is resume(). Without resume(), the trial's record says that the preparation has
  /// failed.
  /// @returns the trial for resume()
  static std::optional<Trial> begin_preparation();
  static void resume(const std::optional<Trial>& trial);
  /// The vector width of the level `full`; 0 if it is not known.
  static unsigned width_to_keep();
  /// Records how far a compile server has come with the innermost trial.
  static void note_step(const StepRecord& step);

  /// Whether trials of this thread have no time limit of their own, because the thread does other isolated work whose
  /// attempts do not get a thread each.
  static constinit thread_local bool are_unbounded;

private:
  const std::optional<Trial> outer_;
};

/// Sets a function that is called for each step that begins. For compile servers, whose process may end in the step.
void observe_trials(void (*observer)(const Trial& trial));

/// Called when a step begins. @returns an error if the tests ask for one
llvm::Error begin_step(const char* name);

/// Records the vector width of this thread's trial.
void note_width(unsigned width);

/// Called with the result of each step, and with the final result. @returns the complaints of LLVM's verifier
llvm::Error check_step(const char* name, const llvm::Module& module, bool is_last = false);

/// What tests ask for by HOSTCL_TEST_STEPS (docs/contributing-more.md), a list of words separated by commas. Words
/// STEP:HOW and STEP:HOW:LEVELS make a step fail (begin_step()).
struct TestSteps {
#ifdef NDEBUG
  bool verifies = false; ///< `verify` or `strict`: LLVM's verifier checks the result of each step
#else
  bool verifies = true;
#endif
  /// `strict`: a launch fails if a fallback level fails. Otherwise tests of all levels would not notice the failure.
  bool is_strict = false;
  /// `first`: tier 0 code is compiled as if tier 1 code followed, although no tier 1 code follows.
  bool has_tier0_alone = false;
  /// `amd`: kernels are compiled for the memory of AMD's CPUs, with slow scattered accesses, on any CPU.
  bool has_memory_of_amd = false;
  /// `huge:N`. A kernel with more instructions than this after inlining is huge. LLVM's passes take more than linear
  /// time, and would need seconds for a huge kernel, so its tier 0 code is made without optimisations. Such code is
  /// slower by a factor of 20 and more if it would have been vectorised.
  unsigned most_instructions = 80'000;
  /// `long:N`. Tier 0 code with more instructions than this is written by LLVM's unoptimised code generator
  /// (Heuristic::unoptimised_codegen). A small number also limits long_scalar_loops and short_vectors.
  unsigned most_for_optimised_codegen = 10'000;
};
const TestSteps& test_steps();

} // namespace hostcl::compiler
