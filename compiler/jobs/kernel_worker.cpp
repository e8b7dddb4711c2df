#include "compiler/jobs/kernel_worker.hpp"

#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/jobs/packing.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/values/kernel_statistics.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <limits>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Drops metadata on which machine code does not depend, but which would keep otherwise equal kernels from
/// sharing code.
void drop_argument_info(Function& kernel) {
  for (StringRef name : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                         "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name"})
    kernel.setMetadata(name, nullptr);
}

/// A program that is to be debugged is compiled without optimisations, so that debuggers find variables.
FallbackLevel level_of(const llvm::Module& module, FallbackLevel level) {
  return module.getModuleFlag(metadata::debug_form) ? FallbackLevel::bare : level;
}

} // namespace

/// The key of the object in this process's store; nothing if the kernel has not been prepared.
std::optional<CacheKey> KernelWorker::key_of(const Variant& variant, FallbackLevel level) {
  std::scoped_lock lock(mutex_);
  const ModulePtr& prepared = prepared_[preparation_of(level)];
  if (!prepared) return std::nullopt;
  return CacheKey("prepared", packed(*kernel_.settings, *prepared, kernel_.name, variant, level));
}

std::optional<KernelObject> KernelWorker::find(const Variant& variant, FallbackLevel level) {
  if (const auto key = key_of(variant, level))
    if (const auto known = find_object(*key)) return *known;
  return std::nullopt;
}

Expected<KernelProperties> KernelWorker::run(const PropertiesRequest& request) {
  LLVMContext context;
  context.setDiscardValueNames(!kernel_.settings->has_checks()); // findings contain names of variables
  auto writer = ObjectWriter::borrow(kernel_.settings->cpu);
  if (!writer) return writer.takeError();
  TargetMachine& machine = (*writer)->machine();
  auto kernel = prepare(context, machine, request.level, /*is_tier0=*/true);
  if (!kernel) return kernel.takeError();
  const HeldLock lock(mutex_);
  if (properties_) return *properties_;
  if (Error error = read(*kernel, context, prepared_for(request.level))) return std::move(error);
  properties_ = properties_of(*kernel->kernel, {machine, *kernel_.settings, request.level});
  return *properties_;
}

/// The prepared kernel: that for the level, or else that for the level `bare`, for which huge kernels are prepared.
/// Called with mutex_ held.
const ModulePtr& KernelWorker::prepared_for(FallbackLevel level) const {
  const ModulePtr& prepared = prepared_[preparation_of(level)];
  return prepared ? prepared : prepared_[preparation_of(FallbackLevel::bare)];
}

/// Reads the prepared kernel, unless it is there already.
Error KernelWorker::read(KernelModule& kernel, LLVMContext& context, const ModulePtr& prepared) const {
  if (kernel.module) return Error::success();
  auto module = read_bitcode(context, *prepared);
  if (!module) return module.takeError();
  Function* function = (*module)->getFunction(kernel_.name);
  kernel = {std::move(*module), function};
  return Error::success();
}

/// Prepares the kernel for a fallback level, and for all levels with the same preparation.
/// @param is_tier0 whether a huge kernel may be prepared for the level `bare` instead of `full`; sets is_huge_
/// @returns the module if this call has prepared the kernel; otherwise only `prepared_` is set
Expected<KernelModule> KernelWorker::prepare(LLVMContext& context, TargetMachine& machine,
                                             FallbackLevel level, bool is_tier0) {
  const std::optional<Trial> trial = Trying::begin_preparation();
  const HeldLock lock(mutex_);
  if (prepared_[preparation_of(level)]) {
    Trying::resume(trial);
    return KernelModule();
  }
  if (Error error = begin_step("extract")) return std::move(error);
  const Settings& settings = *kernel_.settings;
  auto kernel = extract_kernel(context, *kernel_.program, kernel_.name, kernel_.images, settings);
  if (!kernel) return kernel.takeError();
  drop_argument_info(*kernel->kernel);
  PipelineOptions options(machine, settings, level);
  const FallbackLevel taken = options.level = level_of(*kernel->module, level);
  auto made = prepare_kernel(*kernel, options, is_tier0);
  if (!made) return made.takeError();
  is_huge_ = made->is_huge;
  // The properties of a huge kernel come from its preparation for the level `bare`, which does not find out whether
  // groups may have any size. So the groups of a huge kernel keep their size at all levels.
  if (is_huge_) kernel->kernel->removeFnAttr(metadata::group_rows);
  prepared_[preparation_of(made->level == taken ? level : made->level)] =
      std::make_shared<compiler::Module>(ModuleProperties(), write_bitcode(*kernel->module));
  Trying::resume(trial);
  return kernel;
}

Expected<KernelObject> KernelWorker::compile(const ObjectRequest& request, FallbackLevel level) {
  const Variant& variant = request.variant;
  const bool is_tier0 = variant.tier0 && level == FallbackLevel::full;
  if (is_tier0 && is_huge_) return compile(request, FallbackLevel::bare);
  const Settings& settings = *kernel_.settings;
  LLVMContext context;
  context.setDiscardValueNames(!settings.has_checks()); // findings contain names of variables
  auto writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/level == FallbackLevel::bare);
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine(), level, is_tier0);
  if (!kernel) return kernel.takeError();
  // prepare() may just have found out that the kernel is huge, and has prepared the level `bare` instead.
  if (is_tier0 && is_huge_) return compile(request, FallbackLevel::bare);
  const auto key = key_of(variant, level);
  if (!key) return createStringError("kernel '" + kernel_.name + "' has not been prepared");
  // The object may have been made for another program whose prepared IR is the same.
  if (auto known = find_object(*key)) return *known;

  const ModulePtr prepared = [&] {
    const HeldLock lock(mutex_);
    return prepared_for(level);
  }();
  if (Error error = read(*kernel, context, prepared)) return std::move(error);
  KernelNotes notes;
  if (settings.statistics) notes.statistics = statistics_of(*kernel->kernel);
  if (const FallbackLevel taken = level_of(*kernel->module, level); taken != level) {
    level = taken;
    writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/true);
    if (!writer) return writer.takeError();
  }
  PipelineOptions options((*writer)->machine(), settings, request.level);
  options.level = level;
  auto result = run_pipeline(*kernel, options, variant);
  if (!result) return result.takeError();
  notes.remark = std::move(result->remark);
  if (result->has_unoptimised_codegen) {
    writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/true);
    if (!writer) return writer.takeError();
  }
  auto code = (*writer)->write(*kernel->module);
  if (!code) return code.takeError();
  result->code_properties.stack_bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>((*writer)->stack_bytes(), std::numeric_limits<std::uint32_t>::max()));
  KernelObject object{result->code_properties, std::move(notes), std::move(*code)};
  keep_object(*key, std::make_shared<const KernelObject>(object));
  return object;
}

} // namespace hostcl::compiler
