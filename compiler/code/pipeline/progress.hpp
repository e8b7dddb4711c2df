#pragma once

// Records which step of the pipeline the compiling thread has begun, for the thread that waits for the compilation:
// after a crash, no other information is left. Also has the settings by which tests make steps fail.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/server/channel.hpp"

#include "llvm/Support/Error.h"

#include <mutex>
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

/// The progress of one call of isolate(). Made by the thread that waits.
class Progress {
public:
  using Observer = void (*)(const Trial& trial);
  /// @param observer called by the compiling thread for each step that begins
  explicit Progress(Observer observer = nullptr);
  Progress(const Progress&) = delete;

  /// The trial that is under way; nothing between two trials.
  std::optional<Trial> trial() const;

  /// A scope in which the calling thread, which does isolated work, reports to the progress.
  class Here {
  public:
    explicit Here(Progress& progress);
    ~Here();
    Here(const Here&) = delete;

  private:
    Progress* outer_;
  };

private:
  friend class Trying;
  friend llvm::Error begin_step(const char* name);
  friend void note_width(unsigned width);
  mutable std::mutex mutex_; ///< guards trial_; no function is called with it held
  std::optional<Trial> trial_;
  const Observer observer_;
  const bool shares_thread_; ///< whether this thread already does isolated work, which has its own bounds
};

/// A scope in which the calling thread makes one trial, within the time limit for a trial. If an exception ends the
/// trial, the record of the trial is kept.
class Trying {
public:
  /// @param width vector width of the level `full`; 0 if it is not known
  Trying(const std::optional<Variant>& variant, FallbackLevel level, unsigned width = 0);
  ~Trying();
  Trying(const Trying&) = delete;

  /// The state of the innermost trial of this thread.
  static std::optional<Trial> here();
  /// The vector width of the level `full`; 0 if it is not known.
  static unsigned width_to_keep();
  /// Records how far a compile server has come with the innermost trial.
  static void note_step(const StepRecord& step);

private:
  static void apply(const std::optional<Trial>& trial);

  std::optional<Trial> outer_;
  const int exceptions_;
};

/// Called when a step begins. @returns an error if the tests ask for one
llvm::Error begin_step(const char* name);

/// Records the vector width of this thread's trial.
void note_width(unsigned width);

/// Called with the result of each step, and with the final result. @returns the complaints of LLVM's verifier
llvm::Error check_step(const char* name, const llvm::Module& module, bool is_last = false);

/// A kernel with more instructions than this after inlining is huge. LLVM's passes take more than linear time, and
/// would need seconds for a huge kernel, so its tier 0 code is made without optimisations. Such code is slower by a
/// factor of 20 and more if it would have been vectorised. Tests may set another number.
unsigned most_instructions();

/// Tier 0 code with more instructions than this is written by LLVM's unoptimised code generator
/// (Heuristic::unoptimised_codegen). Tests may set another number; a small one also limits long_scalar_loops and
/// short_vectors.
unsigned most_for_optimised_codegen();

/// Whether tests want tier 0 code as it is compiled when tier 1 code follows, although no tier 1 code follows.
bool has_tier0_alone();

/// Whether tests want kernels compiled for the memory of AMD's CPUs, with slow scattered accesses, on any
/// CPU.
bool has_memory_of_amd();

/// Whether a launch should fail if a fallback level fails. Otherwise tests of all levels would not notice the
/// failure.
bool fails_at_first_level();

} // namespace hostcl::compiler
