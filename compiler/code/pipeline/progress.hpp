#pragma once

// What the compiler's thread does for a kernel, step by step, for the thread that waits for it: after a crash nothing
// else tells. And the switch of the tests that has steps fail.

#include "compiler/code/effort.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/server/channel.hpp"

#include "llvm/Support/Error.h"

#include <mutex>
#include <optional>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// One form of a kernel that is being made.
struct Trial {
  std::optional<Variant> variant; ///< nothing while the kernel is prepared
  Effort effort = Effort::full;
  const char* step = "start"; ///< the last one that began, a constant
  unsigned width = 0;         ///< work-items per vector, once that is decided; before, that of the full form
};

/// The progress of one call of isolate(), made by the thread that waits.
class Progress {
public:
  using Observer = void (*)(const Trial& trial);
  /// @param observer called for each step that begins, by the thread that does it
  explicit Progress(Observer observer = nullptr);
  Progress(const Progress&) = delete;

  /// The form that is being made now; nothing between two.
  std::optional<Trial> trial() const;

  /// While one lives, this thread, which does isolated work, reports to the progress.
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
  mutable std::mutex mutex_; ///< guards trial_; nothing is called under it
  std::optional<Trial> trial_;
  const Observer observer_;
  const bool shares_thread_; ///< other isolated work has the bounds
};

/// While one lives, this thread makes a form of a kernel, and may take as long as a form may. An exception that ends
/// it leaves the trial as it was.
class Trying {
public:
  /// @param width of the full form, if that is known, or 0
  Trying(const std::optional<Variant>& variant, Effort effort, unsigned width = 0);
  ~Trying();
  Trying(const Trying&) = delete;

  /// How the innermost is going.
  static std::optional<Trial> here();
  /// The width of the full form; 0 if it is not known.
  static unsigned width_to_keep();
  /// Says how far a compile server came with the innermost.
  static void note_step(const StepRecord& step);

private:
  static void apply(const std::optional<Trial>& trial);

  std::optional<Trial> outer_;
  const int exceptions_;
};

/// Called by each step as it begins. @returns an error if the tests want one
llvm::Error begin_step(const char* name);

/// Says how wide the vectors of this thread's form are.
void note_width(unsigned width);

/// Called with the result of each step, and of the last one. @returns what LLVM's verifier finds
llvm::Error check_step(const char* name, const llvm::Module& module, bool is_last = false);

/// A kernel of more, once its calls are inlined, is huge: LLVM's passes, which take more than linear time, need seconds
/// for it, so that its first code goes without optimisations. It is slower by a factor of 20 and more where it would have
/// vectors. Tests may say another number.
unsigned most_instructions();

/// First code of more instructions is written by LLVM's simplest code generator (Heuristic::simple_generator). Tests may
/// set another number; a small one then bounds long_scalar_loops and short_vectors as well.
unsigned most_for_generator();

/// Whether tests want the code that a first launch waits for also where no better code follows.
bool has_first_code_alone();

/// Whether tests want kernels compiled as for the memory of AMD's CPUs, with slow scattered accesses, on any CPU.
bool has_memory_of_amd();

/// Whether a form that fails is to fail its launch: tests of all forms would not notice it otherwise.
bool fails_with_first_form();

} // namespace hostcl::compiler
