#include "compiler/code/pipeline/pipeline.hpp"

#include "compiler/code/inlining.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/census.hpp"
#include "compiler/code/pipeline/pass_environment.hpp"
#include "compiler/code/pipeline/pipeline_steps.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/passes/codegen/large_private.hpp"
#include "compiler/passes/entry/apart_buffers.hpp"
#include "compiler/passes/group/local_memory.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/marks.hpp"
#include "compiler/passes/prepare/lower_traps.hpp"
#include "compiler/passes/sub_group_operation.hpp"
#include "compiler/passes/vectorise/choose/accesses_of_lanes.hpp"
#include "compiler/passes/vectorise/choose/column_access.hpp"
#include "compiler/passes/vectorise/choose/width.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// States the variant's facts for the passes, see passes/kernel_shape.hpp.
void describe_launch(Function& kernel, const Variant& variant) {
  kernel.addFnAttr(marks::dimensions, std::to_string(variant.dimensions));
  kernel.addFnAttr(marks::vector_dimension, std::to_string(variant.vector_dimension));
  if (variant.uniform_groups) kernel.addFnAttr(marks::uniform_groups, "true");
  if (note_change(Heuristic::single_item, variant.single_item && is_on(Heuristic::single_item)))
    kernel.addFnAttr(marks::single_item, "true");
  note_change(Heuristic::columns, variant.vector_dimension == 1);
  note_change(Heuristic::free_groups, variant.free_groups);
  if (variant.reversed) kernel.addFnAttr(marks::reversed, "true");
  if (variant.compact) kernel.addFnAttr(marks::compact, "true");
  if (variant.joined_rows) kernel.addFnAttr(marks::joined_rows, "true");
  if (variant.buffers_apart) kernel.addFnAttr(marks::buffers_apart, "true");
  if (variant.free_groups) kernel.setMetadata("reqd_work_group_size", nullptr);
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

VectoriseOptions vectorise_options(const Variant& variant, bool sees_vectors) {
  VectoriseOptions options{.width = std::max(variant.width_limit, 1U), .cpu = host_cpu().capabilities};
  options.split_rows = variant.split_rows;
  options.cpu.slow_scattered_access |= has_memory_of_amd();
  options.cpu.fetches_overwritten |= has_memory_of_amd();
  options.ids_fit_31_bits = variant.small_ids && !variant.joined_rows; // it would take x for the launch's
  if (variant.compact) options.cpu.fetches_overwritten = false;        // two forms of a store are much code
  options.only_if_faster = variant.forced_width == 0 && !sees_vectors;
  if (options.only_if_faster && variant.compact && is_on(Heuristic::short_vectors))
    options.most_accesses = std::min(most_accesses_of_lanes, most_for_generator());
  return options;
}

constexpr StringRef vectoriser = "vectorise<";

bool has_vectoriser(const Step& step) {
  return StringRef(step.passes).contains(vectoriser);
}

/// The step's passes, with parameters for the vectoriser.
std::string passes_of(const Step& step, const PipelineRun& run) {
  if (!has_vectoriser(step)) return step.passes;
  const auto [before, after] = StringRef(step.passes).split(vectoriser);
  const bool sees_vectors = uses_sub_groups(*run.kernel.kernel);
  return (before + vectoriser + text_of(vectorise_options(*run.variant, sees_vectors)) + after).str();
}

/// While one lives, the vectoriser's remarks go to a text and not to standard error.
class Remarks {
public:
  Remarks(LLVMContext& context, std::string& text) : context_(context) {
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo* message, void* to) {
          if (message->getSeverity() != DS_Remark) return;
          raw_string_ostream stream(*static_cast<std::string*>(to));
          DiagnosticPrinterRawOStream printer(stream);
          message->print(printer);
        },
        &text);
  }
  Remarks(const Remarks&) = delete;
  ~Remarks() { context_.setDiagnosticHandlerCallBack(nullptr); }

private:
  LLVMContext& context_;
};

Error run_step(const Step& step, PipelineRun& run, StepObserver observer) {
  llvm::Module& module = *run.kernel.module;
  if (Error error = begin_step(step.name)) return error;
  const std::string passes = passes_of(step, run);
  {
    std::optional<Remarks> remarks;
    if (has_vectoriser(step)) remarks.emplace(module.getContext(), run.result.remark);
    if (Error error = passes.empty() ? Error::success() : run.environment.run(module, passes)) return error;
  }
  if (step.then)
    if (Error error = step.then(run)) return error;
  if (Error error = check_step(step.name, module)) return error;
  observer(step.name, passes, module);
  return Error::success();
}

/// Whether a step that only makes code faster is left out.
bool is_left_out(const Step& step, Effort effort) {
  const auto number = static_cast<unsigned>(&step - pipeline_steps().begin()) + 1;
  return step.role == Step::optimises && (effort == Effort::bare || number > last_step());
}

Error run_part(Step::Part part, PipelineRun& run, StepObserver observer) {
  for (const Step& step : pipeline_steps()) {
    if (step.part != part || is_left_out(step, run.effort) || !step.when(run)) continue;
    if (Error error = run_step(step, run, observer)) return error;
  }
  return Error::success();
}

} // namespace

Error note_vectors(PipelineRun& run) {
  Function& kernel = *run.kernel.kernel;
  const Variant& variant = *run.variant;
  const unsigned width = run.result.facts.width = kernel_shape(kernel).width;
  StringRef remark = run.result.remark;
  remark.consume_front((kernel.getName() + ": ").str());
  run.result.remark = remark.str();
  const bool keeps_width = kernel_shape(kernel).sees_vectors || uses_sub_groups(kernel);
  if (const unsigned required = keeps_width ? required_width(kernel) : 0; required && width != required)
    return createStringError("it requires sub-groups of " + Twine(required) + " work-items, but is " +
                             run.result.remark);
  // Results depend on it, whatever the form.
  if (const unsigned before = Trying::width_to_keep();
      keeps_width && run.effort != Effort::full && width != (before ? before : variant.width_limit))
    return createStringError("sub-groups would have " + Twine(width) +
                             " work-items, another number than in earlier code of the kernel");
  note_width(width);
  if (width < 2) return Error::success();
  if (note_change(Heuristic::full_chunks, is_on(Heuristic::full_chunks) && variant.multiple % width == 0))
    kernel.addFnAttr(marks::full_chunks, "true");
  if (note_change(Heuristic::one_chunk,
                  is_on(Heuristic::one_chunk) && variant.one_vector && variant.multiple == width))
    kernel.addFnAttr(marks::one_chunk, "true");
  if (variant.split_rows) kernel.addFnAttr(marks::split_rows, "true");
  return Error::success();
}

Error note_group(PipelineRun& run) {
  const Function& kernel = *run.kernel.kernel;
  KernelFacts& facts = run.result.facts;
  facts.groups_merge = kernel_shape(kernel).groups_merge;
  // More groups would make more atomic operations.
  facts.groups_split = kernel_shape(kernel).group_rows != 0 &&
                       none_of(instructions(kernel), [](const Instruction& i) { return i.isAtomic(); });
  for (const Function* form : {&kernel, static_cast<const Function*>(checked_form_of(kernel))}) {
    if (!form) continue;
    const ContextSize context = context_size(*form);
    facts.static_local_bytes = std::max<std::uint64_t>(facts.static_local_bytes, static_local_bytes(*form));
    facts.context_bytes_fixed = std::max<std::uint64_t>(facts.context_bytes_fixed, context.fixed);
    // One whose work-items run one at a time has more chunks.
    const unsigned chunks = form == &kernel ? 1 : std::max(facts.width, 1U);
    facts.context_bytes_per_chunk =
        std::max<std::uint64_t>(facts.context_bytes_per_chunk, context.per_chunk * chunks);
  }
  facts.may_trap = has_traps(*run.kernel.module);
  return Error::success();
}

Error note_entry(PipelineRun& run) {
  run.kernel.kernel = run.kernel.module->getFunction(run.name + ".entry");
  return Error::success();
}

Error become_host_code(PipelineRun& run) {
  llvm::Module& module = *run.kernel.module;
  run.kernel.kernel->setName(entry_name(run.name, *run.variant));
  retarget_to_host(module, run.machine);
  run.environment.forget_analyses();
  if (run.variant->compact && run.effort != Effort::bare) generate_code_soon(module.getContext());
  return Error::success();
}

Error note_private_memory(PipelineRun& run) {
  const Function& entry = *run.kernel.kernel;
  KernelFacts& facts = run.result.facts;
  // Scratch memory of one thread, and of the stack of any thread that runs kernels (runtime/support/stack.hpp).
  constexpr std::uint64_t most_moved = std::uint64_t{1} << 30, most_on_stack = 24 << 10;
  const std::uint64_t moved = moved_private_bytes(entry);
  if (moved > most_moved)
    return createStringError("it needs " + Twine(moved) +
                             " bytes of private memory for one vector of work-items; the limit is " +
                             Twine(most_moved));
  facts.context_bytes_fixed += moved;
  if (const std::uint64_t bytes = stack_bytes(entry); bytes > most_on_stack)
    return createStringError("its functions that are not inlined need " + Twine(bytes) +
                             " bytes of stack; the limit is " + Twine(most_on_stack));
  return Error::success();
}

Error note_size(PipelineRun& run) {
  run.is_huge = run.kernel.module->getInstructionCount() > most_instructions();
  if (run.is_huge && run.soon && run.effort == Effort::full) run.effort = Effort::bare;
  return Error::success();
}

Expected<Preparation> prepare_kernel(KernelModule& kernel, TargetMachine& machine, Effort effort, bool soon,
                                     StepObserver observer) {
  const Census census(kernel.kernel->getName());
  PassEnvironment environment(&machine);
  request_inlining(*kernel.module, *kernel.kernel);
  note_numbers_of_pointers(*kernel.module, *kernel.kernel);
  PipelineResult result;
  PipelineRun run{
      kernel, machine, environment, effort, /*variant=*/nullptr, result, kernel.kernel->getName().str(),
      soon};
  if (Error error = run_part(Step::of_kernel, run, observer)) return std::move(error);
  return Preparation{run.effort, run.is_huge};
}

namespace {

/// By the kernel, and what it calls.
unsigned dimensions_asked(const Function& kernel) {
  unsigned dimensions = 1;
  for (const Function& function : *kernel.getParent())
    for (const Instruction& instruction : instructions(function))
      if (is_dimension_query(instruction) && &function != race_condition_of(kernel))
        dimensions = std::max(dimensions, dimension_of(cast<CallBase>(instruction)) + 1);
  return dimensions;
}

} // namespace

KernelTraits traits_of(const Function& kernel, const TargetMachine& machine) {
  std::optional<Census> census;
  if (!is_width_set()) census.emplace(kernel.getName());
  KernelTraits traits;
  traits.sees_vectors = uses_sub_groups(kernel);
  traits.columns = !traits.sees_vectors && reads_columns(kernel);
  traits.width = preferred_width(kernel, machine, traits.columns);
  traits.required = required_width(kernel) != 0;
  traits.group_rows = kernel_shape(kernel).group_rows;
  traits.gains_apart = is_on(Heuristic::apart_buffers) && gains_if_apart(kernel);
  traits.dimensions = dimensions_asked(kernel);
  return traits;
}

std::string entry_name(StringRef kernel, const Variant& variant) {
  return (kernel + "." + variant.text()).str();
}

namespace {

/// Whether first code is so long that the time until it is there counts for more than its own. From the source to the end of
/// a launch of 65,536 work-items with 16 passwords each, hashcat's m14522_sxx takes 5.7 instead of 8.0 s of processor
/// time, m14511_sxx 4.8 instead of 5.6 s, and later launches take 1.3 and 1.4 times as long until the best code is there
/// (a Xeon with AVX-512): 1.4 and 1.2 times as soon.
bool has_simple_generator(const llvm::Module& module, const Variant& variant) {
  return note_change(Heuristic::simple_generator, variant.compact && is_on(Heuristic::simple_generator) &&
                                                      module.getInstructionCount() > most_for_generator());
}

} // namespace

Expected<PipelineResult> run_pipeline(KernelModule& kernel, TargetMachine& machine, const Variant& variant,
                                      Effort effort, StepObserver observer) {
  const Census census(kernel.kernel->getName());
  PassEnvironment environment(&machine);
  PipelineResult result;
  result.facts.vector_dimension = variant.vector_dimension;
  describe_launch(*kernel.kernel, variant);
  if (Function* checked = checked_form_of(*kernel.kernel)) describe_launch(*checked, variant);
  PipelineRun run{kernel, machine, environment, effort, &variant, result, kernel.kernel->getName().str()};
  if (Error error = run_part(Step::of_variant, run, observer)) return std::move(error);
  if (Error error = check_step("long-blocks", *kernel.module, /*is_last=*/true)) return std::move(error);
  result.has_simple_generator = effort == Effort::full && has_simple_generator(*kernel.module, variant);
  return result;
}

} // namespace hostcl::compiler
