#include "compiler/code/pipeline/pipeline_steps.hpp"

#include "compiler/code/pipeline/progress.hpp"
#include "compiler/compiler.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/vectorise.hpp"
#include "compiler/passes/3_group/tree_reductions.hpp"
#include "compiler/settings/names.hpp"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <iterator>

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool always(const PipelineRun&) {
  return true;
}

template <Check check>
bool checks(const PipelineRun& run) {
  return run.options.switches.is_checked(check);
}

/// Whether variables of functions may be promoted to SSA values: false if checks or debuggers need them in
/// memory.
bool hides_variables(const PipelineRun& run) {
  return !run.options.switches.has_checks() && !run.kernel.module->getModuleFlag(metadata::debug_form);
}

bool speculates(const PipelineRun& run) {
  return !run.options.switches.is_checked(Check::races) && !run.options.switches.is_checked(Check::commands);
}

/// Not if races are checked: a value that is read into a volatile variable counts as used until the read is
/// recorded.
bool frees_volatile(const PipelineRun& run) {
  return !run.options.switches.is_checked(Check::races);
}

bool calls_images(const PipelineRun& run) {
  return any_of(*run.kernel.module,
                [](const Function& function) { return function.hasFnAttribute(metadata::image_call); });
}

bool counts_executions(const PipelineRun& run) {
  return run.kernel.module->getNamedMetadata(metadata::covered_functions);
}

bool has_tree_reductions(const PipelineRun& run) {
  return any_of(*run.kernel.module, [](const Function& function) {
    return any_of(instructions(function),
                  [](const Instruction& instruction) { return is_tree_reduction_call(instruction); });
  });
}

bool linearises_sub_groups(const PipelineRun& run) {
  return run.variant->linearised_sub_groups;
}

bool sees_vectors(const PipelineRun& run) {
  return uses_sub_groups(*run.kernel.kernel);
}

/// Not if races or accesses of commands are checked: work-items are then distinguished best one at a time.
bool may_have_vectors(const PipelineRun& run) {
  const Switches& switches = run.options.switches;
  return run.options.level < FallbackLevel::scalar && run.variant->width_limit >= 2 &&
         (!switches.is_checked(Check::races) || checked_form_of(*run.kernel.kernel)) &&
         !switches.is_checked(Check::commands) && !sees_vectors(run);
}

bool has_vectors(const PipelineRun& run) {
  return run.result.code_properties.width > 1;
}

bool has_scalars(const PipelineRun& run) {
  return !has_vectors(run);
}

bool knows_disjoint(const PipelineRun& run) {
  return run.variant->buffers_disjoint && speculates(run);
}

/// Whether passes that take long should run: tier 0 variants are compiled without them.
bool has_time(const PipelineRun& run) {
  return !run.variant->tier0;
}

/// For long kernels in tier0 variants, these passes take as long as all others together. Without them, tier
/// 0 code of hashcat's m18800_init is ready in 0.50 instead of 0.78 s, 1.5 times as soon (a Xeon with
/// AVX-512).
bool has_scalar_loops(const PipelineRun& run) {
  const unsigned long_kernel = std::min(2000U, test_steps().most_for_optimised_codegen);
  if (has_vectors(run) || !run.options.switches.is_on(Heuristic::scalar_loops)) return false;
  return !note_change(Heuristic::long_scalar_loops,
                      !has_time(run) && run.options.switches.is_on(Heuristic::long_scalar_loops) &&
                          run.kernel.module->getInstructionCount() > long_kernel);
}

bool has_vectors_and_time(const PipelineRun& run) {
  return has_vectors(run) && has_time(run);
}

bool multiplies_matrices(const PipelineRun& run) {
  return any_of(*run.kernel.module, [](const Function& function) {
    return function.getIntrinsicID() == Intrinsic::matrix_multiply;
  });
}

/// Not in checked kernels, whose checks expect that a thread runs one group after the other.
bool may_let_groups_run(const PipelineRun& run) {
  return !run.options.switches.has_checks();
}

bool has_same_bits(const PipelineRun& run) {
  return run.options.settings.same_bits;
}

bool lacks_half_arithmetic(const PipelineRun& run) {
  const TargetSubtargetInfo* target = run.options.machine.getSubtargetImpl(*run.kernel.kernel);
  return !target->getTargetLowering()->isOperationLegal(ISD::FADD, MVT::f16);
}

bool has_dot_products(const PipelineRun& run) {
  return run.options.machine.getTargetTriple().isAArch64() &&
         run.options.machine.getSubtargetImpl(*run.kernel.kernel)->checkFeatures("+dotprod");
}

using enum Step::Part;
using enum Step::Role;

constexpr Step steps[] = {
    // Before all steps that use fast-math flags, fmuladd or the order of atomic updates.
    {"same-bits", of_kernel, lowers, "same-bits", has_same_bits},

    // Promotes variables of functions once, before inlining copies the functions. Not with checks, which
    // report variables that have not been written.
    {"callee-registers", of_kernel, lowers, "function(sroa<modify-cfg>)", hides_variables},

    // Makes one function: barriers and work-item functions have a meaning only within the kernel. Divisions
    // become guarded divisions before, because the inliner folds constants in the code that it copies.
    {"inline", of_kernel, lowers,
     "function(guarded-division),always-inline,globaldce,query-arguments,byval-arguments", always, note_size},

    {"debug-variables", of_kernel, lowers, "function(debug-variables)", always},

    // The check for uninitialised values is inserted before passes exploit undefined behaviour. All other
    // checks are inserted after passes that remove accesses.
    {"mark-uninitialised", of_kernel, lowers, "function(mark-uninitialised,mem2reg)",
     checks<Check::uninitialised>},
    {"image-calls", of_kernel, lowers,
     "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg),image-calls,always-inline,globaldce",
     calls_images},
    {"certain-bounds", of_kernel, lowers, "function(mem2reg,certain-bounds<>)", checks<Check::bounds>},
    {"check-uninitialised", of_kernel, lowers, "function(check-uninitialised)", checks<Check::uninitialised>},

    // To SSA form. Partial redundancies are not eliminated: the phis of partial redundancy elimination turn
    // uniform and affine values into values that differ between work-items which came from different
    // predecessors.
    {"speculation-off", of_kernel, lowers, "function(speculation<off>)", always},
    {"private-volatile", of_kernel, optimises, "function(private-volatile<>)", frees_volatile},
    {"registers", of_kernel, lowers, "function(sroa<modify-cfg>)", always},
    {"early-cse", of_kernel, optimises, "function(early-cse<memssa>)", always},
    {"branches", of_kernel, lowers, "function(simplifycfg)", always},
    {"address-spaces", of_kernel, lowers, "function(infer-generic-space,address-space-queries)", always},
    // A loop around a compare-exchange that counts executions has two blocks. The pass does not recognise the loop
    // once `simplify` has rotated it.
    {"counted-exchange-loops", of_kernel, optimises,
     "function(instcombine<no-verify-fixpoint>,simplifycfg,exchange-loops<>)", counts_executions},
    {"simplify", of_kernel, optimises,
     "function(instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(loop-rotate,licm),unroll-loops<>,gvn<no-"
     "pre>)",
     always},
    {"exchange-loops", of_kernel, optimises, "function(exchange-loops<>)", always},
    {"simplify-more", of_kernel, optimises,
     "function(instcombine<no-verify-fixpoint>,mldst-motion,simplifycfg,adce,canonical-indices<>,narrow-"
     "integers<>)",
     always},
    {"lower-printf", of_kernel, lowers, "function(lower-printf,constant-dimensions)", always},
    {"loop-updates", of_kernel, optimises, "function(loop-updates<>)", speculates},
    {"deferrable-atomics", of_kernel, optimises, "function(deferrable-atomics<>)", always},
    {"lower-traps", of_kernel, lowers, "function(lower-traps)", always},
    {"speculation-on", of_kernel, lowers, "function(speculation<on>)", speculates},
    {"order-properties", of_kernel, lowers, "function(order-properties)", checks<Check::order>},
    // split-races analyses the kernel's accesses before check-bounds adds branches to the kernel.
    {"split-races", of_kernel, lowers, "split-races<>", checks<Check::races>},
    {"check-bounds", of_kernel, lowers,
     "function(check-bounds<>,early-cse<memssa>,instcombine<no-verify-fixpoint>,loop-mssa(licm),adce)",
     checks<Check::bounds>},
    {"check-divergence", of_kernel, lowers,
     "function(barrier-cases,lower-switch,check-divergence,early-cse<memssa>,simplifycfg)",
     checks<Check::divergence>},
    {"check-commands", of_kernel, lowers, "function(check-commands<>)", checks<Check::commands>},
    {"check-races", of_kernel, lowers,
     "function(check-races,private-volatile<>,sroa<modify-cfg>,early-cse<memssa>)", checks<Check::races>},
    {"lower-shadow-addresses", of_kernel, lowers, "function(lower-shadow-addresses)",
     checks<Check::uninitialised>},

    {"group-size-agnostic", of_kernel, optimises, "function(group-size-agnostic<>)", always},

    // Makes one function for the work-items of a vector, or for a single work-item.
    {"vector-dimension", of_variant, lowers, "function(vector-dimension)", always},
    {"linearised-sub-groups", of_variant, lowers,
     "function(linearised-sub-groups,early-cse,instcombine<max-iterations=1;no-verify-fixpoint>)",
     linearises_sub_groups},
    {"tree-reductions", of_variant, optimises, "function(tree-reductions<>)", has_time},
    {"disjoint-buffers", of_variant, optimises,
     "function(disjoint-buffers,loop-updates<>,disjoint-buffers,deferrable-atomics<>)", knows_disjoint},
    {"barrier-synchronised-loops", of_variant, optimises, "function(barrier-synchronised-loops<>)", has_time},
    {"vectorise", of_variant, optimises, "function(vectorise<>)", may_have_vectors, note_vectors},
    {"sub-groups", of_variant, lowers, "function(vectorise<>)", sees_vectors, note_vectors},
    {"unmasked-copy", of_variant, optimises, "function(unmasked-copy<>)", has_vectors_and_time},
    {"single-lane", of_variant, lowers, "function(single-item,single-lane)", has_scalars},
    // Again, for the minima and maxima that the vectoriser has made of sub-group operations.
    {"same-bits-of-lanes", of_variant, lowers, "same-bits", has_same_bits},
    {"inline-tree-reductions", of_variant, lowers, "always-inline,globaldce", has_tree_reductions},

    // Makes one function that runs a work-group.
    {"group-atomics", of_variant, optimises, "function(group-atomics<>)", always},
    {"local-memory", of_variant, lowers, "function(local-memory)", always},
    {"barrier-regions", of_variant, lowers, "function(barrier-regions<>)", always, note_group},
    {"waiting-loops", of_variant, lowers, "function(waiting-loops)", may_let_groups_run, note_waits},
    // This step must not run earlier: the result of an atomic operation is divergent, but that of the plain
    // load that replaces it may be uniform.
    {"local-atomics", of_variant, optimises, "function(local-atomics)", always},

    // The same for accesses that the vectoriser has made.
    {"disjoint-accesses", of_variant, optimises, "function(disjoint-buffers)", knows_disjoint},

    // Makes one function that runs a range of work-groups, for the host.
    {"kernel-entry", of_variant, lowers, "kernel-entry", always, note_entry},
    {"deferred-atomics", of_variant, optimises, "function(deferred-atomics<>)", always},
    // Not earlier, because accesses to counters would prevent optimisations that the calls do not prevent.
    {"coverage-counters", of_variant, lowers, "coverage-counters", counts_executions},
    {"host", of_variant, lowers, "", always, become_host_code},
    {"matrices", of_variant, lowers, "function(multiply-matrices)", multiplies_matrices},
    {"maths-instructions", of_variant, lowers, "function(maths-instructions)", always},
    // Functions that record accesses are inlined only when the loops around the kernel's code exist.
    {"race-cells", of_variant, lowers, "always-inline", checks<Check::races>},

    // Optimisations of the loops around the kernel's code.
    {"tidy", of_variant, optimises,
     "separate-loops<>,function(many-loops<>,sroa<modify-cfg>,early-cse<memssa>,selected-loads,"
     "instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm))",
     always},
    {"loop-form", of_variant, optimises, "function(loop(indvars,loop-idiom,loop-deletion))", has_time},
    {"optimise", of_variant, optimises,
     "function(gvn,selected-loads,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce", always},
    {"unroll-and-jam", of_variant, optimises, "function(unroll-and-jam<>,cache-tiling<>,transposed-loads<>)",
     has_vectors_and_time},
    {"plain-addresses", of_variant, lowers, "plain-addresses", has_vectors},
    {"scalar-loops", of_variant, optimises,
     "function(conditional-divisions,overlapping-accesses,defined-starts,masked-inductions,loop-vectorize,"
     "loop-load-elim,"
     "selected-loads,instcombine<no-verify-fixpoint>,slp-vectorizer,"
     "vector-combine,sroa<modify-cfg>,early-cse<memssa>,selected-loads,instcombine<no-verify-fixpoint>,"
     "loop-mssa(licm),simplifycfg,adce)",
     has_scalar_loops},

    // To IR that the code generator supports, handles correctly, and handles in reasonable time.
    {"dot-products", of_variant, lowers, "function(dot-products)", has_dot_products},
    {"promote-half", of_variant, lowers, "function(promote-half<>)", lacks_half_arithmetic},
    {"private-memory", of_variant, lowers, "large-private", always, note_private_memory},
    {"long-blocks", of_variant, lowers,
     "separate-code<>,function(wide-to-half,one-lane-stores,shift-amounts,interleaved-addresses,"
     "estimated-divisions,long-blocks<>)",
     always},
};

constexpr FormerName former_names[] = {
    {"free-groups", "group-size-agnostic"},
    {"joined-rows", "linearised-sub-groups"},
    {"local-trees", "tree-reductions"},
    {"apart-buffers", "disjoint-buffers"},
    {"lockstep-loops", "barrier-synchronised-loops"},
    {"inline-trees", "inline-tree-reductions"},
    {"apart-accesses", "disjoint-accesses"},
    {"order-facts", "order-properties"},
};

} // namespace

ArrayRef<Step> pipeline_steps() {
  return steps;
}

Outcome<unsigned> step_named(std::string_view step) {
  if (step.empty()) return {Status::success, {}, Settings().last_step};
  step = current_name(step, former_names);
  unsigned number = 0;
  const auto* named = find_if(steps, [&](const Step& row) { return row.name == step; });
  if (named != std::end(steps))
    number = static_cast<unsigned>(named - steps) + 1;
  else if (StringRef(step).getAsInteger(10, number) || number > std::size(steps))
    return Failed{Status::invalid_options, "steps have numbers up to " + std::to_string(std::size(steps)) +
                                               ", and names; `hostclc --stop-after=help` lists them"};
  return {Status::success, {}, number};
}

std::string steps_help() {
  std::string help;
  raw_string_ostream stream(help);
  for (const Step& step : steps)
    stream << formatv("{0,3}  {1,-20} {2,-10} {3}\n", &step - steps + 1, step.name,
                      step.role == optimises ? "optimises" : "", step.passes);
  return help;
}

} // namespace hostcl::compiler
