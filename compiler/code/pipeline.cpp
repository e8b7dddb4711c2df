#include "compiler/code/pipeline.hpp"

#include "compiler/code/inlining.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pass_environment.hpp"
#include "compiler/code/progress.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/passes/codegen/large_private.hpp"
#include "compiler/passes/entry/service_calls.hpp"
#include "compiler/passes/group/local_memory.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/marks.hpp"
#include "compiler/passes/prepare/lower_printf.hpp"
#include "compiler/passes/prepare/lower_traps.hpp"
#include "compiler/passes/sub_group_operation.hpp"
#include "compiler/passes/vectorise/choose/column_access.hpp"
#include "compiler/passes/vectorise/choose/width.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A step in the syntax of `opt`. hostcl's own passes are in compiler/passes/, with the names of its
/// registry.
struct Step {
  const char* name;
  const char* passes;
};

/// Steps to one function.
constexpr Step inline_steps[] = {
    // The meaning of barriers and work-item functions depends on the kernel around them. The inliner folds
    // constants in the code that it copies, so divisions are made total before it.
    {"inline", "function(total-division),always-inline,globaldce,query-arguments,byval-arguments"},
};

/// Steps for kernels that call functions on images.
constexpr Step image_steps[] = {
    {"image-calls",
     "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg),image-calls,always-inline,globaldce"},
};

/// Steps to SSA form.
constexpr Step simplify_steps[] = {
    // Partial redundancies stay: the phis that remove them make values that are uniform, or follow from ids,
    // differ between work-items that came from different predecessors.
    {"simplify",
     "function(private-volatile,sroa<modify-cfg>,early-cse<memssa>,simplifycfg,infer-generic-space,"
     "address-space-queries,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(loop-rotate,licm),unroll-"
     "loops,gvn<no-pre>,"
     "exchange-loops,instcombine<no-verify-fixpoint>,mldst-motion,simplifycfg,adce,canonical-indices,"
     "lower-printf,constant-dimensions,deferrable-atomics,lower-traps)"},
};

/// The same without what makes code faster, and without most of LLVM.
constexpr Step bare_simplify_steps[] = {
    {"bare-simplify",
     "function(sroa<modify-cfg>,simplifycfg,infer-generic-space,address-space-queries,lower-printf,"
     "constant-dimensions,lower-traps)"},
};

/// Steps that write checks into kernels, before passes make use of what is undefined, and after those that leave fewer
/// accesses.
constexpr Step early_bounds_steps[] = {
    {"certain-bounds", "function(mem2reg,certain-bounds)"},
};
constexpr Step bounds_steps[] = {
    {"check-bounds",
     "function(check-bounds,early-cse<memssa>,instcombine<no-verify-fixpoint>,loop-mssa(licm),adce)"},
};

constexpr Step early_uninitialised_steps[] = {
    {"mark-uninitialised", "function(mark-uninitialised,mem2reg)"},
};
constexpr Step uninitialised_steps[] = {
    {"check-uninitialised", "function(check-uninitialised)"},
};
constexpr Step divergence_steps[] = {
    {"check-divergence", "function(lower-switch,check-divergence,early-cse<memssa>,simplifycfg)"},
};

constexpr Step race_steps[] = {
    {"check-races", "function(check-races,early-cse<memssa>)"},
};
/// Their functions are inlined once loops surround the kernel's code.
constexpr Step race_cell_steps[] = {
    {"race-cells", "always-inline"},
};

/// Steps that depend on the launch.
constexpr Step launch_steps[] = {
    {"vector-dimension", "function(vector-dimension)"},
};

/// Steps for launches with sub-groups that go over the ends of rows.
constexpr Step joined_steps[] = {
    {"joined-rows", "function(joined-rows,early-cse,instcombine<max-iterations=1;no-verify-fixpoint>)"},
};

/// Between the two runs vectorise(); for the scalar form, these steps.
constexpr Step scalar_steps[] = {
    {"single-lane", "function(single-item,single-lane)"},
};

/// Steps to one function that runs a work-group.
constexpr Step group_steps[] = {
    {"group-atomics", "function(group-atomics)"},
    {"local-memory", "function(local-memory)"},
    {"barrier-regions", "function(barrier-regions)"},
    // Not earlier: an atomic's result differs between work-items, which a plain load does not tell.
    {"local-atomics", "function(local-atomics)"},
};

/// Steps to one function that runs a range of work-groups.
constexpr Step entry_steps[] = {
    {"kernel-entry", "kernel-entry"},
    {"deferred-atomics", "function(deferred-atomics)"},
};

/// Optimisations that the loops around the kernel's code make possible.
constexpr Step tidy_steps[] = {
    {"tidy", "separate-loops,function(many-loops,sroa<modify-cfg>,early-cse<memssa>,selected-loads,"
             "instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm))"},
};

/// Steps that take so long that compact code goes without them.
constexpr Step loop_form_steps[] = {
    {"loop-form", "function(loop(indvars,loop-idiom,loop-deletion))"},
};

constexpr Step optimise_steps[] = {
    {"optimise", "function(gvn,selected-loads,instcombine<no-verify-fixpoint>,simplifycfg,adce),globaldce"},
};

/// Steps for the loops of vectorised kernels.
constexpr Step vector_loop_steps[] = {
    {"unroll-and-jam", "function(unroll-and-jam),plain-addresses"},
};

/// Steps for the scalar form, with LLVM's own vectorisers.
constexpr Step scalar_loop_steps[] = {
    {"scalar-loops",
     "function(conditional-divisions,overlapping-accesses,defined-starts,loop-vectorize,loop-load-elim,"
     "selected-loads,instcombine<no-verify-fixpoint>,slp-vectorizer,"
     "vector-combine,sroa<modify-cfg>,early-cse<memssa>,selected-loads,instcombine<no-verify-fixpoint>,"
     "loop-mssa(licm),simplifycfg,adce)"},
};

/// The part of them that all vector forms need.
constexpr Step bare_vector_steps[] = {
    {"plain-addresses", "plain-addresses"},
};

ArrayRef<Step> loop_steps(unsigned width, Effort effort) {
  if (width > 1) return effort == Effort::bare ? ArrayRef(bare_vector_steps) : ArrayRef(vector_loop_steps);
  return is_on(Heuristic::scalar_loops) ? ArrayRef(scalar_loop_steps) : ArrayRef<Step>();
}

/// Steps for CPUs without half arithmetic.
constexpr Step half_steps[] = {
    {"promote-half", "function(promote-half)"},
};

/// Steps that place private memory, of which there may be much.
constexpr Step private_steps[] = {
    {"private-memory", "large-private"},
};

/// Steps that prepare for the code generator.
constexpr Step code_steps[] = {
    {"long-blocks", "separate-code,function(wide-to-half,one-lane-stores,long-blocks)"},
};

Error run_steps(ArrayRef<Step> steps, PassEnvironment& environment, llvm::Module& module,
                StepObserver observer) {
  for (const Step& step : steps) {
    if (Error error = begin_step(step.name)) return error;
    if (Error error = environment.run(module, step.passes)) return error;
    if (Error error = check_step(step.name, module)) return error;
    observer(step.name, module);
  }
  return Error::success();
}

/// States the variant's facts for the passes, see passes/kernel_shape.hpp.
void describe_launch(Function& kernel, const Variant& variant) {
  kernel.addFnAttr(marks::dimensions, std::to_string(variant.dimensions));
  kernel.addFnAttr(marks::vector_dimension, std::to_string(variant.vector_dimension));
  if (variant.uniform_groups) kernel.addFnAttr(marks::uniform_groups, "true");
  if (variant.single_item && is_on(Heuristic::single_item)) kernel.addFnAttr(marks::single_item, "true");
  if (variant.reversed) kernel.addFnAttr(marks::reversed, "true");
  if (variant.compact) kernel.addFnAttr(marks::compact, "true");
  if (variant.joined_rows) kernel.addFnAttr(marks::joined_rows, "true");
}

/// The width that intel_reqd_sub_group_size asks for, or 0.
unsigned required_width(const Function& kernel) {
  const MDNode* required = kernel.getMetadata("intel_reqd_sub_group_size");
  if (!required) return 0;
  return static_cast<unsigned>(mdconst::extract<ConstantInt>(required->getOperand(0))->getZExtValue());
}

/// The width that the kernel asks for, or else the one that suits it.
unsigned preferred_width(const Function& kernel, const TargetMachine& machine, bool along_columns) {
  if (const unsigned required = required_width(kernel)) return required;
  // Sub-groups have one size, whatever the formats of images are.
  if (kernel.hasFnAttribute(marks::takes_images) && uses_sub_groups(kernel))
    return host_cpu().capabilities.vector_bits / 32;
  return choose_width(kernel, {.cpu = host_cpu().capabilities, .dimension = along_columns ? 1U : 0U},
                      machine.getTargetTransformInfo(kernel));
}

/// Makes one call of the kernel run several work-items, if it can be done and suits the launch.
void vectorise_kernel(Function& kernel, const Variant& variant, PipelineResult& result) {
  if (variant.width_limit < 2) return;
  // Work-items are told apart best one at a time.
  if (is_checked(Check::races) && !uses_sub_groups(kernel)) return;
  VectoriseOptions options{.width = variant.width_limit, .cpu = host_cpu().capabilities};
  options.split_rows = variant.split_rows;
  options.ids_fit_31_bits = variant.small_ids && !variant.joined_rows; // it would take x for the launch's
  if (variant.compact) options.cpu.fetches_overwritten = false;        // two forms of a store are much code
  options.only_if_faster = variant.forced_width == 0 && !uses_sub_groups(kernel);
  VectoriseOutcome outcome = [&] {
    const LongStep step;
    return vectorise(kernel, options);
  }();
  const unsigned width = result.facts.width = outcome.width;
  result.remark = std::move(outcome.remark);
  if (width < 2) return;
  if (is_on(Heuristic::full_chunks) && variant.multiple % width == 0)
    kernel.addFnAttr(marks::full_chunks, "true");
  if (is_on(Heuristic::one_chunk) && variant.one_vector && variant.multiple == width)
    kernel.addFnAttr(marks::one_chunk, "true");
  if (variant.split_rows) kernel.addFnAttr(marks::split_rows, "true");
}

/// Adds what private memory takes to what an entry needs; or says that there is too much of it.
Error place_private_memory(const Function& entry, KernelFacts& facts) {
  // Scratch memory of one thread, and of the stack of any thread that runs kernels (runtime/support/stack.hpp).
  constexpr std::uint64_t most_moved = std::uint64_t{1} << 30, most_on_stack = 24 << 10;
  const std::uint64_t moved = moved_private_bytes(entry);
  if (moved > most_moved)
    return createStringError("it needs " + Twine(moved) + " bytes of private memory, of which there are " +
                             Twine(most_moved));
  facts.context_bytes_fixed += moved;
  if (const std::uint64_t bytes = stack_bytes(entry); bytes > most_on_stack)
    return createStringError("its functions, which are not inlined, need " + Twine(bytes) +
                             " bytes of stack, of which there are " + Twine(most_on_stack));
  return Error::success();
}

bool has_half_arithmetic(const TargetMachine& machine, const Function& function) {
  return machine.getSubtargetImpl(function)->getTargetLowering()->isOperationLegal(ISD::FADD, MVT::f16);
}

} // namespace

Error prepare_kernel(KernelModule& kernel, TargetMachine& machine, Effort effort, StepObserver observer) {
  PassEnvironment environment(&machine);
  request_inlining(*kernel.module, *kernel.kernel);
  auto run = [&](ArrayRef<Step> steps) { return run_steps(steps, environment, *kernel.module, observer); };
  if (Error error = run(inline_steps)) return error;
  if (is_checked(Check::uninitialised))
    if (Error error = run(early_uninitialised_steps)) return error;
  const bool calls_images = any_of(
      *kernel.module, [](const Function& function) { return function.hasFnAttribute(marks::image_call); });
  if (calls_images)
    if (Error error = run(image_steps)) return error;
  if (is_checked(Check::bounds))
    if (Error error = run(early_bounds_steps)) return error;
  if (is_checked(Check::uninitialised))
    if (Error error = run(uninitialised_steps)) return error;
  // Loads stay under their conditions: a work-item that need not read what others write would read it while they
  // write, and its value be taken for theirs. The attribute is how LLVM is told.
  kernel.kernel->addFnAttr(Attribute::SanitizeThread);
  if (Error error = run(effort == Effort::bare ? ArrayRef(bare_simplify_steps) : ArrayRef(simplify_steps)))
    return error;
  if (!is_checked(Check::races)) kernel.kernel->removeFnAttr(Attribute::SanitizeThread);
  if (is_checked(Check::bounds))
    if (Error error = run(bounds_steps)) return error;
  if (is_checked(Check::divergence))
    if (Error error = run(divergence_steps)) return error;
  if (is_checked(Check::races))
    if (Error error = run(race_steps)) return error;
  return Error::success();
}

KernelTraits traits_of(const Function& kernel, const TargetMachine& machine) {
  KernelTraits traits;
  traits.sees_vectors = uses_sub_groups(kernel);
  traits.columns = !traits.sees_vectors && reads_columns(kernel);
  traits.width = preferred_width(kernel, machine, traits.columns);
  traits.required = required_width(kernel) != 0;
  return traits;
}

std::string entry_name(StringRef kernel, const Variant& variant) {
  return (kernel + "." + variant.text()).str();
}

namespace {

/// LLVM's optimisations of a kernel's entry.
Error optimise(const Variant& variant, llvm::Module& module, function_ref<Error(ArrayRef<Step>)> run) {
  if (Error error = run(tidy_steps)) return error;
  if (variant.compact)
    generate_code_soon(module.getContext());
  else if (Error error = run(loop_form_steps))
    return error;
  return run(optimise_steps);
}

/// The kernel for all work-items of a vector, or for one.
Error choose_form(KernelModule& kernel, const Variant& variant, Effort effort, PassEnvironment& environment,
                  PipelineResult& result) {
  if (Error error = begin_step("vectorise")) return error;
  const bool keeps_width = uses_sub_groups(*kernel.kernel);
  const unsigned required = keeps_width ? required_width(*kernel.kernel) : 0;
  if (effort != Effort::scalar || keeps_width) vectorise_kernel(*kernel.kernel, variant, result);
  environment.forget_analyses();
  if (required && result.facts.width != required)
    return createStringError("it requires sub-groups of " + Twine(required) + " work-items, but is " +
                             result.remark);
  // Results depend on it, whatever the form.
  if (const unsigned before = Trying::width_to_keep();
      keeps_width && effort != Effort::full && result.facts.width != (before ? before : variant.width_limit))
    return createStringError("sub-groups would have " + Twine(result.facts.width) + " work-items");
  note_width(result.facts.width);
  return check_step("vectorise", *kernel.module);
}

} // namespace

Expected<PipelineResult> run_pipeline(KernelModule& kernel, TargetMachine& machine, const Variant& variant,
                                      Effort effort, StepObserver observer) {
  llvm::Module& module = *kernel.module;
  PassEnvironment environment(&machine);
  auto run = [&](ArrayRef<Step> steps) { return run_steps(steps, environment, module, observer); };
  PipelineResult result;

  result.facts.vector_dimension = variant.vector_dimension;
  describe_launch(*kernel.kernel, variant);
  if (Error error = run(launch_steps)) return std::move(error);
  if (variant.joined_rows)
    if (Error error = run(joined_steps)) return std::move(error);
  if (Error error = choose_form(kernel, variant, effort, environment, result)) return std::move(error);
  observer("vectorise", module);
  if (result.facts.width == 1)
    if (Error error = run(scalar_steps)) return std::move(error);

  if (Error error = run(group_steps)) return std::move(error);
  result.facts.groups_merge = kernel_shape(*kernel.kernel).groups_merge;
  result.facts.static_local_bytes = static_local_bytes(*kernel.kernel);
  ContextSize context = context_size(*kernel.kernel);
  result.facts.context_bytes_fixed = context.fixed;
  result.facts.context_bytes_per_chunk = context.per_chunk;

  result.facts.may_trap = has_traps(module);

  std::string name = kernel.kernel->getName().str();
  if (Error error = run(entry_steps)) return std::move(error);
  kernel.kernel = module.getFunction(name + ".entry");
  kernel.kernel->setName(entry_name(name, variant));

  retarget_to_host(module, machine);
  environment.forget_analyses();
  if (is_checked(Check::races))
    if (Error error = run(race_cell_steps)) return std::move(error);
  if (effort != Effort::bare)
    if (Error error = optimise(variant, module, run)) return std::move(error);
  if (Error error = run(loop_steps(result.facts.width, effort))) return std::move(error);
  if (!has_half_arithmetic(machine, *kernel.kernel))
    if (Error error = run(half_steps)) return std::move(error);
  if (Error error = run(private_steps)) return std::move(error);
  if (Error error = place_private_memory(*kernel.kernel, result.facts)) return std::move(error);
  if (Error error = run(code_steps)) return std::move(error);
  if (Error error = check_step("long-blocks", module, /*is_last=*/true)) return std::move(error);
  return result;
}

} // namespace hostcl::compiler
