#include "compiler/code/pipeline.hpp"

#include "compiler/checks.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pass_environment.hpp"
#include "compiler/guard.hpp"
#include "compiler/heuristics.hpp"
#include "compiler/passes/codegen/large_private.hpp"
#include "compiler/passes/entry/service_calls.hpp"
#include "compiler/passes/group/local_memory.hpp"
#include "compiler/passes/images/image_values.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/prepare/lower_printf.hpp"
#include "compiler/passes/vectorise/memory/column_access.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"

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
    {"inline", "function(total-division),always-inline,globaldce,query-arguments,function(byval-arguments)"},
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
     "lower-printf,constant-dimensions,deferrable-atomics)"},
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
    {"unroll-and-jam", "function(unroll-and-jam)"},
};

/// Steps for the scalar form, with LLVM's own vectorisers.
constexpr Step scalar_loop_steps[] = {
    {"scalar-loops",
     "function(conditional-divisions,overlapping-accesses,defined-starts,loop-vectorize,loop-load-elim,"
     "selected-loads,instcombine<no-verify-fixpoint>,slp-vectorizer,"
     "vector-combine,sroa<modify-cfg>,early-cse<memssa>,selected-loads,instcombine<no-verify-fixpoint>,"
     "loop-mssa(licm),simplifycfg,adce)"},
};

ArrayRef<Step> loop_steps(unsigned width) {
  if (width > 1) return vector_loop_steps;
  return is_on(Heuristic::scalar_loops) ? ArrayRef(scalar_loop_steps) : ArrayRef<Step>();
}

/// Steps for CPUs without half arithmetic.
constexpr Step half_steps[] = {
    {"promote-half", "function(promote-half)"},
};

/// Steps that place private memory, of which there may be much.
constexpr Step private_steps[] = {
    {"private-memory", "function(large-private)"},
};

/// Steps that prepare for the code generator.
constexpr Step code_steps[] = {
    {"long-blocks", "separate-code,function(wide-to-half,one-lane-stores,long-blocks)"},
};

Error run_steps(ArrayRef<Step> steps, PassEnvironment& environment, llvm::Module& module,
                StepObserver observer) {
  for (const Step& step : steps) {
    if (Error error = environment.run(module, step.passes)) return error;
    observer(step.name, module);
  }
  return Error::success();
}

/// What a function may call without being a part of the kernel.
enum class Allowed { nothing_of_kernel, queries };

bool is_query(const Function& function) {
  const auto intrinsic = intrinsic_of(function);
  return intrinsic && *intrinsic <= Intrinsic::work_dim;
}

/// The functions that do, directly or through others, what kernels alone can do: ask for ids and sizes unless that is
/// allowed, call barriers and other intrinsics whose meaning depends on the kernel, use local variables, call services,
/// which need the launch.
SmallPtrSet<Function*, 16> parts_of_kernel(llvm::Module& module, Allowed allowed) {
  SmallVector<Value*, 8> open;
  for (Function& function : module) {
    const bool is_allowed = allowed == Allowed::queries && is_query(function);
    if ((intrinsic_of(function) && !is_allowed) || is_printf(function) || is_service(function))
      open.push_back(&function);
  }
  constexpr unsigned local_space = 3;
  for (GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == local_space) open.push_back(&variable);
  SmallPtrSet<Function*, 16> parts;
  SmallPtrSet<Value*, 16> seen;
  while (!open.empty())
    for (User* user : open.pop_back_val()->users()) {
      auto* instruction = dyn_cast<Instruction>(user);
      if (!instruction) { // a constant expression
        if (seen.insert(user).second) open.push_back(user);
      } else if (parts.insert(instruction->getFunction()).second) {
        open.push_back(instruction->getFunction());
      }
    }
  return parts;
}

/// Instructions of a function once all its calls are inlined, of which there may be more than memory has room for.
class InlinedSizes {
public:
  std::uint64_t of(const Function& function) {
    auto [known, is_new] = sizes_.try_emplace(&function, 0); // 0 for calls of itself
    if (!is_new) return known->second;
    std::uint64_t size = function.getInstructionCount();
    for (const Instruction& instruction : instructions(function))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          size = SaturatingAdd(size, of(*callee));
    return sizes_[&function] = size;
  }

private:
  DenseMap<const Function*, std::uint64_t> sizes_;
};

/// Functions that are called several times and are large themselves stay calls.
void limit_size(llvm::Module& module, const Function& kernel, const SmallPtrSetImpl<Function*>& parts,
                InlinedSizes& sizes) {
  constexpr std::uint64_t large_function = 1'000;
  for (Function& function : module)
    if (!function.isDeclaration() && &function != &kernel && !parts.contains(&function) &&
        function.hasNUsesOrMore(2) && sizes.of(function) > large_function)
      function.addFnAttr(Attribute::NoInline);
}

/// Marks all functions but the kernel and those that may stay calls and should: barriers and ids do not grant
/// a wish for `noinline`. In kernels that would be huge, functions that ask for ids may stay calls as well.
void request_inlining(llvm::Module& module, const Function& kernel) {
  constexpr std::uint64_t large_kernel = 100'000;
  InlinedSizes sizes;
  const bool is_large = sizes.of(kernel) > large_kernel;
  const SmallPtrSet<Function*, 16> parts =
      parts_of_kernel(module, is_large ? Allowed::queries : Allowed::nothing_of_kernel);
  for (Function* part : parts) {
    if (part == &kernel) continue; // which may be `optnone`, and that needs `noinline`
    part->removeFnAttr(Attribute::NoInline);
    for (User* user : part->users())
      if (auto* call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::NoInline);
  }
  if (is_large) limit_size(module, kernel, parts, sizes);
  for (Function& function : module) {
    if (function.hasFnAttribute(image_call_mark)) function.addFnAttr(Attribute::NoInline);
    if (function.isDeclaration() || &function == &kernel || function.hasFnAttribute(Attribute::NoInline))
      continue;
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

/// States the variant's facts for the passes, see passes/kernel_shape.hpp.
void describe_launch(Function& kernel, const Variant& variant) {
  kernel.addFnAttr("hostcl.dimensions", std::to_string(variant.dimensions));
  kernel.addFnAttr("hostcl.vector_dimension", std::to_string(variant.vector_dimension));
  if (variant.uniform_groups) kernel.addFnAttr("hostcl.uniform_groups", "true");
  if (variant.single_item && is_on(Heuristic::single_item)) kernel.addFnAttr("hostcl.single_item", "true");
  if (variant.reversed) kernel.addFnAttr("hostcl.reversed", "true");
  if (variant.compact) kernel.addFnAttr("hostcl.compact", "true");
}

/// The width that intel_reqd_sub_group_size asks for, or else the one that suits the kernel.
unsigned preferred_width(const Function& kernel, const TargetMachine& machine, bool along_columns) {
  if (const MDNode* required = kernel.getMetadata("intel_reqd_sub_group_size"))
    return static_cast<unsigned>(mdconst::extract<ConstantInt>(required->getOperand(0))->getZExtValue());
  // Sub-groups have one size, whatever the formats of images are.
  if (kernel.hasFnAttribute(takes_images_mark) && uses_sub_groups(kernel))
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
  options.ids_fit_31_bits = variant.small_ids;
  if (variant.compact) options.cpu.fetches_overwritten = false; // two forms of a store are much code
  options.only_if_faster = variant.forced_width == 0 && !uses_sub_groups(kernel);
  VectoriseOutcome outcome = [&] {
    const LongStep step;
    return vectorise(kernel, options);
  }();
  const unsigned width = result.facts.width = outcome.width;
  result.remark = std::move(outcome.remark);
  if (width < 2) return;
  if (is_on(Heuristic::full_chunks) && variant.multiple % width == 0)
    kernel.addFnAttr("hostcl.full_chunks", "true");
  if (is_on(Heuristic::one_chunk) && variant.one_vector && variant.multiple == width)
    kernel.addFnAttr("hostcl.one_chunk", "true");
  if (variant.split_rows) kernel.addFnAttr("hostcl.split_rows", "true");
}

/// Adds what private memory takes to what an entry needs; or says that there is too much of it.
Error place_private_memory(llvm::Module& module, const Function& entry, KernelFacts& facts) {
  // Scratch memory of one thread, and of the stack of any thread.
  constexpr std::uint64_t most_moved = std::uint64_t{1} << 30, most_on_stack = 256 << 10;
  const std::uint64_t moved = moved_private_bytes(entry);
  if (moved > most_moved)
    return createStringError("it needs " + Twine(moved) + " bytes of private memory, of which there are " +
                             Twine(most_moved));
  facts.context_bytes_fixed += moved;
  for (const Function& function : module)
    if (const std::uint64_t bytes = stack_bytes(function); bytes > most_on_stack)
      return createStringError("function '" + function.getName() + "', which is not inlined, needs " +
                               Twine(bytes) + " bytes of private memory, of which there are " +
                               Twine(most_on_stack));
  return Error::success();
}

bool has_half_arithmetic(const TargetMachine& machine, const Function& function) {
  return machine.getSubtargetImpl(function)->getTargetLowering()->isOperationLegal(ISD::FADD, MVT::f16);
}

} // namespace

Error prepare_kernel(KernelModule& kernel, TargetMachine& machine, StepObserver observer) {
  PassEnvironment environment(&machine);
  request_inlining(*kernel.module, *kernel.kernel);
  auto run = [&](ArrayRef<Step> steps) { return run_steps(steps, environment, *kernel.module, observer); };
  if (Error error = run(inline_steps)) return error;
  if (is_checked(Check::uninitialised))
    if (Error error = run(early_uninitialised_steps)) return error;
  const bool calls_images = any_of(
      *kernel.module, [](const Function& function) { return function.hasFnAttribute(image_call_mark); });
  if (calls_images)
    if (Error error = run(image_steps)) return error;
  if (is_checked(Check::bounds))
    if (Error error = run(early_bounds_steps)) return error;
  if (is_checked(Check::uninitialised))
    if (Error error = run(uninitialised_steps)) return error;
  // Loads stay under their conditions: a work-item that need not read what others write would read it while they
  // write, and its value be taken for theirs. The attribute is how LLVM is told.
  kernel.kernel->addFnAttr(Attribute::SanitizeThread);
  if (Error error = run(simplify_steps)) return error;
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
  return traits;
}

std::string entry_name(StringRef kernel, const Variant& variant) {
  return (kernel + "." + variant.text()).str();
}

Expected<PipelineResult> run_pipeline(KernelModule& kernel, TargetMachine& machine, const Variant& variant,
                                      StepObserver observer) {
  llvm::Module& module = *kernel.module;
  PassEnvironment environment(&machine);
  auto run = [&](ArrayRef<Step> steps) { return run_steps(steps, environment, module, observer); };
  PipelineResult result;

  result.facts.vector_dimension = variant.vector_dimension;
  describe_launch(*kernel.kernel, variant);
  if (Error error = run(launch_steps)) return std::move(error);
  vectorise_kernel(*kernel.kernel, variant, result);
  environment.forget_analyses();
  observer("vectorise", module);
  if (result.facts.width == 1)
    if (Error error = run(scalar_steps)) return std::move(error);

  if (Error error = run(group_steps)) return std::move(error);
  result.facts.groups_merge = kernel_shape(*kernel.kernel).groups_merge;
  result.facts.static_local_bytes = static_local_bytes(*kernel.kernel);
  ContextSize context = context_size(*kernel.kernel);
  result.facts.context_bytes_fixed = context.fixed;
  result.facts.context_bytes_per_chunk = context.per_chunk;

  std::string name = kernel.kernel->getName().str();
  if (Error error = run(entry_steps)) return std::move(error);
  kernel.kernel = module.getFunction(name + ".entry");
  kernel.kernel->setName(entry_name(name, variant));

  retarget_to_host(module, machine);
  environment.forget_analyses();
  if (is_checked(Check::races))
    if (Error error = run(race_cell_steps)) return std::move(error);
  if (Error error = run(tidy_steps)) return std::move(error);
  if (variant.compact)
    generate_code_soon(module.getContext());
  else if (Error error = run(loop_form_steps))
    return std::move(error);
  if (Error error = run(optimise_steps)) return std::move(error);
  if (Error error = run(loop_steps(result.facts.width))) return std::move(error);
  if (!has_half_arithmetic(machine, *kernel.kernel))
    if (Error error = run(half_steps)) return std::move(error);
  if (Error error = run(private_steps)) return std::move(error);
  if (Error error = place_private_memory(module, *kernel.kernel, result.facts)) return std::move(error);
  if (Error error = run(code_steps)) return std::move(error);
  return result;
}

} // namespace hostcl::compiler
