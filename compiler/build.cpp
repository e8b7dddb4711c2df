// compile(), link() and build(): source to objects, objects to executables, source to loaded programs.

#include "compiler/build.hpp"
#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/executable.hpp"
#include "compiler/compiler.hpp"
#include "compiler/front/clang/destructors.hpp"
#include "compiler/front/clang/frontend.hpp"
#include "compiler/front/clang/options.hpp"
#include "compiler/front/clang/source_on_disk.hpp"
#include "compiler/front/spirv/module.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/modules/indirect_calls.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/module_message.hpp"
#include "compiler/modules/recursion.hpp"
#include "compiler/modules/undefined_symbols.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/metadata.hpp"
#include "compiler/server/server.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace hostcl::compiler {

namespace {

using Built = Outcome<ModulePtr>;

/// Facts about how the source was compiled, for the passes that see only the module.
void record_options(llvm::Module& module, const Options& options) {
  auto flag = [&](llvm::StringRef name, bool value) {
    if (value) module.addModuleFlag(llvm::Module::Max, name, 1);
  };
  flag(metadata::relaxed_math, options.relaxed_math);
  flag(metadata::flush_denormals, options.flush_denormals);
  flag(metadata::argument_info, options.argument_info);
  flag(metadata::enqueue_errors, options.debug_info);
  flag(metadata::uniform_groups, options.opencl_c_1 || options.uniform_groups);
  for (llvm::Function& function : module)
    if (is_kernel_body(function) && options.has_debug_form(function.getName()))
      function.addFnAttr(metadata::debug_form);
}

/// @param folder that debug information names
CacheKey source_key(std::string_view source, std::string_view options, std::span<const Header> headers,
                    std::string_view folder) {
  std::string header_text;
  for (const Header& header : headers)
    header_text += std::to_string(header.name.size()) + " " + std::to_string(header.source.size()) + " " +
                   header.name + header.source;
  return CacheKey("ir", {source, options, header_text, folder});
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
  auto module = llvm::expectedToOptional(deserialise_own(std::span(end + 1, bytes->end())));
  if (!module) return std::nullopt;
  return Built{Status::success, reinterpret_cast<const char*>(bytes->data()), std::move(*module)};
}

void store_built(const CacheKey& key, const Built& built) {
  if (built.log.find('\0') != built.log.npos) return;
  const auto* log = reinterpret_cast<const std::byte*>(built.log.c_str());
  std::vector<std::byte> bytes(log, log + built.log.size() + 1);
  const std::vector<std::byte> module = serialise(*built.value);
  bytes.insert(bytes.end(), module.begin(), module.end());
  cache_store(key, bytes);
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

Compiled compile_isolated(std::string_view source, const Options& options, std::span<const Header> headers) {
  auto context = std::make_unique<llvm::LLVMContext>();
  FrontendResult result = run_frontend(*context, source, options, headers);
  if (!result.module || !report_recursion(*result.module, result.log))
    return {.object = Failed{Status::failure, std::move(result.log)}};
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
  auto module = spirv::read_module(*context, il, values, options.debug_info);
  if (!module) return {.object = failed(module.takeError())};
  std::string log;
  if (!report_recursion(**module, log)) return {.object = Failed{Status::failure, std::move(log)}};
  record_options(**module, options);
  ModulePtr object = written(**module, ModuleKind::object);
  return {{Status::success, std::move(log), std::move(object)}, std::move(context), std::move(*module), true};
}

/// Returns an object from the disk cache, or else calls `compile`.
Compiled compile_live(std::string_view option_text, llvm::function_ref<CacheKey(const Options&)> key_of,
                      llvm::function_ref<Compiled(Options&)> compile) {
  auto options = parse_options(option_text);
  if (!options) return {.object = failed(options.takeError(), Status::invalid_options)};
  std::optional<CacheKey> key;
  if (cache_is_on()) {
    key = key_of(*options);
    if (auto built = load_built(*key)) return {.object = std::move(*built)};
  }
  Compiled result;
  llvm::Error error = isolate([&] {
    result = compile(*options);
    return llvm::Error::success();
  });
  if (error) result.object = failed(std::move(error));
  if (key && result.reproducible && result.object) store_built(*key, result.object);
  return result;
}

/// Returns the module that a compile server has made; nothing if there is no server.
std::optional<Compiled> served(Task task, llvm::function_ref<void(Packer&)> pack_request) {
  auto reply = ask_for<ModuleOutcome>(task, pack_request);
  if (!reply) return std::nullopt;
  if (!*reply) return Compiled{.object = failed(reply->takeError())};
  const bool reproducible = (*reply)->reproducible;
  return Compiled{.object = std::move(**reply).outcome(), .reproducible = reproducible};
}

/// Writes the source to a file for debuggers, if there is debug information. @returns the file's folder; empty if there
/// is no debug information
std::string folder_of(std::string_view source, const Options& options) {
  return options.debug_info ? source_on_disk(source) : "";
}

std::string working_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

} // namespace

Compiled compile_source(std::string_view source, std::string_view options, std::span<const Header> headers) {
  return compile_live(
      options,
      [&](const Options& parsed) { return source_key(source, options, headers, folder_of(source, parsed)); },
      [&](Options& parsed) {
        folder_of(source, parsed); // here, because a compile server may not be allowed to write files
        auto pack = [&](Packer& request) { request(working_folder(), source, options, headers); };
        if (auto compiled = served(Task::compile, pack)) return std::move(*compiled);
        return compile_isolated(source, parsed, headers);
      });
}

Compiled compile_words(std::span<const std::byte> il, std::span<const Specialisation> values,
                       std::string_view options) {
  return compile_live(
      options, [&](const Options&) { return il_key(il, values, options); },
      [&](Options& parsed) {
        parsed.opencl_c_1 = false; // no rule of that language holds
        auto pack = [&](Packer& request) { request(il, values, options); };
        if (auto compiled = served(Task::compile_il, pack)) return std::move(*compiled);
        return compile_il_isolated(il, values, parsed);
      });
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

Built link_isolated(std::span<const ModulePtr> parts, const Options& options) {
  std::string log;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<LogHandler>(log));
  auto first = read_bitcode(context, *parts.front());
  if (!first) return failed(first.takeError(), Status::invalid_binary);
  llvm::Module& module = **first;
  llvm::Linker linker(module);
  for (const ModulePtr& part : parts.subspan(1)) {
    auto next = read_bitcode(context, *part);
    if (!next) return failed(next.takeError(), Status::failure, std::move(log));
    if (linker.linkInModule(std::move(*next))) return Failed{Status::failure, std::move(log)};
  }
  if (!options.create_library) {
    if (!report_undefined(module, log)) return Failed{Status::failure, std::move(log)};
    lower_function_pointers(module);
    if (!report_recursion(module, log)) return Failed{Status::failure, std::move(log)};
  }
  ModulePtr linked = written(module, linked_kind(options));
  return {Status::success, std::move(log), std::move(linked)};
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
  return compile_source(source, options, headers).object;
}

Outcome<ModulePtr> compile_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                              std::string_view options) {
  return compile_words(il, values, options).object;
}

namespace {

Built link_here_or_served(std::span<const ModulePtr> modules, const Options& options,
                          std::string_view option_text) {
  auto linked = served(Task::link, [&](Packer& request) {
    std::vector<ModuleMessage> parts;
    for (const ModulePtr& module : modules)
      parts.push_back(ModuleMessage::of(*module));
    request(parts, option_text);
  });
  return linked ? std::move(linked->object) : link_isolated(modules, options);
}

/// link(); the options are also given as they are written.
Built link_modules(std::span<const ModulePtr> modules, const Options& options, std::string_view option_text) {
  if (modules.empty()) return Failed{Status::failure, "error: the list of modules to link is empty\n"};
  return isolated([&]() -> Built {
    if (ModulePtr module = link_nothing(modules, options)) return {Status::success, {}, std::move(module)};
    std::optional<CacheKey> key;
    if (cache_is_on()) {
      key = link_key(modules, option_text);
      if (auto built = load_built(*key)) return std::move(*built);
    }
    Built result = link_here_or_served(modules, options, option_text);
    if (key && result) store_built(*key, result);
    return result;
  });
}

} // namespace

Outcome<ModulePtr> link(std::span<const ModulePtr> modules, std::string_view option_text) {
  auto options = parse_options(option_text);
  if (!options) return failed(options.takeError(), Status::invalid_options);
  return link_modules(modules, *options, option_text);
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
    return static_cast<bool>(result);
  };
  llvm::Error error = isolate([&] {
    Compiled compiled = compile();
    ModulePtr object;
    if (!take(object, std::move(compiled.object)) || !take(result.value.module, link(object)))
      return llvm::Error::success();
    // If linking has changed nothing, the IR in memory is the program's IR. Reading the IR again would take a tenth of
    // the build time of a small program.
    const bool in_memory = compiled.live && object->properties().is_complete;
    take(result.value.executable,
         in_memory ? load(result.value.module, *compiled.live) : load(result.value.module));
    return llvm::Error::success();
  });
  if (error) return failed(std::move(error), Status::failure, std::move(result.log));
  return result;
}

} // namespace

Outcome<Program> build(std::string_view source, std::string_view options) {
  return build_compiled([&] { return compile_source(source, options, {}); });
}

Outcome<Program> build_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                          std::string_view options) {
  return build_compiled([&] { return compile_words(il, values, options); });
}

} // namespace hostcl::compiler
