// compile() and link(): source to objects, objects to executables.

#include "compiler/code/executable.hpp"
#include "compiler/compiler.hpp"
#include "compiler/disk_cache.hpp"
#include "compiler/front/destructors.hpp"
#include "compiler/front/frontend.hpp"
#include "compiler/front/options.hpp"
#include "compiler/front/recursion.hpp"
#include "compiler/front/undefined_symbols.hpp"
#include "compiler/ir_module.hpp"
#include "compiler/isolate.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

namespace hostcl::compiler {

namespace {

using Built = Outcome<ModulePtr>;

Built failed(Status status, std::string log) {
  return {status, std::move(log), nullptr};
}

/// Ends a step that ran isolated: a fatal error of LLVM becomes a failure with a log.
Built finish(Built result, const std::string& fatal) {
  if (fatal.empty()) return result;
  Status status = fatal == out_of_memory ? Status::out_of_memory : Status::failure;
  return failed(status, result.log + "error: the compiler gave up: " + fatal + "\n");
}

/// Facts about how the source was compiled, for the passes that see only the module.
void record_options(llvm::Module& module, const Options& options) {
  auto flag = [&](const char* name, bool value) {
    if (value) module.addModuleFlag(llvm::Module::Max, name, 1);
  };
  flag("hostcl.relaxed_math", options.relaxed_math);
  flag("hostcl.flush_denormals", options.flush_denormals);
  flag("hostcl.argument_info", options.argument_info);
  flag("hostcl.uniform_groups", options.opencl_c_1 || options.uniform_groups);
}

CacheKey key_of(std::string_view source, std::string_view options, std::span<const Header> headers) {
  std::string header_text;
  for (const Header& header : headers)
    header_text += std::to_string(header.name.size()) + " " + std::to_string(header.source.size()) + " " +
                   header.name + header.source;
  return CacheKey("ir", {source, options, header_text});
}

/// A cache file holds the log, a null character, and the bitcode.
std::optional<Built> load_built(const CacheKey& key, ModuleKind kind) {
  auto bytes = cache_load(key);
  if (!bytes) return std::nullopt;
  auto end = std::find(bytes->begin(), bytes->end(), std::byte{0});
  if (end == bytes->end()) return std::nullopt;
  std::string log(reinterpret_cast<const char*>(bytes->data()),
                  static_cast<std::size_t>(end - bytes->begin()));
  auto module = std::make_shared<Module>(kind, std::vector(end + 1, bytes->end()));
  return Built{Status::success, std::move(log), std::move(module)};
}

void store_built(const CacheKey& key, const Built& built) {
  if (built.log.find('\0') != built.log.npos) return;
  const auto* log = reinterpret_cast<const std::byte*>(built.log.c_str());
  std::vector<std::byte> bytes(log, log + built.log.size() + 1);
  bytes.insert(bytes.end(), built.value->bitcode().begin(), built.value->bitcode().end());
  cache_store(key, bytes);
}

/// A function that sees a module that has just been compiled while it is in memory, and may change it.
using Witness = llvm::function_ref<void(llvm::Module& module, const Module& object)>;

Built compile_isolated(std::string_view source, const Options& options, std::span<const Header> headers,
                       bool& reproducible, Witness witness) {
  llvm::LLVMContext context;
  FrontendResult result = run_frontend(context, source, options, headers);
  if (!result.module || !report_recursion(*result.module, result.log))
    return failed(Status::failure, std::move(result.log));
  collect_destructors(*result.module);
  record_options(*result.module, options);
  reproducible = result.reproducible;
  auto object = std::make_shared<Module>(ModuleKind::object, write_bitcode(*result.module));
  if (witness) witness(*result.module, *object);
  return {Status::success, std::move(result.log), std::move(object)};
}

/// compile(); the witness does not see modules from the disk cache.
Built compile_source(std::string_view source, std::string_view option_text, std::span<const Header> headers,
                     Witness witness) {
  Options options = parse_options(option_text);
  if (!options.error.empty()) return failed(Status::invalid_options, "error: " + options.error + "\n");
  std::optional<CacheKey> key;
  if (cache_is_on()) {
    key = key_of(source, option_text, headers);
    if (auto built = load_built(*key, ModuleKind::object)) return std::move(*built);
  }
  Built result;
  bool reproducible = false;
  std::string fatal =
      isolate([&] { result = compile_isolated(source, options, headers, reproducible, witness); });
  result = finish(std::move(result), fatal);
  if (key && reproducible && result.status == Status::success) store_built(*key, result);
  return result;
}

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

bool link_into(llvm::Linker& linker, llvm::LLVMContext& context, const Module& part, std::string& log) {
  auto module = read_bitcode(context, part);
  if (!module) {
    log += "error: " + llvm::toString(module.takeError()) + "\n";
    return false;
  }
  return !linker.linkInModule(std::move(*module));
}

ModuleKind linked_kind(const Options& options) {
  return options.create_library ? ModuleKind::library : ModuleKind::executable;
}

/// Whether declarations show that a part can be used as it is: all functions that it calls are defined or
/// provided. compile() ensures that no function of an object calls itself; for a library this is known where
/// there are kernels only.
bool is_complete(const llvm::Module& part, ModuleKind kind) {
  return !leaves_undefined(part) && llvm::all_of(part.functions(), [&](const llvm::Function& function) {
    // clang puts a kernel's code into a function of this name.
    return kind == ModuleKind::object || function.isDeclaration() ||
           function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
           function.getName().starts_with("__clang_ocl_kern_imp_");
  });
}

bool is_complete(const Module& part) {
  llvm::LLVMContext context;
  auto module = read_declarations(context, part);
  if (!module) {
    llvm::consumeError(module.takeError());
    return false; // reported when the whole module is read
  }
  return is_complete(**module, part.kind());
}

ModulePtr copy_as(ModuleKind kind, const Module& module) {
  return std::make_shared<Module>(kind, std::vector(module.bitcode().begin(), module.bitcode().end()));
}

/// The linked module where linking changes nothing, or null.
ModulePtr link_nothing(std::span<const ModulePtr> parts, const Options& options) {
  if (parts.size() > 1 || !(options.create_library || is_complete(*parts.front()))) return nullptr;
  return copy_as(linked_kind(options), *parts.front());
}

Built link_isolated(std::span<const ModulePtr> parts, const Options& options) {
  Built result;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<LogHandler>(result.log));
  auto first = read_bitcode(context, *parts.front());
  if (!first) return failed(Status::invalid_binary, "error: " + llvm::toString(first.takeError()) + "\n");
  llvm::Module& module = **first;
  llvm::Linker linker(module);
  for (const ModulePtr& part : parts.subspan(1))
    if (!link_into(linker, context, *part, result.log)) return failed(Status::failure, std::move(result.log));

  if (!options.create_library &&
      (!report_undefined(module, result.log) || !report_recursion(module, result.log)))
    return failed(Status::failure, std::move(result.log));
  result.status = Status::success;
  result.value = std::make_shared<Module>(linked_kind(options), write_bitcode(module));
  return result;
}

CacheKey link_key(std::span<const ModulePtr> parts, std::string_view options) {
  std::string text;
  for (const ModulePtr& part : parts) {
    text += std::to_string(part->bitcode().size()) + " ";
    text.append(reinterpret_cast<const char*>(part->bitcode().data()), part->bitcode().size());
  }
  return CacheKey("link", {options, text});
}

} // namespace

Outcome<ModulePtr> compile(std::string_view source, std::string_view options,
                           std::span<const Header> headers) {
  return compile_source(source, options, headers, nullptr);
}

namespace {

/// link(); the options are also given as they are written.
Built link_modules(std::span<const ModulePtr> modules, const Options& options, std::string_view option_text) {
  if (modules.empty()) return failed(Status::failure, "error: nothing to link\n");
  Built result;
  std::string fatal = isolate([&] {
    if (ModulePtr module = link_nothing(modules, options)) {
      result = {Status::success, {}, std::move(module)};
      return;
    }
    std::optional<CacheKey> key;
    if (cache_is_on()) {
      key = link_key(modules, option_text);
      if (auto built = load_built(*key, linked_kind(options))) {
        result = std::move(*built);
        return;
      }
    }
    result = link_isolated(modules, options);
    if (key && result.status == Status::success) store_built(*key, result);
  });
  return finish(std::move(result), fatal);
}

} // namespace

Outcome<ModulePtr> link(std::span<const ModulePtr> modules, std::string_view option_text) {
  Options options = parse_options(option_text);
  if (!options.error.empty()) return failed(Status::invalid_options, "error: " + options.error + "\n");
  return link_modules(modules, options, option_text);
}

Outcome<ModulePtr> link(const ModulePtr& module) {
  return link_modules(std::span(&module, 1), {}, {});
}

Outcome<Program> build(std::string_view source, std::string_view options) {
  Outcome<Program> result;
  auto take = [&](auto& to, auto outcome) {
    result.log += outcome.log;
    result.status = outcome.status;
    to = std::move(outcome.value);
    return result.status == Status::success;
  };
  // A module that needs no linking is loaded from memory: reading it again would take a tenth of the time.
  std::optional<Outcome<std::shared_ptr<Executable>>> loaded;
  auto load_complete = [&](llvm::Module& module, const Module& object) {
    if (!is_complete(module, object.kind())) return;
    result.value.module = copy_as(ModuleKind::executable, object);
    loaded = load(result.value.module, module);
  };
  std::string fatal = isolate([&] {
    ModulePtr object;
    if (!take(object, compile_source(source, options, {}, load_complete))) return;
    if (loaded)
      take(result.value.executable, std::move(*loaded));
    else if (take(result.value.module, link(object)))
      take(result.value.executable, load(result.value.module));
  });
  if (fatal.empty()) return result;
  return {fatal == out_of_memory ? Status::out_of_memory : Status::failure, std::move(result.log), {}};
}

} // namespace hostcl::compiler
