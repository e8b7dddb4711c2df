#include "compiler/code/kernel_object.hpp"

#include "compiler/code/kernel_form.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/passes/analysis/kernel_insight.hpp"
#include "compiler/passes/marks.hpp"
#include "compiler/server/kernel_notes.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/insights.hpp"

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

/// What a cache file begins with: it has the notes and the object after that.
struct FileHead {
  KernelFacts facts;
  std::uint64_t note_bytes;
};

std::optional<KernelObject> unpack(std::span<const std::byte> bytes) {
  FileHead head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes = bytes.subspan(sizeof head);
  if (head.note_bytes > bytes.size()) return std::nullopt;
  KernelObject result{head.facts, unpacked_notes(bytes.first(head.note_bytes)), nullptr};
  bytes = bytes.subspan(head.note_bytes);
  result.object = copied({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return result;
}

std::vector<std::byte> pack(const KernelObject& kernel) {
  const std::vector<std::byte> notes = packed(kernel.notes);
  const FileHead head{kernel.facts, notes.size()};
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
  return {kernel.facts, kernel.notes, copied(kernel.object->getBuffer())};
}

/// Drops metadata that machine code does not depend on, but that differs between kernels that are otherwise
/// the same.
void drop_argument_info(Function& kernel) {
  for (StringRef name : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                         "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name"})
    kernel.setMetadata(name, nullptr);
}

/// Debuggers find variables in the form without optimisations.
Effort effort_of(const llvm::Module& module, Effort effort) {
  return module.getModuleFlag(marks::debug_form) ? Effort::bare : effort;
}

void ignore_step(StringRef, StringRef, llvm::Module&) {}

std::atomic<void (*)(std::string_view)> reporter = nullptr;

void report(const std::string& message) {
  if (auto* function = reporter.load()) function(message);
}

} // namespace

void report_failed_forms(void (*function)(std::string_view message)) {
  reporter = function;
}

/// Calls `make` for one form after another, from the first that has not failed, until it succeeds.
/// @param failures asked before each
template <class Failures, class Make>
auto KernelCompiler::in_first_form(const std::optional<Variant>& variant, Failures failures, Make make)
    -> decltype(make(Effort::full)) {
  for (;;) {
    const FailedForms failed = failures();
    if (failed.left == Effort::none) return createStringError(failed.reason);
    const Trying trying(variant, failed.left, failed.width);
    auto result = make(failed.left);
    if (result) return result;
    Error error = result.takeError();
    if (ends_all_forms(reason_of(error))) return error;
    const std::string reason = toString(std::move(error));
    const bool is_noted = failures().left > failed.left; // by what several forms have in common
    if (fails_with_first_form() || !(is_noted || note_failure(Trying::here().value_or(Trial()), reason)))
      return createStringError(reason);
  }
}

KernelCompiler::KernelCompiler(ModulePtr program, std::string name, ImageFacts images)
    : program_(std::move(program)), name_(std::move(name)), images_(std::move(images)) {}

CacheKey KernelCompiler::key_of(const Variant& variant, Effort effort) const {
  return CacheKey("object", {text_of(*program_), name_, text_of(images_), variant.text(), text_of(effort)});
}

CacheKey KernelCompiler::traits_key() const {
  return CacheKey("traits", {text_of(*program_), name_, text_of(images_)});
}

/// The key that the object is kept under in this process; nothing while the kernel has not been prepared.
std::optional<CacheKey> KernelCompiler::prepared_key_of(const Variant& variant, Effort effort) {
  std::scoped_lock lock(mutex_);
  const ModulePtr& prepared = prepared_[preparation_of(effort)];
  if (!prepared) return std::nullopt;
  return CacheKey("object", {text_of(*prepared), name_, variant.text(), text_of(effort)});
}

/// What is known of forms of a variant; nothing: of the preparation of all.
FailedForms KernelCompiler::failures(const std::optional<Variant>& variant) const {
  return failed_forms("failed",
                      {text_of(*program_), name_, text_of(images_), variant ? variant->text() : ""});
}

FailedForms KernelCompiler::failures_of(const Variant& variant) {
  FailedForms failed = failures(variant);
  if (FailedForms of_all = failures(std::nullopt); of_all.left > failed.left) {
    failed.left = of_all.left;
    failed.reason = std::move(of_all.reason);
  }
  if (failed.left == Effort::scalar && keeps_width_) failed.left = Effort::bare;
  return failed;
}

/// The caller holds mutex_.
void KernelCompiler::set_traits(const KernelTraits& traits) {
  traits_ = traits;
  keeps_width_ = traits.sees_vectors != 0;
}

bool KernelCompiler::note_failure(const Trial& trial, std::string_view reason) {
  FailedForms failed = failures(trial.variant);
  if (failed.left > trial.effort) return false;
  failed.left = trial.variant ? next(trial.effort, keeps_width_) : next_preparation(trial.effort);
  failed.reason = reason;
  if (trial.effort == Effort::full) failed.width = trial.width;
  remember_failed_forms(
      "failed", {text_of(*program_), name_, text_of(images_), trial.variant ? trial.variant->text() : ""},
      failed);
  report("kernel '" + name_ + "': compiling " + name_of(trial.effort) + " failed in step '" + trial.step +
         "': " + failed.reason +
         (failed.left == Effort::none ? "" : std::string("; the next attempt is ") + name_of(failed.left)));
  return true;
}

Expected<KernelTraits> KernelCompiler::traits() {
  {
    std::scoped_lock lock(mutex_);
    if (traits_) return *traits_;
    if (cache_is_on())
      if (auto bytes = cache_load(traits_key()))
        if (bytes->size() == sizeof(KernelTraits)) {
          KernelTraits traits;
          std::memcpy(&traits, bytes->data(), sizeof traits);
          set_traits(traits);
          return traits;
        }
  }
  return in_first_form(
      std::nullopt, [&] { return failures(std::nullopt); },
      [&](Effort effort) { return make_traits(effort); });
}

Expected<KernelTraits> KernelCompiler::make_traits(Effort effort) {
  auto served = served_traits({program_, name_, images_, effort});
  if (!served) return make_traits_here(effort);
  if (*served) {
    const KernelTraits& traits = **served;
    std::scoped_lock lock(mutex_);
    set_traits(traits);
    if (cache_is_on()) cache_store(traits_key(), std::as_bytes(std::span(&traits, 1)));
  }
  return std::move(*served);
}

Expected<KernelTraits> KernelCompiler::make_traits_here(Effort effort) {
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings name variables
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine(), effort, /*soon=*/true);
  if (!kernel) return kernel.takeError();
  std::scoped_lock lock(mutex_);
  return traits_.value_or(KernelTraits()); // which prepare() has found
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant, Effort effort) {
  if (cache_is_on())
    if (auto bytes = cache_load(key_of(variant, effort)))
      if (auto kernel = unpack(*bytes)) return kernel;
  if (auto key = prepared_key_of(variant, effort))
    if (auto known = find_object(*key)) return copy_of(*known);
  return std::nullopt;
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant) {
  if (auto known = find(variant, Effort::full)) return known;
  const Effort left = failures_of(variant).left;
  return left == Effort::full || left == Effort::none ? std::nullopt : find(variant, left);
}

Expected<KernelObject> KernelCompiler::make(const Variant& variant) {
  if (auto known = find(variant)) return std::move(*known);
  return in_first_form(
      variant, [&] { return failures_of(variant); },
      [&](Effort effort) {
        auto kernel = compile(variant, effort);
        if (kernel && cache_is_on()) cache_store(key_of(variant, effort), pack(*kernel));
        return kernel;
      });
}

/// Makes the kernel's prepared form, which is one for several forms of code.
/// @param soon if the full form of a huge kernel is asked for, makes the one without optimisations instead, and sets
/// `is_huge_`
/// @returns its module if this call has made it, otherwise only `prepared_` is set
Expected<KernelModule> KernelCompiler::prepare(LLVMContext& context, TargetMachine& machine, Effort effort,
                                               bool soon) {
  const Trying trying(std::nullopt, effort);
  auto kernel = prepare_once(context, machine, effort, soon);
  if (kernel) return kernel;
  const std::string reason = toString(kernel.takeError());
  note_failure(Trying::here().value_or(Trial()), reason);
  return createStringError(reason);
}

Expected<KernelModule> KernelCompiler::prepare_once(LLVMContext& context, TargetMachine& machine,
                                                    Effort effort, bool soon) {
  const HeldLock lock(mutex_);
  if (prepared_[preparation_of(effort)]) return KernelModule();
  if (Error error = begin_step("extract")) return std::move(error);
  auto kernel = extract_kernel(context, *program_, name_, images_);
  if (!kernel) return kernel.takeError();
  drop_argument_info(*kernel->kernel);
  const Effort taken = effort_of(*kernel->module, effort);
  auto made = prepare_kernel(*kernel, machine, taken, soon, ignore_step);
  if (!made) return made.takeError();
  is_huge_ = made->is_huge;
  // The traits of a huge kernel are found before it is known whether its groups may have any size.
  if (is_huge_) kernel->kernel->removeFnAttr(marks::group_rows);
  if (!traits_) { // of the first form that can be prepared: vectors keep their width in the others
    const KernelTraits traits = traits_of(*kernel->kernel, machine);
    set_traits(traits);
    if (cache_is_on()) cache_store(traits_key(), std::as_bytes(std::span(&traits, 1)));
  }
  prepared_[preparation_of(made->effort == taken ? effort : made->effort)] =
      std::make_shared<compiler::Module>(ModuleFacts(), write_bitcode(*kernel->module));
  return kernel;
}

Expected<KernelObject> KernelCompiler::compile(const Variant& variant, Effort effort) {
  auto served = served_object({program_, name_, images_, effort}, variant);
  return served ? std::move(*served) : compile_here(variant, effort);
}

Expected<KernelObject> KernelCompiler::compile_here(const Variant& variant, Effort effort) {
  const bool soon = variant.compact && effort == Effort::full;
  if (soon && is_huge_) return compile_here(variant, Effort::bare);
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings name variables
  auto writer = ObjectWriter::borrow(/*simple=*/effort == Effort::bare);
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine(), effort, soon);
  if (!kernel) return kernel.takeError();
  if (soon && is_huge_) return compile_here(variant, Effort::bare); // which has been prepared
  const auto key = prepared_key_of(variant, effort);
  if (!key) return createStringError("kernel '" + name_ + "' has not been prepared");
  if (auto known = find_object(*key)) return copy_of(*known); // another program's, the same once prepared

  if (!kernel->module) {
    auto module = read_bitcode(context, *prepared_[preparation_of(effort)]);
    if (!module) return module.takeError();
    *kernel = {std::move(*module), nullptr};
    kernel->kernel = kernel->module->getFunction(name_);
  }
  KernelNotes notes;
  if (are_kernels_described()) notes.insight = insight_of(*kernel->kernel);
  if (const Effort taken = effort_of(*kernel->module, effort); taken != effort) {
    effort = taken;
    writer = ObjectWriter::borrow(/*simple=*/true);
    if (!writer) return writer.takeError();
  }
  auto result = run_pipeline(*kernel, (*writer)->machine(), variant, effort, ignore_step);
  if (!result) return result.takeError();
  notes.remark = std::move(result->remark);
  if (result->has_simple_generator) {
    writer = ObjectWriter::borrow(/*simple=*/true);
    if (!writer) return writer.takeError();
  }
  auto code = (*writer)->write(*kernel->module);
  if (!code) return code.takeError();
  result->facts.stack_bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>((*writer)->stack_bytes(), std::numeric_limits<std::uint32_t>::max()));
  KernelObject object{result->facts, std::move(notes), std::move(*code)};
  keep_object(*key, std::make_shared<const KernelObject>(copy_of(object)));
  return object;
}

} // namespace hostcl::compiler
