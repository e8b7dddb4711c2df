#include "compiler/code/kernel_object.hpp"

#include "compiler/code/machine_code.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/served_kernel.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/passes/analysis/kernel_statistics.hpp"
#include "compiler/passes/metadata.hpp"
#include "compiler/server/kernel_notes.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/statistics.hpp"

#include "compiler/compiler.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

std::string_view text_of(const compiler::Module& module) {
  std::span<const std::byte> bitcode = module.bitcode();
  return {reinterpret_cast<const char*>(bitcode.data()), bitcode.size()};
}

/// The first bytes of a cache file; the notes and the object follow.
struct FileHead {
  CodeProperties code_properties;
  std::uint64_t note_bytes;
};

std::optional<KernelObject> unpack(std::span<const std::byte> bytes) {
  FileHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes = bytes.subspan(sizeof head);
  if (head.note_bytes > bytes.size()) return std::nullopt;
  KernelObject result{head.code_properties, unpacked_notes(bytes.first(head.note_bytes)), nullptr};
  bytes = bytes.subspan(head.note_bytes);
  result.object = copied({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return result;
}

std::vector<std::byte> pack(const KernelObject& kernel) {
  const std::vector<std::byte> notes = packed(kernel.notes);
  const FileHead head{kernel.code_properties, notes.size()};
  std::vector<std::byte> bytes;
  const auto append = [&](const void* first, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(first);
    bytes.insert(bytes.end(), from, from + size);
  };
  append(&head, sizeof head);
  append(notes.data(), notes.size());
  append(kernel.object->getBufferStart(), kernel.object->getBufferSize());
  return bytes;
}

KernelObject copy_of(const KernelObject& kernel) {
  return {kernel.code_properties, kernel.notes, copied(kernel.object->getBuffer())};
}

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

void ignore_step(StringRef, StringRef, llvm::Module&) {}

std::atomic<void (*)(std::string_view)> reporter = nullptr;

void report(const std::string& message) {
  if (auto* function = reporter.load()) function(message);
}

} // namespace

void report_failed_levels(void (*function)(std::string_view message)) {
  reporter = function;
}

/// Calls `make` for one fallback level after another, from the first that has not failed, until it succeeds.
/// @param failures called before each level, returns the known failures
template <class Failures, class Make>
auto KernelCompiler::at_first_level(const std::optional<Variant>& variant, Failures failures, Make make)
    -> decltype(make(FallbackLevel::full)) {
  for (;;) {
    const FailedLevels failed = failures();
    if (failed.left == FallbackLevel::none) return createStringError(failed.reason);
    const Trying trying(variant, failed.left, failed.width);
    auto result = make(failed.left);
    if (result) return result;
    Error error = result.takeError();
    if (ends_all_levels(reason_of(error))) return error;
    const std::string reason = toString(std::move(error));
    const bool is_noted = failures().left > failed.left; // by a step that several levels share
    if (fails_at_first_level() || !(is_noted || note_failure(Trying::here().value_or(Trial()), reason)))
      return createStringError(reason);
  }
}

KernelCompiler::KernelCompiler(ModulePtr program, std::string name, ImageProperties images)
    : program_(std::move(program)), name_(std::move(name)), images_(std::move(images)) {}

CacheKey KernelCompiler::key_of(const Variant& variant, FallbackLevel level) const {
  return CacheKey("object", {text_of(*program_), name_, text_of(images_), variant.text(), text_of(level)});
}

CacheKey KernelCompiler::properties_key() const {
  return CacheKey("properties", {text_of(*program_), name_, text_of(images_)});
}

/// The key of the object in this process's store; nothing if the kernel has not been prepared.
std::optional<CacheKey> KernelCompiler::prepared_key_of(const Variant& variant, FallbackLevel level) {
  std::scoped_lock lock(mutex_);
  const ModulePtr& prepared = prepared_[preparation_of(level)];
  if (!prepared) return std::nullopt;
  return CacheKey("object", {text_of(*prepared), name_, variant.text(), text_of(level)});
}

/// The known failures of compiling a variant; without a variant, the known failures of preparing the kernel.
FailedLevels KernelCompiler::failures(const std::optional<Variant>& variant) const {
  return failed_levels("failed",
                       {text_of(*program_), name_, text_of(images_), variant ? variant->text() : ""});
}

FailedLevels KernelCompiler::failures_of(const Variant& variant) {
  FailedLevels failed = failures(variant);
  if (FailedLevels of_all = failures(std::nullopt); of_all.left > failed.left) {
    failed.left = of_all.left;
    failed.reason = std::move(of_all.reason);
  }
  if (failed.left == FallbackLevel::scalar && keeps_width_) failed.left = FallbackLevel::bare;
  return failed;
}

/// Called with mutex_ held.
void KernelCompiler::set_properties(const KernelProperties& properties) {
  properties_ = properties;
  keeps_width_ = properties.sees_vectors != 0;
}

bool KernelCompiler::note_failure(const Trial& trial, std::string_view reason) {
  FailedLevels failed = failures(trial.variant);
  if (failed.left > trial.level) return false;
  failed.left = trial.variant ? next(trial.level, keeps_width_) : next_preparation(trial.level);
  failed.reason = reason;
  if (trial.level == FallbackLevel::full) failed.width = trial.width;
  remember_failed_levels(
      "failed", {text_of(*program_), name_, text_of(images_), trial.variant ? trial.variant->text() : ""},
      failed);
  report("kernel '" + name_ + "': " + name_of(trial.level) + " failed in step '" + trial.step +
         "': " + failed.reason +
         (failed.left == FallbackLevel::none ? ""
                                             : std::string("; the next attempt is ") + name_of(failed.left)));
  return true;
}

Expected<KernelProperties> KernelCompiler::properties() {
  {
    std::scoped_lock lock(mutex_);
    if (properties_) return *properties_;
    if (cache_is_on())
      if (auto bytes = cache_load(properties_key()))
        if (bytes->size() == sizeof(KernelProperties)) {
          KernelProperties properties;
          std::memcpy(&properties, bytes->data(), sizeof properties);
          set_properties(properties);
          return properties;
        }
  }
  return at_first_level(
      std::nullopt, [&] { return failures(std::nullopt); },
      [&](FallbackLevel level) { return make_properties(level); });
}

Expected<KernelProperties> KernelCompiler::make_properties(FallbackLevel level) {
  auto served = served_properties({program_, name_, images_, level});
  if (!served) return make_properties_here(level);
  if (*served) {
    const KernelProperties& properties = **served;
    std::scoped_lock lock(mutex_);
    set_properties(properties);
    if (cache_is_on()) cache_store(properties_key(), std::as_bytes(std::span(&properties, 1)));
  }
  return std::move(*served);
}

Expected<KernelProperties> KernelCompiler::make_properties_here(FallbackLevel level) {
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings contain names of variables
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine(), level, /*is_tier0=*/true);
  if (!kernel) return kernel.takeError();
  std::scoped_lock lock(mutex_);
  return properties_.value_or(KernelProperties()); // prepare() has set it
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant, FallbackLevel level) {
  if (cache_is_on())
    if (auto bytes = cache_load(key_of(variant, level)))
      if (auto kernel = unpack(*bytes)) return kernel;
  if (auto key = prepared_key_of(variant, level))
    if (auto known = find_object(*key)) return copy_of(*known);
  return std::nullopt;
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant) {
  if (auto known = find(variant, FallbackLevel::full)) return known;
  const FallbackLevel left = failures_of(variant).left;
  return left == FallbackLevel::full || left == FallbackLevel::none ? std::nullopt : find(variant, left);
}

Expected<KernelObject> KernelCompiler::make(const Variant& variant) {
  if (auto known = find(variant)) return std::move(*known);
  return at_first_level(
      variant, [&] { return failures_of(variant); },
      [&](FallbackLevel level) {
        auto kernel = compile(variant, level);
        if (kernel && cache_is_on()) cache_store(key_of(variant, level), pack(*kernel));
        return kernel;
      });
}

/// Prepares the kernel for a fallback level, and for all levels with the same preparation.
/// @param is_tier0 whether a huge kernel may be prepared for the level `bare` instead of `full`; sets is_huge_
/// @returns the module if this call has prepared the kernel; otherwise only `prepared_` is set
Expected<KernelModule> KernelCompiler::prepare(LLVMContext& context, TargetMachine& machine,
                                               FallbackLevel level, bool is_tier0) {
  const Trying trying(std::nullopt, level);
  auto kernel = prepare_once(context, machine, level, is_tier0);
  if (kernel) return kernel;
  const std::string reason = toString(kernel.takeError());
  note_failure(Trying::here().value_or(Trial()), reason);
  return createStringError(reason);
}

Expected<KernelModule> KernelCompiler::prepare_once(LLVMContext& context, TargetMachine& machine,
                                                    FallbackLevel level, bool is_tier0) {
  const HeldLock lock(mutex_);
  if (prepared_[preparation_of(level)]) return KernelModule();
  if (Error error = begin_step("extract")) return std::move(error);
  auto kernel = extract_kernel(context, *program_, name_, images_);
  if (!kernel) return kernel.takeError();
  drop_argument_info(*kernel->kernel);
  const FallbackLevel taken = level_of(*kernel->module, level);
  auto made = prepare_kernel(*kernel, machine, taken, is_tier0, ignore_step);
  if (!made) return made.takeError();
  is_huge_ = made->is_huge;
  // The properties of a huge kernel are found before it is known whether its groups may have any size, so
  // they may not.
  if (is_huge_) kernel->kernel->removeFnAttr(metadata::group_rows);
  if (!properties_) { // from the first level that can be prepared; the vector width stays the same at others
    const KernelProperties properties = properties_of(*kernel->kernel, machine);
    set_properties(properties);
    if (cache_is_on()) cache_store(properties_key(), std::as_bytes(std::span(&properties, 1)));
  }
  prepared_[preparation_of(made->level == taken ? level : made->level)] =
      std::make_shared<compiler::Module>(ModuleProperties(), write_bitcode(*kernel->module));
  return kernel;
}

Expected<KernelObject> KernelCompiler::compile(const Variant& variant, FallbackLevel level) {
  auto served = served_object({program_, name_, images_, level}, variant);
  return served ? std::move(*served) : compile_here(variant, level);
}

Expected<KernelObject> KernelCompiler::compile_here(const Variant& variant, FallbackLevel level) {
  const bool is_tier0 = variant.tier0 && level == FallbackLevel::full;
  if (is_tier0 && is_huge_) return compile_here(variant, FallbackLevel::bare);
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings contain names of variables
  auto writer = ObjectWriter::borrow(/*unoptimised=*/level == FallbackLevel::bare);
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine(), level, is_tier0);
  if (!kernel) return kernel.takeError();
  // Prepare() has prepared this level instead.
  if (is_tier0 && is_huge_) return compile_here(variant, FallbackLevel::bare);
  const auto key = prepared_key_of(variant, level);
  if (!key) return createStringError("kernel '" + name_ + "' has not been prepared");
  // Made by another program whose prepared IR is the same.
  if (auto known = find_object(*key)) return copy_of(*known);

  if (!kernel->module) {
    auto module = read_bitcode(context, *prepared_[preparation_of(level)]);
    if (!module) return module.takeError();
    *kernel = {std::move(*module), nullptr};
    kernel->kernel = kernel->module->getFunction(name_);
  }
  KernelNotes notes;
  if (are_kernels_described()) notes.statistics = statistics_of(*kernel->kernel);
  if (const FallbackLevel taken = level_of(*kernel->module, level); taken != level) {
    level = taken;
    writer = ObjectWriter::borrow(/*unoptimised=*/true);
    if (!writer) return writer.takeError();
  }
  auto result = run_pipeline(*kernel, (*writer)->machine(), variant, level, ignore_step);
  if (!result) return result.takeError();
  notes.remark = std::move(result->remark);
  if (result->has_unoptimised_codegen) {
    writer = ObjectWriter::borrow(/*unoptimised=*/true);
    if (!writer) return writer.takeError();
  }
  auto code = (*writer)->write(*kernel->module);
  if (!code) return code.takeError();
  result->code_properties.stack_bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>((*writer)->stack_bytes(), std::numeric_limits<std::uint32_t>::max()));
  KernelObject object{result->code_properties, std::move(notes), std::move(*code)};
  keep_object(*key, std::make_shared<const KernelObject>(copy_of(object)));
  return object;
}

} // namespace hostcl::compiler
