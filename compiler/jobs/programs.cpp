// compile(), link(), deserialise() and build(), which compiler/compiler.hpp declares, and the jobs of workbench.hpp for
// programs: source to objects, objects to executables, source to loaded programs.

#include "compiler/code/coverage/coverage_object.hpp"
#include "compiler/compiler.hpp"
#include "compiler/front/clang/destructors.hpp"
#include "compiler/front/clang/frontend.hpp"
#include "compiler/front/clang/options.hpp"
#include "compiler/front/clang/source_on_disk.hpp"
#include "compiler/front/spirv/module.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/jobs/job.hpp"
#include "compiler/jobs/workbench.hpp"
#include "compiler/modules/indirect_calls.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/recursion.hpp"
#include "compiler/modules/undefined_symbols.hpp"
#include "compiler/signature.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

namespace hostcl::compiler {

namespace {

using llvm::Expected;
using Built = Outcome<ModulePtr>;

/// Lets the code generator contract products and sums, also across statements, as -ffp-contract=fast does.
void contract(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setHasAllowContract(true);
}

/// Records build options, and settings that have the effect of options, in the module, for later steps of the compiler,
/// which see only the module.
void record_options(llvm::Module& module, const Options& options, const Settings& settings) {
  auto flag = [&](llvm::StringRef name, bool value) {
    if (value) module.addModuleFlag(llvm::Module::Max, name, 1);
  };
  flag(metadata::relaxed_math, options.relaxed_math);
  flag(metadata::flush_denormals, options.flush_denormals || settings.flush_denormals);
  flag(metadata::argument_info, options.argument_info);
  flag(metadata::enqueue_errors, options.debug_info);
  flag(metadata::uniform_groups, options.opencl_c_1 || options.uniform_groups);
  // Min: a linked program does without an extension only if all of its parts do.
  for (const std::string& name : settings.language.lacks)
    module.addModuleFlag(llvm::Module::Min, (metadata::lacks + name).str(), 1);
  for (llvm::Function& function : module)
    if (is_kernel_body(function) && options.has_debug_form(function.getName()))
      function.addFnAttr(metadata::debug_form);
  if (settings.contract) contract(module);
}

/// Computes ModuleProperties::is_complete. Objects and executables have passed report_recursion(). Libraries have not,
/// but a library that has only kernels has no recursion.
bool is_complete(const llvm::Module& module, ModuleKind kind) {
  if (leaves_undefined(module) || has_function_pointers(module)) return false;
  return llvm::all_of(module.functions(), [&](const llvm::Function& function) {
    // clang puts a kernel's code into a function of this name.
    return kind != ModuleKind::library || function.isDeclaration() ||
           function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
           function.getName().starts_with("__clang_ocl_kern_imp_");
  });
}

ModulePtr written(const llvm::Module& module, ModuleKind kind) {
  return std::make_shared<Module>(ModuleProperties{kind, is_complete(module, kind)}, write_bitcode(module));
}

/// The reply for a module that a front end has made. The workbench keeps the module's IR.
/// @param module null if the front end has failed
/// @param log the front end's messages
ModuleReply object_of(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
                      std::string log, const Options& options, const Settings& settings, Workbench& bench) {
  const LongStep step;
  if (!module || !report_recursion(*module, log)) return {Status::failure, std::move(log), nullptr};
  record_options(*module, options, settings);
  ModulePtr object = written(*module, ModuleKind::object);
  bench.keep({object, std::move(context), std::move(module)});
  return {Status::success, std::move(log), std::move(object)};
}

} // namespace

Expected<ModuleReply> run(const CompileRequest& request, Workbench& bench) {
  auto options = parse_options(request.options, request.settings->language);
  if (!options) return options.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  FrontendResult result = run_frontend(*context, request, *options);
  if (result.module)
    collect_destructors(*result.module);
  else
    result.log += needed_parts_note(request, *options);
  ModuleReply reply = object_of(std::move(context), std::move(result.module), std::move(result.log), *options,
                                *request.settings, bench);
  reply.is_reproducible = result.reproducible;
  return reply;
}

Expected<ModuleReply> run(const CompileIlRequest& request, Workbench& bench) {
  auto options = parse_options(request.options, request.settings->language);
  if (!options) return options.takeError();
  options->opencl_c_1 = false; // no rule of that language holds
  const LongStep step;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = spirv::read_module(*context, request, options->debug_info);
  if (!module) return module.takeError();
  ModuleReply reply =
      object_of(std::move(context), std::move(*module), {}, *options, *request.settings, bench);
  // The names of files in coverage data depend on the current folder.
  reply.is_reproducible = !request.settings->coverage;
  return reply;
}

namespace {

/// Appends the linker's diagnostics to a log.
struct LogHandler final : llvm::DiagnosticHandler {
  explicit LogHandler(std::string& log) : log(log) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    llvm::raw_string_ostream stream(log);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
    info.print(printer);
    stream << '\n';
    return true;
  }
  std::string& log;
};

ModuleKind linked_kind(const Options& options) {
  return options.create_library ? ModuleKind::library : ModuleKind::executable;
}

/// Returns the linked module if linking changes nothing; otherwise null.
ModulePtr link_nothing(std::span<const ModulePtr> parts, const Options& options) {
  const Module& first = *parts.front();
  if (parts.size() > 1 || !(options.create_library || first.properties().is_complete)) return nullptr;
  return std::make_shared<Module>(ModuleProperties{linked_kind(options), first.properties().is_complete},
                                  std::vector(first.bitcode().begin(), first.bitcode().end()));
}

ModuleReply refused(llvm::Error error, Status status, std::string log) {
  Failed outcome = failed(std::move(error), status, std::move(log));
  return {outcome.status, std::move(outcome.log), nullptr};
}

} // namespace

Expected<ModuleReply> run(const LinkRequest& request, Workbench&) {
  auto options = parse_options(request.options, request.settings->language);
  if (!options) return options.takeError();
  const LongStep step;
  std::string log;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<LogHandler>(log));
  auto first = read_bitcode(context, *request.modules.front());
  if (!first) return refused(first.takeError(), Status::invalid_binary, {});
  llvm::Module& module = **first;
  llvm::Linker linker(module);
  for (const ModulePtr& part : std::span(request.modules).subspan(1)) {
    auto next = read_bitcode(context, *part);
    if (!next) return refused(next.takeError(), Status::failure, std::move(log));
    if (linker.linkInModule(std::move(*next))) return ModuleReply{Status::failure, std::move(log), nullptr};
  }
  if (!options->create_library) {
    if (!report_undefined(module, log)) return ModuleReply{Status::failure, std::move(log), nullptr};
    lower_function_pointers(module);
    if (!report_recursion(module, log)) return ModuleReply{Status::failure, std::move(log), nullptr};
  }
  ModulePtr linked = written(module, linked_kind(*options));
  return ModuleReply{Status::success, std::move(log), std::move(linked)};
}

Expected<ModuleReply> run(const CheckRequest& request, Workbench&) {
  const LongStep step;
  auto module = deserialise_foreign(request.container, *request.settings);
  if (!module) return module.takeError();
  return ModuleReply{Status::success, {}, std::move(*module)};
}

namespace {

/// Divides a program into its parts.
/// @param module the IR of `program`, which is left in an unspecified state
Expected<ProgramParts> parts_of(const Module& program, llvm::Module& module, const Settings& settings) {
  const HostCpu& cpu = settings.cpu;
  ProgramParts parts;
  if (settings.coverage) {
    auto units = coverage_units(module, cpu);
    if (!units) return units.takeError();
    parts.coverage = std::move(*units);
  }
  for (const llvm::Function& function : module)
    if (is_api_kernel(function)) parts.signatures.push_back(read_signature(function));
  parts.api_kernels = parts.signatures.size();
  for (const llvm::Function& function : module)
    if (is_block_kernel(function)) parts.signatures.push_back(read_signature(function));
  auto variables = separate_variables(program, module, cpu);
  if (!variables) return variables.takeError();
  parts.variables = std::move(*variables);
  return parts;
}

} // namespace

Expected<ProgramParts> run(const PartsRequest& request, Workbench& bench) {
  if (const auto compiled = bench.take(*request.program); compiled.module)
    return parts_of(*request.program, *compiled.module, *request.settings);
  llvm::LLVMContext context;
  auto module = read_bitcode(context, *request.program);
  if (!module) return module.takeError();
  return parts_of(*request.program, **module, *request.settings);
}

namespace {

/// Does a job whose reply is a module.
/// @param error_status status of the outcome if the job ends with an error
template <class Request>
Built outcome_of(const Request& request, Workbench& bench, Status error_status = Status::failure) {
  auto reply = done(request, [&] { return run(request, bench); });
  if (!reply) return failed(reply.takeError(), error_status);
  return {reply->status, std::move(reply->log), std::move(reply->module)};
}

/// Compiles a source or SPIR-V.
/// @param request without CompileRequest::debug_folder
template <class Request>
Built compiled(Request request, Workbench& bench) {
  auto parsed = parse_options(request.options, request.settings->language);
  if (!parsed) return failed(parsed.takeError(), Status::invalid_options);
  // The source is written here, because a compile server may not be allowed to write files.
  if constexpr (requires { request.debug_folder; })
    if (parsed->debug_info) request.debug_folder = source_on_disk(request.source);
  return outcome_of(request, bench);
}

CompileRequest request_for(const SettingsPtr& settings, std::string_view source, std::string_view options,
                           std::span<const Header> headers = {}) {
  return {settings, std::string(source), std::string(options), {headers.begin(), headers.end()}, {}};
}

CompileIlRequest request_for(const SettingsPtr& settings, std::span<const std::byte> il,
                             std::span<const Specialisation> values, std::string_view options) {
  return {settings, {il.begin(), il.end()}, {values.begin(), values.end()}, std::string(options)};
}

} // namespace

Built compile(const SettingsPtr& settings, std::string_view source, std::string_view options,
              std::span<const Header> headers) {
  Workbench bench;
  return compiled(request_for(settings, source, options, headers), bench);
}

Built compile_il(const SettingsPtr& settings, std::span<const std::byte> il,
                 std::span<const Specialisation> values, std::string_view options) {
  Workbench bench;
  return compiled(request_for(settings, il, values, options), bench);
}

Built link(const SettingsPtr& settings, std::span<const ModulePtr> modules, std::string_view options) {
  auto parsed = parse_options(options, settings->language);
  if (!parsed) return failed(parsed.takeError(), Status::invalid_options);
  // Users of a library may relax maths further whether the library has the option or not.
  if (parsed->enable_link_options && !parsed->create_library)
    return Failed{Status::invalid_options, "error: -enable-link-options needs -create-library\n"};
  if (modules.empty()) return Failed{Status::failure, "error: the list of modules to link is empty\n"};
  if (ModulePtr module = link_nothing(modules, *parsed)) return {Status::success, {}, std::move(module)};
  Workbench bench;
  return outcome_of(LinkRequest{settings, {modules.begin(), modules.end()}, std::string(options)}, bench);
}

Built link(const SettingsPtr& settings, const ModulePtr& module) {
  return link(settings, std::span(&module, 1), {});
}

Built deserialise(const SettingsPtr& settings, std::span<const std::byte> bytes) {
  Workbench bench;
  return outcome_of(CheckRequest{settings, {bytes.begin(), bytes.end()}}, bench, Status::invalid_binary);
}

namespace {

/// Compiles, links and loads a program. If linking changes nothing, loading takes the IR from the workbench: reading it
/// again would take a tenth of the build time of a small program. All steps share a thread.
/// @param make_request returns the CompileRequest or CompileIlRequest
template <class MakeRequest>
Outcome<Program> built(const SettingsPtr& settings, std::shared_ptr<CodeHost> host,
                       MakeRequest make_request) {
  Outcome<Program> result;
  auto take = [&](auto& to, auto outcome) {
    result.log += outcome.log;
    result.status = outcome.status;
    to = std::move(outcome.value);
    return static_cast<bool>(result);
  };
  llvm::Error error = isolate([&] {
    Workbench bench;
    ModulePtr object;
    if (take(object, compiled(make_request(), bench)) && take(result.value.module, link(settings, object)))
      take(result.value.executable, load(settings, result.value.module, bench, std::move(host)));
    return llvm::Error::success();
  });
  if (error) return failed(std::move(error), Status::failure, std::move(result.log));
  return result;
}

} // namespace

Outcome<Program> build(const SettingsPtr& settings, std::string_view source, std::string_view options,
                       std::shared_ptr<CodeHost> host) {
  return built(settings, std::move(host), [&] { return request_for(settings, source, options); });
}

Outcome<Program> build_il(const SettingsPtr& settings, std::span<const std::byte> il,
                          std::span<const Specialisation> values, std::string_view options,
                          std::shared_ptr<CodeHost> host) {
  return built(settings, std::move(host), [&] { return request_for(settings, il, values, options); });
}

} // namespace hostcl::compiler
