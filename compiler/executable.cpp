// load(): a program's kernels, compiled one by one when they are first launched.

#include "compiler/executable.hpp"

#include "compiler/ir_module.hpp"
#include "compiler/isolate.hpp"
#include "compiler/jit.hpp"
#include "compiler/kernel_object.hpp"
#include "compiler/program_variables.hpp"
#include "compiler/signature.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

using CodeOutcome = Outcome<const KernelCode*>;

std::string error_text(llvm::Error error) {
  return "error: " + llvm::toString(std::move(error)) + "\n";
}

class JitExecutable final : public Executable {
public:
  /// Reads signatures and makes program-scope variables; returns what went wrong.
  llvm::Error open(const ModulePtr& program, llvm::Module& module);

  std::span<const KernelSignature> kernels() const override { return signatures_; }
  std::uint64_t global_variable_bytes() const override { return variables_.bytes; }
  CodeOutcome code(std::size_t kernel, const abi::Launch& launch) override;
  bool run_initialisers() override { return run_all(variables_.initialisers); }
  bool run_finalisers() override { return run_all(variables_.finalisers); }
  bool has_initialisers() const override { return !variables_.initialisers.empty(); }
  bool has_finalisers() const override { return !variables_.finalisers.empty(); }

private:
  /// Machine code that is made once; whoever comes second waits for the first.
  struct Slot {
    std::mutex mutex; ///< held while it is made; what is behind it is constant afterwards
    bool is_made = false;
    KernelCode code;
    CodeOutcome outcome;
  };

  /// All machine code of one kernel.
  struct Versions {
    Versions(const ModulePtr& program, const std::string& name) : compiler(program, name) {}
    KernelCompiler compiler;
    Preference preference;
    std::map<Variant, std::shared_ptr<Slot>> slots;
  };

  Versions& versions_of(const std::string& kernel);
  std::shared_ptr<Slot> slot(Versions& versions, const Variant& variant);
  void learn(Versions& versions, const Variant& variant, const Preference& preference,
             const std::shared_ptr<Slot>& compiled);
  CodeOutcome code_of(const std::string& name, const Variant& variant);
  llvm::Error build(const std::shared_ptr<Slot>& slot, Versions& versions, const Variant& variant);
  bool run_all(const std::vector<std::string>& names);

  ModulePtr program_;
  ProgramVariables variables_;
  std::vector<KernelSignature> signatures_;
  std::unique_ptr<CodeLibrary> library_;

  std::mutex mutex_; ///< guards versions_, but neither their compilers nor what their slots hold
  std::map<std::string, Versions> versions_;
};

llvm::Error JitExecutable::open(const ModulePtr& program, llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (is_api_kernel(function)) signatures_.push_back(read_signature(function));
  auto library = CodeLibrary::create();
  if (!library) return library.takeError();
  library_ = std::move(*library);
  auto variables = separate_variables(program, module, *library_);
  if (!variables) return variables.takeError();
  variables_ = std::move(*variables);
  program_ = variables_.program;
  return llvm::Error::success();
}

CodeOutcome JitExecutable::code(std::size_t kernel, const abi::Launch& launch) {
  return code_of(signatures_[kernel].name, variant_for(launch));
}

JitExecutable::Versions& JitExecutable::versions_of(const std::string& kernel) {
  std::scoped_lock lock(mutex_);
  return versions_.try_emplace(kernel, program_, kernel).first->second;
}

std::shared_ptr<JitExecutable::Slot> JitExecutable::slot(Versions& versions, const Variant& variant) {
  std::scoped_lock lock(mutex_);
  std::shared_ptr<Slot>& slot = versions.slots[canonical(variant, versions.preference)];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

/// Files what was compiled under a guess where it will be looked for from now on.
void JitExecutable::learn(Versions& versions, const Variant& variant, const Preference& preference,
                          const std::shared_ptr<Slot>& compiled) {
  std::scoped_lock lock(mutex_);
  versions.preference = preference;
  versions.slots.try_emplace(canonical(variant, preference), compiled);
}

CodeOutcome JitExecutable::code_of(const std::string& name, const Variant& variant) {
  Versions& versions = versions_of(name);
  std::shared_ptr<Slot> wanted = slot(versions, variant);
  // Not std::call_once: exceptions that pass through glibc's need memory of their own.
  std::scoped_lock lock(wanted->mutex);
  if (wanted->is_made) return wanted->outcome;
  std::string log;
  std::string fatal = isolate([&] {
    if (llvm::Error error = build(wanted, versions, variant)) log = error_text(std::move(error));
  });
  if (fatal == out_of_memory) throw std::bad_alloc(); // the next launch tries again
  if (!fatal.empty()) log += "error: the compiler gave up: " + fatal + "\n";
  wanted->outcome = {Status::success, {}, &wanted->code};
  if (!log.empty()) wanted->outcome = {Status::failure, "kernel '" + name + "': " + log, nullptr};
  wanted->is_made = true;
  return wanted->outcome;
}

llvm::Error JitExecutable::build(const std::shared_ptr<Slot>& slot, Versions& versions,
                                 const Variant& variant) {
  auto kernel = versions.compiler.make(variant);
  if (!kernel) return kernel.takeError();
  if (llvm::Error error = library_->add(std::move(kernel->object))) return error;
  auto entry = library_->find(kernel->facts.entry_name);
  if (!entry) return entry.takeError();
  if (kernel->facts.preferred_width)
    learn(versions, variant, {kernel->facts.preferred_width, kernel->facts.prefers_columns}, slot);
  slot->code.entry = reinterpret_cast<abi::Entry>(*entry);
  slot->code.width = kernel->facts.width;
  slot->code.vector_dimension = kernel->facts.vector_dimension;
  slot->code.prefers_columns = kernel->facts.prefers_columns;
  slot->code.groups_merge = kernel->facts.groups_merge;
  slot->code.static_local_bytes = kernel->facts.static_local_bytes;
  slot->code.context_bytes_fixed = kernel->facts.context_bytes_fixed;
  slot->code.context_bytes_per_chunk = kernel->facts.context_bytes_per_chunk;
  return llvm::Error::success();
}

bool JitExecutable::run_all(const std::vector<std::string>& names) {
  abi::Launch one{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, 1, 0};
  for (const std::string& name : names) {
    CodeOutcome code = code_of(name, {});
    if (code.status != Status::success) return false;
    std::size_t context_bytes = code.value->context_bytes({1, 1, 1});
    auto scratch = std::make_unique<std::byte[]>(context_bytes + abi::scratch_alignment);
    auto address = reinterpret_cast<std::uintptr_t>(scratch.get());
    auto* context = scratch.get() + (abi::scratch_alignment - address % abi::scratch_alignment);
    code.value->entry(&one, nullptr, nullptr, context, 0, 1);
  }
  return true;
}

} // namespace

std::uint64_t KernelCode::context_bytes(const std::array<std::uint64_t, 3>& local_size) const {
  std::uint64_t chunks = 1;
  for (unsigned dimension : {0u, 1u, 2u}) {
    const unsigned lanes = dimension == vector_dimension ? width : 1;
    chunks *= (local_size[dimension] + lanes - 1) / lanes;
  }
  return context_bytes_fixed + context_bytes_per_chunk * chunks;
}

namespace {

/// Runs `open` isolated, for a new executable.
Outcome<std::shared_ptr<Executable>> opened(llvm::function_ref<llvm::Error(JitExecutable&)> open) {
  auto executable = std::make_shared<JitExecutable>();
  std::string log;
  std::string fatal = isolate([&] {
    if (llvm::Error error = open(*executable)) log = error_text(std::move(error));
  });
  if (fatal == out_of_memory) return {Status::out_of_memory, {}, nullptr};
  if (!fatal.empty()) log += "error: the compiler gave up: " + fatal + "\n";
  if (!log.empty()) return {Status::invalid_binary, std::move(log), nullptr};
  return {Status::success, {}, std::move(executable)};
}

} // namespace

Outcome<std::shared_ptr<Executable>> load(const ModulePtr& program) {
  return opened([&](JitExecutable& executable) -> llvm::Error {
    llvm::LLVMContext context;
    auto module = read_bitcode(context, *program);
    if (!module) return module.takeError();
    return executable.open(program, **module);
  });
}

Outcome<std::shared_ptr<Executable>> load(const ModulePtr& program, llvm::Module& module) {
  return opened([&](JitExecutable& executable) { return executable.open(program, module); });
}

} // namespace hostcl::compiler
