#include "compiler/code/pipeline/pipeline.hpp"

#include "compiler/code/inlining.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/census.hpp"
#include "compiler/code/pipeline/pass_environment.hpp"
#include "compiler/code/pipeline/pipeline_steps.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"
#include "compiler/passes/2_vector/choose/column_access.hpp"
#include "compiler/passes/2_vector/choose/scalar_profitability.hpp"
#include "compiler/passes/2_vector/choose/width.hpp"
#include "compiler/passes/2_vector/control/waiting_loops.hpp"
#include "compiler/passes/2_vector/vectorise.hpp"
#include "compiler/passes/3_group/local_memory.hpp"
#include "compiler/passes/4_range/disjoint_buffers.hpp"
#include "compiler/passes/6_host/large_private.hpp"
#include "compiler/passes/switch_parameters.hpp"

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
#include <tuple>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Records the variant's properties as attributes for passes, see ir/kernel_shape.hpp.
void describe_launch(Function& kernel, const Variant& variant, const Switches& switches) {
  kernel.addFnAttr(metadata::dimensions, std::to_string(variant.dimensions));
  kernel.addFnAttr(metadata::vector_dimension, std::to_string(variant.vector_dimension));
  if (variant.uniform_groups) kernel.addFnAttr(metadata::uniform_groups, "true");
  if (note_change(Heuristic::single_item, variant.single_item && switches.is_on(Heuristic::single_item)))
    kernel.addFnAttr(metadata::single_item, "true");
  note_change(Heuristic::columns, variant.vector_dimension == 1);
  note_change(Heuristic::group_size_agnostic, variant.group_size_agnostic);
  if (variant.reversed) kernel.addFnAttr(metadata::reversed, "true");
  if (variant.tier0) kernel.addFnAttr(metadata::tier0, "true");
  if (variant.linearised_sub_groups) kernel.addFnAttr(metadata::linearised_sub_groups, "true");
  if (variant.buffers_disjoint) kernel.addFnAttr(metadata::buffers_disjoint, "true");
  if (variant.group_size_agnostic) kernel.setMetadata("reqd_work_group_size", nullptr);
}

/// Whether the vector width may change the kernel's results: the kernel uses sub-groups. Works before and after
/// vectorisation.
bool shows_width(const Function& kernel) {
  return kernel_shape(kernel).sees_vectors || uses_sub_groups(kernel);
}

/// The sub-group size that intel_reqd_sub_group_size requires. Without the attribute, the size that the device's
/// description gives to kernels that use sub-groups; 0 if there is no such size.
unsigned required_width(const Function& kernel, const Language& language) {
  if (const MDNode* required = kernel.getMetadata("intel_reqd_sub_group_size"))
    return static_cast<unsigned>(mdconst::extract<ConstantInt>(required->getOperand(0))->getZExtValue());
  return !language.sub_group_sizes.empty() && shows_width(kernel) ? language.sub_group_sizes.front() : 0;
}

/// The vector width that the kernel or the device requires, or else the one that suits it.
unsigned preferred_width(const Function& kernel, const PipelineOptions& options, bool along_columns) {
  if (const unsigned required = required_width(kernel, options.settings.language)) return required;
  // The sub-group size must not depend on image formats.
  if (kernel.hasFnAttribute(metadata::takes_images) && uses_sub_groups(kernel))
    return options.settings.cpu.capabilities.vector_bits / 32;
  return choose_width(kernel,
                      {.cpu = options.settings.cpu.capabilities,
                       .switches = options.switches,
                       .dimension = along_columns ? 1U : 0U},
                      options.machine.getTargetTransformInfo(kernel));
}

VectoriseOptions vectorise_options(const PipelineRun& run) {
  const Variant& variant = *run.variant;
  VectoriseOptions options{.width = std::max(variant.width_limit, 1U),
                           .cpu = run.options.settings.cpu.capabilities,
                           .switches = run.options.switches};
  options.partial_sub_groups = variant.partial_sub_groups;
  options.cpu.slow_scattered_access |= test_steps().has_memory_of_amd;
  options.cpu.fetches_overwritten |= test_steps().has_memory_of_amd;
  // With linearised sub-groups, the x of the vectoriser is not the x of the launch, for which the property holds.
  options.ids_fit_31_bits = variant.small_ids && !variant.linearised_sub_groups;
  if (variant.tier0) options.cpu.fetches_overwritten = false; // both forms of a store would be much code
  options.print_plan = run.options.print_plan;
  options.only_if_faster = variant.forced_width == 0 && !uses_sub_groups(*run.kernel.kernel);
  if (options.only_if_faster && variant.tier0 && run.options.switches.is_on(Heuristic::short_vectors))
    options.most_accesses = std::min(most_accesses_of_lanes, test_steps().most_for_optimised_codegen);
  return options;
}

/// The passes of a step, with their parameters. @param has_vectoriser set if the vectoriser is one of them
std::string passes_of(const Step& step, const PipelineRun& run, bool& has_vectoriser) {
  std::string passes;
  for (StringRef rest = step.passes; !rest.empty();) {
    StringRef text;
    std::tie(text, rest) = rest.split("<>");
    passes += text;
    if (text.end() == StringRef(step.passes).end()) break; // no pass with empty brackets follows
    const bool is_vectoriser = text.ends_with("vectorise");
    passes += "<" + (is_vectoriser ? text_of(vectorise_options(run)) : text_of(run.options.switches)) + ">";
    has_vectoriser |= is_vectoriser;
  }
  return passes;
}

/// A scope in which the vectoriser's remarks are appended to a text instead of being printed.
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
  bool has_vectoriser = false;
  const std::string passes = passes_of(step, run, has_vectoriser);
  {
    std::optional<Remarks> remarks;
    if (has_vectoriser) remarks.emplace(module.getContext(), run.result.remark);
    if (Error error = passes.empty() ? Error::success() : run.environment.run(module, passes)) return error;
  }
  if (step.then)
    if (Error error = step.then(run)) return error;
  if (Error error = check_step(step.name, module)) return error;
  if (observer) observer(step.name, passes, module);
  return Error::success();
}

/// Whether a step is skipped because it only makes code faster.
bool is_left_out(const Step& step, const PipelineOptions& options) {
  const auto number = static_cast<unsigned>(&step - pipeline_steps().begin()) + 1;
  return step.role == Step::optimises &&
         (options.level == FallbackLevel::bare || number > options.settings.last_step);
}

Error run_part(Step::Part part, PipelineRun& run, StepObserver observer) {
  for (const Step& step : pipeline_steps()) {
    if (step.part != part || is_left_out(step, run.options) || !step.when(run)) continue;
    if (Error error = run_step(step, run, observer)) return error;
  }
  return Error::success();
}

} // namespace

PipelineOptions::PipelineOptions(TargetMachine& machine, const Settings& settings, FallbackLevel level)
    : machine(machine),
      settings(settings),
      switches{level == FallbackLevel::full ? settings.off : settings.off | heuristics_for_speed,
               settings.checks},
      level(level) {}

Error note_vectors(PipelineRun& run) {
  Function& kernel = *run.kernel.kernel;
  const Variant& variant = *run.variant;
  const unsigned width = run.result.code_properties.width = kernel_shape(kernel).width;
  StringRef remark = run.result.remark;
  remark.consume_front((kernel.getName() + ": ").str());
  run.result.remark = remark.str();
  const bool keeps_width = shows_width(kernel);
  if (const unsigned required = keeps_width ? required_width(kernel, run.options.settings.language) : 0;
      required && width != required)
    return createStringError("it requires sub-groups of " + Twine(required) + " work-items, but is " +
                             run.result.remark);
  // Results depend on the width, so it has to be the same at all fallback levels.
  if (const unsigned before = Trying::width_to_keep(); keeps_width &&
                                                       run.options.level != FallbackLevel::full &&
                                                       width != (before ? before : variant.width_limit))
    return createStringError("sub-groups would have " + Twine(width) +
                             " work-items, another number than in earlier code of the kernel");
  note_width(width);
  if (width < 2) return Error::success();
  if (note_change(Heuristic::full_chunks,
                  run.options.switches.is_on(Heuristic::full_chunks) && variant.multiple % width == 0))
    kernel.addFnAttr(metadata::full_chunks, "true");
  if (note_change(Heuristic::one_chunk, run.options.switches.is_on(Heuristic::one_chunk) &&
                                            variant.one_vector && variant.multiple == width))
    kernel.addFnAttr(metadata::one_chunk, "true");
  if (variant.partial_sub_groups) kernel.addFnAttr(metadata::partial_sub_groups, "true");
  return Error::success();
}

Error note_group(PipelineRun& run) {
  const Function& kernel = *run.kernel.kernel;
  CodeProperties& code_properties = run.result.code_properties;
  code_properties.groups_merge = kernel_shape(kernel).groups_merge;
  // With more groups there would be more atomic operations.
  code_properties.groups_split =
      kernel_shape(kernel).group_rows != 0 &&
      none_of(instructions(kernel), [](const Instruction& i) { return i.isAtomic(); });
  for (const Function* form : {&kernel, static_cast<const Function*>(checked_form_of(kernel))}) {
    if (!form) continue;
    const ContextSize context = context_size(*form);
    code_properties.static_local_bytes =
        std::max<std::uint64_t>(code_properties.static_local_bytes, static_local_bytes(*form));
    code_properties.context_bytes_fixed =
        std::max<std::uint64_t>(code_properties.context_bytes_fixed, context.fixed);
    // The checked form runs one work-item at a time, so it has more chunks.
    const unsigned chunks = form == &kernel ? 1 : std::max(code_properties.width, 1U);
    code_properties.context_bytes_per_chunk =
        std::max<std::uint64_t>(code_properties.context_bytes_per_chunk, context.per_chunk * chunks);
  }
  code_properties.may_trap = has_traps(*run.kernel.module);
  return Error::success();
}

Error note_waits(PipelineRun& run) {
  CodeProperties& code_properties = run.result.code_properties;
  code_properties.waits = has_waiting_loops(*run.kernel.module);
  // A work-item may wait for one of another group, which must not become one of the same group.
  if (code_properties.waits) code_properties.groups_merge = 0;
  return Error::success();
}

Error note_entry(PipelineRun& run) {
  run.kernel.kernel = run.kernel.module->getFunction(run.name + ".entry");
  return Error::success();
}

Error become_host_code(PipelineRun& run) {
  llvm::Module& module = *run.kernel.module;
  run.kernel.kernel->setName(entry_name(run.name, *run.variant));
  retarget_to_host(module, run.options.machine, run.options.settings.cpu);
  run.environment.forget_analyses();
  if (run.variant->tier0 && run.options.level != FallbackLevel::bare) generate_code_fast(module);
  return Error::success();
}

Error note_private_memory(PipelineRun& run) {
  const Function& entry = *run.kernel.kernel;
  CodeProperties& code_properties = run.result.code_properties;
  // The most private memory in the thread context, and on the stack of a thread that runs kernels
  // (runtime/support/stack.hpp).
  constexpr std::uint64_t most_moved = std::uint64_t{1} << 30, most_on_stack = 24 << 10;
  const std::uint64_t moved = moved_private_bytes(entry);
  if (moved > most_moved)
    return createStringError("it needs " + Twine(moved) +
                             " bytes of private memory for one vector of work-items; the limit is " +
                             Twine(most_moved));
  code_properties.context_bytes_fixed += moved;
  if (const std::uint64_t bytes = stack_bytes(entry); bytes > most_on_stack)
    return createStringError("its functions that are not inlined need " + Twine(bytes) +
                             " bytes of stack; the limit is " + Twine(most_on_stack));
  return Error::success();
}

Error note_size(PipelineRun& run) {
  run.is_huge = run.kernel.module->getInstructionCount() > test_steps().most_instructions;
  if (run.is_huge && run.is_tier0 && run.options.level == FallbackLevel::full)
    run.options.level = FallbackLevel::bare;
  return Error::success();
}

Expected<Preparation> prepare_kernel(KernelModule& kernel, const PipelineOptions& options, bool is_tier0,
                                     StepObserver observer) {
  const Census census(kernel.kernel->getName());
  const Switches& switches = options.switches;
  PassEnvironment environment(&options.machine, switches);
  request_inlining(*kernel.module, *kernel.kernel, switches.has_checks());
  note_numbers_of_pointers(*kernel.module, *kernel.kernel);
  PipelineResult result;
  PipelineRun run{kernel,  options, environment, /*variant=*/nullptr, result, kernel.kernel->getName().str(),
                  is_tier0};
  if (Error error = run_part(Step::of_kernel, run, observer)) return std::move(error);
  return Preparation{run.options.level, run.is_huge};
}

namespace {

/// The number of dimensions that the kernel and the functions that it calls query.
unsigned dimensions_asked(const Function& kernel) {
  unsigned dimensions = 1;
  for (const Function& function : *kernel.getParent())
    for (const Instruction& instruction : instructions(function))
      if (is_dimension_query(instruction) && &function != race_condition_of(kernel))
        dimensions = std::max(dimensions, dimension_of(cast<CallBase>(instruction)) + 1);
  return dimensions;
}

} // namespace

KernelProperties properties_of(const Function& kernel, const PipelineOptions& options) {
  std::optional<Census> census;
  if (options.settings.width == 0) census.emplace(kernel.getName());
  const Switches& switches = options.switches;
  KernelProperties properties;
  properties.sees_vectors = uses_sub_groups(kernel);
  properties.columns = !properties.sees_vectors && reads_columns(kernel, switches);
  properties.width = preferred_width(kernel, options, properties.columns);
  properties.required = required_width(kernel, options.settings.language) != 0;
  properties.group_rows = kernel_shape(kernel).group_rows;
  properties.gains_if_disjoint = switches.is_on(Heuristic::disjoint_buffers) && has_gain_if_disjoint(kernel);
  properties.dimensions = dimensions_asked(kernel);
  return properties;
}

std::string entry_name(StringRef kernel, const Variant& variant) {
  return (kernel + "." + variant.text()).str();
}

namespace {

/// Whether tier 0 code is so long that compiling it fast matters more than its speed. From the source to the
/// end of a launch of 65,536 work-items with 16 passwords each, hashcat's m14522_sxx takes 5.7 instead of 8.0
/// s of CPU time, and m14511_sxx 4.8 instead of 5.6 s (on a Xeon with AVX-512): they are ready 1.4 and 1.2
/// times as soon. Later launches take 1.3 and 1.4 times as long until tier 1 code is there.
bool has_unoptimised_codegen(const PipelineRun& run) {
  return note_change(Heuristic::unoptimised_codegen,
                     run.variant->tier0 && run.options.switches.is_on(Heuristic::unoptimised_codegen) &&
                         run.kernel.module->getInstructionCount() > test_steps().most_for_optimised_codegen);
}

} // namespace

Expected<PipelineResult> run_pipeline(KernelModule& kernel, const PipelineOptions& options,
                                      const Variant& variant, StepObserver observer) {
  const Census census(kernel.kernel->getName());
  const Switches& switches = options.switches;
  PassEnvironment environment(&options.machine, switches);
  PipelineResult result;
  result.code_properties.vector_dimension = variant.vector_dimension;
  describe_launch(*kernel.kernel, variant, switches);
  if (Function* checked = checked_form_of(*kernel.kernel)) describe_launch(*checked, variant, switches);
  PipelineRun run{kernel, options, environment, &variant, result, kernel.kernel->getName().str()};
  if (Error error = run_part(Step::of_variant, run, observer)) return std::move(error);
  if (Error error = check_step("long-blocks", *kernel.module, /*is_last=*/true)) return std::move(error);
  result.has_unoptimised_codegen = options.level == FallbackLevel::full && has_unoptimised_codegen(run);
  return result;
}

} // namespace hostcl::compiler
