// compile(), link() and build(): source to objects, objects to executables, source to loaded programs.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/executable.hpp"
#include "compiler/compiler.hpp"
#include "compiler/front/clang/destructors.hpp"
#include "compiler/front/clang/frontend.hpp"
#include "compiler/front/clang/options.hpp"
#include "compiler/front/spirv/module.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/recursion.hpp"
#include "compiler/modules/undefined_symbols.hpp"
#include "compiler/passes/marks.hpp"

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
  auto flag = [&](llvm::StringRef name, bool value) {
    if (value) module.addModuleFlag(llvm::Module::Max, name, 1);
  };
  flag(marks::relaxed_math, options.relaxed_math);
  flag(marks::flush_denormals, options.flush_denormals);
  flag(marks::argument_info, options.argument_info);
  flag(marks::enqueue_errors, options.debug_info);
  flag(marks::uniform_groups, options.opencl_c_1 || options.uniform_groups);
}

CacheKey key_of(std::string_view source, std::string_view options, std::span<const Header> headers) {
  std::string header_text;
  for (const Header& header : headers)
    header_text += std::to_string(header.name.size()) + " " + std::to_string(header.source.size()) + " " +
                   header.name + header.source;
  return CacheKey("ir", {source, options, header_text});
}

CacheKey il_key(std::span<const std::byte> il, std::span<const Specialisation> values,
                std::string_view options) {
  std::string constants;
  for (const Specialisation& value : values)
    constants += std::to_string(value.id) + "=" + std::to_string(value.bits) + " ";
  return CacheKey(
      "il", {std::string_view(reinterpret_cast<const char*>(il.data()), il.size()), options, constants});
}

/// A cache file holds the log, a null character, and the module as serialise() writes it.
std::optional<Built> load_built(const CacheKey& key) {
  auto bytes = cache_load(key);
  if (!bytes) return std::nullopt;
  auto end = std::find(bytes->begin(), bytes->end(), std::byte{0});
  if (end == bytes->end()) return std::nullopt;
  Built built = deserialise_own(std::span(end + 1, bytes->end()));
  if (built.status != Status::success) return std::nullopt;
  built.log.assign(reinterpret_cast<const char*>(bytes->data()));
  return built;
}

void store_built(const CacheKey& key, const Built& built) {
  if (built.log.find('\0') != built.log.npos) return;
  const auto* log = reinterpret_cast<const std::byte*>(built.log.c_str());
  std::vector<std::byte> bytes(log, log + built.log.size() + 1);
  const std::vector<std::byte> module = serialise(*built.value);
  bytes.insert(bytes.end(), module.begin(), module.end());
  cache_store(key, bytes);
}

/// Computes ModuleFacts::is_complete. Objects and executables have passed report_recursion(); libraries have not,
/// but those of kernels alone do not need to.
bool is_complete(const llvm::Module& module, ModuleKind kind) {
  return !leaves_undefined(module) && llvm::all_of(module.functions(), [&](const llvm::Function& function) {
    // clang puts a kernel's code into a function of this name.
    return kind != ModuleKind::library || function.isDeclaration() ||
           function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
           function.getName().starts_with("__clang_ocl_kern_imp_");
  });
}

ModulePtr written(const llvm::Module& module, ModuleKind kind) {
  return std::make_shared<Module>(ModuleFacts{kind, is_complete(module, kind)}, write_bitcode(module));
}

/// An object, and the IR that it was written from unless it comes from the disk cache.
struct Compiled {
  Built object;
  std::unique_ptr<llvm::LLVMContext> context = nullptr;
  std::unique_ptr<llvm::Module> live = nullptr; ///< in that context
  bool reproducible = false;                    ///< as in FrontendResult
};

Compiled compile_isolated(std::string_view source, const Options& options, std::span<const Header> headers) {
  auto context = std::make_unique<llvm::LLVMContext>();
  FrontendResult result = run_frontend(*context, source, options, headers);
  if (!result.module || !report_recursion(*result.module, result.log))
    return {.object = failed(Status::failure, std::move(result.log))};
  collect_destructors(*result.module);
  record_options(*result.module, options);
  ModulePtr object = written(*result.module, ModuleKind::object);
  return {{Status::success, std::move(result.log), std::move(object)},
          std::move(context),
          std::move(result.module),
          result.reproducible};
}

Compiled compile_il_isolated(std::span<const std::byte> il, std::span<const Specialisation> values,
                             const Options& options) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::string log;
  std::unique_ptr<llvm::Module> module = spirv::read_module(*context, il, values, log);
  if (!module || !report_recursion(*module, log)) return {.object = failed(Status::failure, std::move(log))};
  record_options(*module, options);
  ModulePtr object = written(*module, ModuleKind::object);
  return {{Status::success, std::move(log), std::move(object)}, std::move(context), std::move(module), true};
}

/// compile_il(), which also returns the IR.
Compiled compile_il_live(std::span<const std::byte> il, std::span<const Specialisation> values,
                         std::string_view option_text) {
  Options options = parse_options(option_text);
  if (!options.error.empty())
    return {.object = failed(Status::invalid_options, "error: " + options.error + "\n")};
  options.opencl_c_1 = false; // no rule of that language holds
  std::optional<CacheKey> key;
  if (cache_is_on()) {
    key = il_key(il, values, option_text);
    if (auto built = load_built(*key)) return {.object = std::move(*built)};
  }
  Compiled result;
  std::string fatal = isolate([&] { result = compile_il_isolated(il, values, options); });
  result.object = finish(std::move(result.object), fatal);
  if (key && result.object.status == Status::success) store_built(*key, result.object);
  return result;
}

/// compile(), which also returns the IR.
Compiled compile_live(std::string_view source, std::string_view option_text,
                      std::span<const Header> headers) {
  Options options = parse_options(option_text);
  if (!options.error.empty())
    return {.object = failed(Status::invalid_options, "error: " + options.error + "\n")};
  std::optional<CacheKey> key;
  if (cache_is_on()) {
    key = key_of(source, option_text, headers);
    if (auto built = load_built(*key)) return {.object = std::move(*built)};
  }
  Compiled result;
  std::string fatal = isolate([&] { result = compile_isolated(source, options, headers); });
  result.object = finish(std::move(result.object), fatal);
  if (key && result.reproducible && result.object.status == Status::success) store_built(*key, result.object);
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

/// The linked module where linking changes nothing, or null.
ModulePtr link_nothing(std::span<const ModulePtr> parts, const Options& options) {
  const Module& first = *parts.front();
  if (parts.size() > 1 || !(options.create_library || first.facts().is_complete)) return nullptr;
  return std::make_shared<Module>(ModuleFacts{linked_kind(options), first.facts().is_complete},
                                  std::vector(first.bitcode().begin(), first.bitcode().end()));
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
  result.value = written(module, linked_kind(options));
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
  return compile_live(source, options, headers).object;
}

Outcome<ModulePtr> compile_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                              std::string_view options) {
  return compile_il_live(il, values, options).object;
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
      if (auto built = load_built(*key)) {
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

namespace {

/// Links and loads what `compile` returns.
Outcome<Program> build_compiled(llvm::function_ref<Compiled()> compile) {
  Outcome<Program> result;
  auto take = [&](auto& to, auto outcome) {
    result.log += outcome.log;
    result.status = outcome.status;
    to = std::move(outcome.value);
    return result.status == Status::success;
  };
  std::string fatal = isolate([&] {
    Compiled compiled = compile();
    ModulePtr object;
    if (!take(object, std::move(compiled.object)) || !take(result.value.module, link(object))) return;
    // Where linking has changed nothing, the IR in memory is the program's. Reading it again would take a tenth
    // of the time that a small program takes.
    const bool in_memory = compiled.live && object->facts().is_complete;
    take(result.value.executable,
         in_memory ? load(result.value.module, *compiled.live) : load(result.value.module));
  });
  if (fatal.empty()) return result;
  return {fatal == out_of_memory ? Status::out_of_memory : Status::failure, std::move(result.log), {}};
}

} // namespace

Outcome<Program> build(std::string_view source, std::string_view options) {
  return build_compiled([&] { return compile_live(source, options, {}); });
}

Outcome<Program> build_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                          std::string_view options) {
  return build_compiled([&] { return compile_il_live(il, values, options); });
}

} // namespace hostcl::compiler
