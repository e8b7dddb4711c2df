// load(), which compiler/compiler.hpp and compiler/jobs/workbench.hpp declare: the variables of a program, and its
// kernels, which are compiled one by one (kernel_versions.hpp).

#include "compiler/code/jit.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/jobs/job.hpp"
#include "compiler/jobs/kernel_versions.hpp"
#include "compiler/jobs/workbench.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace hostcl::compiler {

namespace {

class JitExecutable final : public Executable {
public:
  /// @param host where the machine code lives and runs; null for this process
  explicit JitExecutable(std::shared_ptr<CodeHost> host) : host_(std::move(host)), library_(host_) {}

  /// Takes over the parts of the program: links the object file of the variables in program scope, and makes
  /// a KernelVersions without machine code for each kernel.
  llvm::Error open(const SettingsPtr& settings, const ModulePtr& program, ProgramParts parts);

  std::span<const KernelSignature> kernels() const override {
    return std::span(signatures_).first(api_kernels_);
  }
  std::span<const KernelSignature> block_kernels() const override {
    return std::span(signatures_).subspan(api_kernels_);
  }
  std::span<const CoverageUnit> coverage() const override { return coverage_; }
  std::uint64_t global_variable_bytes() const override { return variables_.bytes; }
  std::pair<const HostVariable*, void*> variable(std::string_view name) const override;
  CompiledKernel& kernel(std::size_t index) const override { return *kernels_[index]; }
  Outcome<> run_initialisers(const abi::HostCallbacks& host_callbacks) override {
    return run_all(variables_.initialisers, host_callbacks);
  }
  Outcome<> run_finalisers(const abi::HostCallbacks& host_callbacks) override {
    return run_all(variables_.finalisers, host_callbacks);
  }
  bool has_initialisers() const override { return !variables_.initialisers.empty(); }
  bool has_finalisers() const override { return !variables_.finalisers.empty(); }

private:
  Outcome<> run_all(const std::vector<std::string>& names, const abi::HostCallbacks& host_callbacks);
  llvm::Error run(const std::string& name, const abi::HostCallbacks& host_callbacks);

  SettingsPtr settings_;
  ModulePtr program_;
  ProgramVariables variables_;
  std::vector<CoverageUnit> coverage_;
  std::vector<KernelSignature> signatures_; ///< kernels of blocks come last
  std::size_t api_kernels_ = 0;
  std::shared_ptr<CodeHost> host_;
  CodeLibrary library_;
  std::vector<std::unique_ptr<KernelVersions>> kernels_; ///< one for each signature
};

llvm::Error JitExecutable::open(const SettingsPtr& settings, const ModulePtr& program, ProgramParts parts) {
  settings_ = settings;
  signatures_ = std::move(parts.signatures);
  api_kernels_ = parts.api_kernels;
  variables_ = std::move(parts.variables);
  coverage_ = std::move(parts.coverage);
  program_ = variables_.program ? variables_.program : program;
  if (const std::string object = std::exchange(variables_.object, {}); !object.empty())
    if (llvm::Error error = library_.add(object)) return error;
  for (const KernelSignature& signature : signatures_)
    kernels_.push_back(std::make_unique<KernelVersions>(KernelId{settings_, program_, signature.name, {}},
                                                        signature.uniform_groups, library_));
  return llvm::Error::success();
}

std::pair<const HostVariable*, void*> JitExecutable::variable(std::string_view name) const {
  const auto found = std::ranges::find(variables_.named, name, &HostVariable::name);
  if (found == variables_.named.end()) return {nullptr, nullptr};
  return {&*found, library_.shared(found->symbol)};
}

/// Runs a function of the program as a kernel with one work-item.
llvm::Error JitExecutable::run(const std::string& name, const abi::HostCallbacks& host_callbacks) {
  const abi::Launch one{
      {{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, 1, 0}, &host_callbacks, 0, nullptr, nullptr};
  KernelVersions versions({settings_, program_, name, {}}, /*uniform_groups=*/false, library_);
  auto outcome = versions.code(one.range);
  if (!outcome) return llvm::createStringError(outcome.log);
  const KernelCode& code = *outcome.value.code;
  std::size_t context_bytes = code.context_bytes({1, 1, 1});
  if (host_) {
    using Nanoseconds = std::chrono::duration<std::uint64_t, std::nano>;
    const CodeLimit limit{host_->wall_ns() + Nanoseconds(most_time()).count()};
    std::string reason;
    host_->run({code.entry, one, {}, 0, context_bytes, {}, limit}, 0, 1,
               [&](const CodeEnd& end) { reason = end.reason; });
    return reason.empty() ? llvm::Error::success() : llvm::createStringError("it was ended by " + reason);
  }
  auto scratch = std::make_unique<std::byte[]>(context_bytes + abi::scratch_alignment);
  auto address = reinterpret_cast<std::uintptr_t>(scratch.get());
  auto* context = scratch.get() + (abi::scratch_alignment - address % abi::scratch_alignment);
  const LongStep step(LongStep::Kind::program_code);
  code.entry(&one, nullptr, nullptr, context, 0, 1);
  return llvm::Error::success();
}

/// Runs constructors or destructors of program-scope variables. They may crash or never return, so they run as isolated
/// work, with the resource budget of a build.
Outcome<> JitExecutable::run_all(const std::vector<std::string>& names,
                                 const abi::HostCallbacks& host_callbacks) {
  if (names.empty()) return {Status::success};
  llvm::Error error = isolate([&]() -> llvm::Error {
    for (const std::string& name : names)
      if (llvm::Error one = run(name, host_callbacks)) return one;
    return llvm::Error::success();
  });
  if (error) return Failed{Status::failure, llvm::toString(std::move(error))};
  return {Status::success};
}

} // namespace

Outcome<std::shared_ptr<Executable>> load(const SettingsPtr& settings, const ModulePtr& program,
                                          Workbench& bench, std::shared_ptr<CodeHost> host) {
  auto executable = std::make_shared<JitExecutable>(std::move(host));
  llvm::Error error = isolate([&]() -> llvm::Error {
    const PartsRequest request{settings, program};
    auto parts = done(request, [&] { return run(request, bench); });
    return parts ? executable->open(settings, program, std::move(*parts)) : parts.takeError();
  });
  if (error) {
    const bool gave_up = !reason_of(error).empty();
    return failed(std::move(error), gave_up ? Status::failure : Status::invalid_binary);
  }
  return {Status::success, {}, std::move(executable)};
}

Outcome<std::shared_ptr<Executable>> load(const SettingsPtr& settings, const ModulePtr& program,
                                          std::shared_ptr<CodeHost> host) {
  Workbench bench;
  return load(settings, program, bench, std::move(host));
}

} // namespace hostcl::compiler
