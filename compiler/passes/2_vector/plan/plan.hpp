#pragma once

// The vectoriser's plan: how each instruction of a kernel will be written for all lanes. Everything is decided here,
// before the first instruction is written; the writers (control/, values/, atomics/, memory/) execute the plan, and the
// decision whether vectors pay (choose/scalar_profitability.hpp) counts what would be written. A form that corresponds
// to a recipe of LLVM's VPlan has the recipe's name.
//
//   %entry: cost 4                                                       (a printed plan)
//     CLONE             %i = call i64 @__hostcl_local_id(i32 0)
//     CLONE             %p = getelementptr float, ptr %a, i64 %i
//     CONTIGUOUS        %x = load float, ptr %p, align 4; stride 4
//     WIDEN             %c = fcmp ogt float %x, 0.0
//     BRANCH-ON-MASK    br i1 %c, label %rare, label %end
//   %rare: cost 40, skipped without lanes
//     REPLICATE         %y = call float @f(float %x)
//
// `hostclc --print-plan FILE.cl` prints the plans of kernels; so do the passes print<plan>, for eight lanes, and
// vectorise<print-plan>. Tests: tests/passes/2_vector/plan*.ll

#include "compiler/passes/2_vector/options.hpp"
#include "compiler/passes/2_vector/shapes/forward_graph.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace hostcl::compiler {

/// How an instruction is written for all lanes: the rows of forms.inc.
enum class Form : std::uint8_t {
#define FORM(NAME, PRINTED) NAME,
#include "compiler/passes/2_vector/plan/forms.inc"
};

/// The form of one instruction.
struct Recipe {
  Form form;
  std::int64_t stride = 0; ///< of an access: bytes between lanes, if they are known or guessed
  /// How certain the stride is. Unless it is known, it is tested at run time; if the test fails, the access is a gather
  /// or scatter, or an atomic update for each lane.
  Confidence confidence = Confidence::known;
};

/// The largest stride, in elements, of a wide access with gaps. Above it a gather costs less.
constexpr std::int64_t largest_gap = 4;

class Plan {
public:
  /// All parameters must outlive the plan.
  Plan(const ForwardGraph& graph, const llvm::LoopInfo& loops, const Shapes& shapes,
       const VectoriseOptions& options);

  const Recipe& of(const llvm::Instruction& instruction) const { return recipes_.find(&instruction)->second; }
  /// Why the kernel cannot be vectorised, with the source line if it is known; empty if it can.
  const std::string& refusal() const { return refusal_; }

  struct Block {
    unsigned cost = 0; ///< of the vector code, in simple operations (choose/costs.hpp)
    /// Without an active lane, running the block would be wrong (`needs_lane`) or cost much (`is_slow`).
    bool needs_lane = false, is_slow = false;
    /// For the first block of a control class: whether the blocks of the class are skipped if no lane is active.
    bool guarded = false;
  };
  const Block& block(unsigned index) const { return blocks_[index]; }

  const llvm::Function& kernel() const { return *graph.block(0)->getParent(); }
  /// Prints the plan of the kernel called `name`.
  void print(llvm::raw_ostream& stream, llvm::StringRef name) const;

  const ForwardGraph& graph;
  const llvm::LoopInfo& loops;
  const Shapes& shapes;
  const VectoriseOptions& options;

private:
  Recipe choose(const llvm::Instruction& instruction);
  Recipe choose_access(const llvm::Instruction& access) const;
  Recipe choose_wide(const llvm::Instruction& access, std::int64_t stride, Confidence confidence) const;
  Form choose_call(const llvm::CallInst& call) const;
  Form choose_division(const llvm::Instruction& division) const;
  Recipe choose_atomic(const llvm::AtomicRMWInst& update) const;
  Form choose_branch(const llvm::Instruction& branch) const;
  Form refuse(const llvm::Instruction& instruction, const llvm::Twine& why);
  bool is_uniform(const llvm::Value* value) const { return shapes.of(value).is_uniform(); }
  void weigh(Block& block, const llvm::Instruction& instruction, bool is_predictable) const;

  llvm::DenseMap<const llvm::Instruction*, Recipe> recipes_;
  std::vector<Block> blocks_; ///< by the block's index in `graph`
  std::string refusal_;
};

/// A function `one` of the driver that has a form `many` for all lanes: many(arguments, results, count, ...).
/// `arguments` has the divergent argument of each lane, and `results` gets each lane's result (no parameter if the
/// function returns void). The uniform arguments follow `count`.
struct ManyForm {
  llvm::StringRef one, many;
  unsigned divergent; ///< the argument that may be divergent; inactive lanes get 0
};
/// The form for all lanes of the called function, or null if there is none.
const ManyForm* many_form(const llvm::CallInst& call);

/// "file:line: " of an instruction; empty if its source line is unknown.
std::string source_location(const llvm::Instruction& instruction);

} // namespace hostcl::compiler
