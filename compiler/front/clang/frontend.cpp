#include "compiler/front/clang/frontend.hpp"

#include "builtins/library.hpp"
#include "compiler/front/clang/blocks.hpp"
#include "compiler/front/clang/coverage/coverage.hpp"
#include "compiler/front/clang/language.hpp"
#include "compiler/front/clang/prefix_header.hpp"
#include "compiler/front/clang/program_files.hpp"
#include "compiler/front/clang/visitors.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/modules/undefined_symbols.hpp"

#include "clang/Basic/DiagnosticSerialization.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>

namespace hostcl::compiler {

namespace {

namespace vfs = llvm::vfs;

// Folders that only exist in memory. Headers of the application are in a folder of their own, so that they
// cannot replace headers of the library.
constexpr const char* library_folder = "/hostcl/library";
constexpr const char* headers_folder = "/hostcl/headers";

void add_file(vfs::InMemoryFileSystem& files, std::string path, std::string_view text) {
  files.addFile(path, 0,
                llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path));
}

/// @param names null without coverage
llvm::IntrusiveRefCntPtr<vfs::OverlayFileSystem> file_system(llvm::IntrusiveRefCntPtr<ProgramFiles> disk,
                                                             const CompileRequest& request,
                                                             const CoverageNames* names) {
  auto memory = llvm::makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  add_file(*memory, std::string(library_folder) + "/opencl-c-base.h", opencl_base_header());
  add_file(*memory, std::string(library_folder) + "/hostcl.h", builtins::header());
  for (const auto& [name, text] : builtins::embedded_headers())
    add_file(*memory, std::string(library_folder) + "/" + std::string(name), text);
  for (const Header& header : request.headers)
    add_file(*memory, std::string(headers_folder) + "/" + header.name, header.source);
  if (names) add_file(*memory, names->source_path(), request.source);
  auto overlay = llvm::makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(disk));
  overlay->pushOverlay(memory);
  return overlay;
}

/// The headers that declare the names which the program mentions: in its source, in its headers, or in a
/// definition.
std::vector<std::string> included_headers(std::string_view source, const Options& options,
                                          std::span<const Header> headers) {
  std::vector<std::string> names = {"opencl-c-base.h", "hostcl.h"};
  auto add = [&](std::string_view text) {
    for (std::string_view name : builtins::headers_for(text))
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  add(source);
  for (const std::string& word : options.frontend)
    add(word);
  for (const Header& header : headers)
    add(header.source);
  return names;
}

/// The definition of __OPENCL_VERSION__, as an argument of clang.
std::string version_macro(const Language& language) {
  if (language.device_version == 0) return "-D__OPENCL_VERSION__=310";
  const std::uint32_t major = language.device_version >> 22, minor = language.device_version >> 12 & 0x3ff;
  return "-D__OPENCL_VERSION__=" + std::to_string(100 * major + 10 * minor);
}

/// Makes a folder's path absolute, because reports name headers by absolute paths.
void make_absolute(std::string& folder) {
  llvm::SmallString<128> path(folder);
  if (llvm::sys::fs::make_absolute(path)) return;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  folder = path.str();
}

/// @param names null without coverage
std::vector<std::string> command_line(const CompileRequest& request, const Options& options,
                                      const CoverageNames* names) {
  const Language& language = request.settings->language;
  std::vector<std::string> line = {
      "-triple", "spir64", "-emit-llvm-bc", "-disable-llvm-passes", "-disable-llvm-verifier", "-O2", "-x",
      "cl", "-main-file-name", source_name, "-nostdsysteminc", "-mframe-pointer=none", "-internal-isystem",
      library_folder, "-fdeclare-opencl-builtins", "-fno-threadsafe-statics",
      "-fno-use-cxa-atexit", // see destructors.hpp
      // Complex products and quotients become instructions, not calls of a library.
      "-complex-range=basic",
      // An atomic operation on a type without an instruction of its size would become a call as well.
      "-Werror=atomic-alignment", version_macro(language), "-DCL_VERSION_3_1=310", "-fno-validate-pch",
      "-fmessage-length=0", "-disable-pragma-debug-crash", "-cl-ext=" + extension_argument(language)};
  for (std::string& macro : missing_macros(language))
    line.push_back(std::move(macro));
  for (const std::string& name : included_headers(request.source, options, request.headers))
    line.insert(line.end(), {"-include", std::string(library_folder) + "/" + name});
  // Headers of the application take precedence over files (OpenCL 3.0 API, 5.8.3).
  if (!request.headers.empty()) line.insert(line.end(), {"-iquote", headers_folder, "-I", headers_folder});
  line.insert(line.end(), {"-iquote", "."});
  // An error in clang 22, but only a warning in earlier versions, on which existing programs rely.
  if (std::ranges::find(options.frontend, "-Werror") == options.frontend.end())
    line.push_back("-Wno-error=incompatible-pointer-types");
  line.insert(line.end(), options.frontend.begin(), options.frontend.end());
  // Names of arguments are only returned if requested, but their sizes and types are always needed.
  if (!options.argument_info) line.push_back("-cl-kernel-arg-info");
  if (request.settings->has_checks() || request.settings->statistics) // findings and profiles show the source
    line.insert(line.end(), {"-debug-info-kind=line-tables-only", "-dwarf-version=5", "-gembed-source"});
  else if (options.debug_info)
    line.insert(line.end(), {"-debug-info-kind=limited", "-dwarf-version=5"});
  if (names) {
    // By default, clang searches the folder `include` as one with system headers, in which it counts nothing.
    line.insert(line.end(), {"-nobuiltininc", "-I", "include"});
    for (std::size_t i = 1; i < line.size(); ++i)
      if (line[i - 1] == "-I" || line[i - 1] == "-iquote") make_absolute(line[i]);
    const std::vector<std::string> arguments = names->arguments(headers_folder);
    line.insert(line.end(), arguments.begin(), arguments.end());
  }
  line.push_back(source_name);
  return line;
}

/// Makes the compiler read a precompiled header instead of the headers in front of a program.
void use_prefix(clang::CompilerInvocation& invocation, const llvm::SmallVectorImpl<char>& prefix,
                vfs::OverlayFileSystem& files) {
  std::string path = std::string(library_folder) + "/prefix.pch";
  auto memory = llvm::makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  memory->addFile(path, 0,
                  llvm::MemoryBuffer::getMemBuffer({prefix.data(), prefix.size()}, path,
                                                   /*RequiresNullTerminator=*/false));
  files.pushOverlay(memory);
  invocation.getPreprocessorOpts().ImplicitPCHInclude = path;
}

/// Records whether a program uses the time (__TIME__ and similar macros), or tests which files exist.
class OutsideInputs final : public clang::PPCallbacks {
public:
  explicit OutsideInputs(bool& used) : used_(used) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (!macro || !macro->isBuiltinMacro()) return;
    llvm::StringRef text = name.getIdentifierInfo()->getName();
    used_ |= text == "__TIME__" || text == "__DATE__" || text == "__TIMESTAMP__";
  }
  void HasInclude(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    used_ = true;
  }
  void HasEmbed(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef) override {
    used_ = true;
  }

private:
  bool& used_;
};

/// Runs the visitors of visitors.hpp before the code generator.
class Visits final : public clang::ASTConsumer {
public:
  Visits(clang::CompilerInstance& compiler, const Language& language)
      : compiler_(compiler), language_(language) {}

  void Initialize(clang::ASTContext&) override {
    finder_ = make_unsupported_finder(compiler_);
    if (!language_.lacks.empty()) missing_ = make_missing_finder(compiler_, language_);
    if (compiler_.getLangOpts().Blocks) repairer_ = make_enqueue_repairer(compiler_);
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      finder_->TraverseDecl(declaration);
      if (missing_ && !is_of_library(*declaration)) missing_->TraverseDecl(declaration);
      // In C, an inline definition alone provides no external definition, but the host needs one of each kernel.
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
          function && function->hasAttr<clang::DeviceKernelAttr>())
        function->setInlineSpecified(false);
      if (repairer_) repairer_->TraverseDecl(declaration);
    }
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (compiler_.getDiagnostics().hasErrorOccurred()) return;
    const auto checker = make_restriction_checker(compiler_, language_);
    // Declarations of a precompiled header are skipped: built-ins need no check, and loading their
    // declarations takes time.
    const llvm::SmallVector<clang::Decl*, 32> written(context.getTranslationUnitDecl()->noload_decls());
    for (clang::Decl* declaration : written)
      checker->TraverseDecl(declaration);
  }

private:
  /// Whether a declaration is in one of the headers that the driver puts in front of each program.
  bool is_of_library(const clang::Decl& declaration) const {
    const clang::SourceManager& sources = compiler_.getSourceManager();
    const clang::SourceLocation where = sources.getExpansionLoc(declaration.getLocation());
    return where.isInvalid() || sources.getFilename(where).starts_with(library_folder);
  }

  clang::CompilerInstance& compiler_;
  const Language& language_;
  std::unique_ptr<Visitor> finder_, missing_, repairer_;
};

/// Runs the code generator alone. clang's EmitLLVMOnlyAction would also set up an optimiser for each program.
class GeneratorAction : public clang::ASTFrontendAction {
public:
  explicit GeneratorAction(llvm::LLVMContext& context) : context_(context) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    auto generator = clang::CreateLLVMCodeGen(compiler, file, context_);
    generator_ = generator.get();
    return generator;
  }
  std::unique_ptr<llvm::Module> release_module() {
    return std::unique_ptr<llvm::Module>(generator_->ReleaseModule());
  }
  clang::CodeGenerator& generator() { return *generator_; }

private:
  llvm::LLVMContext& context_;
  clang::CodeGenerator* generator_ = nullptr;
};

/// Runs the code generator as clang itself does: CreateLLVMCodeGen() alone does not describe coverage.
class CoverageAction : public clang::EmitLLVMOnlyAction {
public:
  explicit CoverageAction(llvm::LLVMContext& context) : EmitLLVMOnlyAction(&context) {}

protected:
  /// Gives the source the name that it has without coverage, for __FILE__ and debug information, as `#line 1` before
  /// its first line would. Coverage data do not follow `#line`.
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    clang::SourceManager& sources = compiler.getSourceManager();
    const unsigned line_after_first = 2; // the directive would be in the first line
    sources.AddLineNote(sources.getLocForStartOfFile(sources.getMainFileID()), line_after_first,
                        static_cast<int>(sources.getLineTableFilenameID(source_name)), /*IsFileEntry=*/false,
                        /*IsFileExit=*/false, clang::SrcMgr::C_User);
    return EmitLLVMOnlyAction::CreateASTConsumer(compiler, file);
  }
  std::unique_ptr<llvm::Module> release_module() {
    EmitLLVMOnlyAction::EndSourceFileAction();
    return takeModule();
  }
  clang::CodeGenerator& generator() { return *getCodeGenerator(); }
};

/// Runs the checks that clang does not make, and then the code generator.
/// @tparam Action how the code generator runs
template <class Action>
class KernelAction final : public Action {
public:
  KernelAction(llvm::LLVMContext& context, const Language& language) : Action(context), language_(language) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<Visits>(compiler, language_));
    consumers.push_back(Action::CreateASTConsumer(compiler, file));
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<OutsideInputs>(used_outside_inputs_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  /// Null if there were errors.
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }
  bool used_outside_inputs() const { return used_outside_inputs_; }

private:
  void EndSourceFileAction() override {
    module_ = Action::release_module();
    if (!module_) return;
    prepare_blocks(*module_);
    note_declarations(*module_, [&](llvm::StringRef name) { return place_of(name); });
  }

  std::string place_of(llvm::StringRef name) {
    const clang::Decl* declaration = Action::generator().GetDeclForMangledName(name);
    if (!declaration) return {};
    const auto place =
        this->getCompilerInstance().getSourceManager().getPresumedLoc(declaration->getLocation());
    if (place.isInvalid()) return {};
    return (llvm::Twine(place.getFilename()) + ":" + llvm::Twine(place.getLine()) + ":" +
            llvm::Twine(place.getColumn()))
        .str();
  }

  const Language& language_;
  bool used_outside_inputs_ = false;
  std::unique_ptr<llvm::Module> module_;
};

/// Prints messages in clang's format, as far as clang can print them.
class MessagePrinter final : public clang::TextDiagnosticPrinter {
public:
  MessagePrinter(llvm::raw_ostream& stream, clang::DiagnosticOptions& options)
      : TextDiagnosticPrinter(stream, options), options_(options) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    // The precompiled header is in the driver's memory (prefix_header.hpp), so the header is not damaged: the compiler
    // had no memory to decompress a part of the header.
    if (info.getID() == clang::diag::err_fe_ast_file_malformed) leave_for_memory();
    options_.ShowLineNumbers = !is_beyond_numbers(info);
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
  }

private:
  /// For the largest line numbers, clang's loop that counts digits does not end.
  static bool is_beyond_numbers(const clang::Diagnostic& info) {
    constexpr unsigned most = 1'000'000'000;
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return false;
    const auto place = info.getSourceManager().getPresumedLoc(info.getLocation());
    constexpr unsigned most_lines_of_message = 1'000'000;
    return place.isValid() && place.getLine() >= most - most_lines_of_message;
  }

  clang::DiagnosticOptions& options_;
};

} // namespace

FrontendResult run_frontend(llvm::LLVMContext& context, const CompileRequest& request,
                            const Options& options) {
  FrontendResult result;
  llvm::raw_string_ostream stream(result.log);
  clang::DiagnosticOptions diagnostic_options;
  MessagePrinter printer(stream, diagnostic_options);
  const bool may_read = request.settings->reads_files && options.reads_files;
  auto disk = llvm::makeIntrusiveRefCnt<ProgramFiles>(may_read);
  std::optional<CoverageNames> names;
  if (request.settings->coverage) names.emplace(request);
  auto files = file_system(disk, request, names ? &*names : nullptr);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, diagnostic_options, &printer,
                                                                /*ShouldOwnClient=*/false);

  std::vector<std::string> line = command_line(request, options, names ? &*names : nullptr);
  std::vector<const char*> arguments;
  for (const std::string& word : line)
    arguments.push_back(word.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics)) return result;
  auto text = llvm::MemoryBuffer::getMemBuffer(request.source, source_name);
  clang::FrontendInputFile& input = invocation->getFrontendOpts().Inputs.front();
  // clang describes coverage only for sources that are files, here in the file system in memory.
  input = names ? clang::FrontendInputFile(names->source_path(), input.getKind())
                : clang::FrontendInputFile(text->getMemBufferRef(), input.getKind());

  auto prefix = precompiled_prefix(line, files);
  if (prefix) use_prefix(*invocation, *prefix, *files);
  if (options.debug_info) invocation->getCodeGenOpts().DebugCompilationDir = request.debug_folder;

  clang::CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(llvm::nulls());
  const LongStep step;
  bool used_outside_inputs = false;
  const auto run = [&](auto action) {
    if (compiler.ExecuteAction(action)) result.module = action.take_module();
    used_outside_inputs = action.used_outside_inputs();
  };
  if (names)
    run(KernelAction<CoverageAction>(context, request.settings->language));
  else
    run(KernelAction<GeneratorAction>(context, request.settings->language));
  if (names && result.module)
    keep_coverage_data(*result.module, coverage_variables(*result.module), names->headers,
                       names->sources(request));
  if (names) { // messages do not follow `#line`
    const std::string path = names->source_path();
    for (std::size_t at; (at = result.log.find(path)) != result.log.npos;)
      result.log.replace(at, path.size(), source_name);
  }
  const bool misses_file = result.log.find("file not found") != result.log.npos;
  if (!may_read && misses_file)
    result.log += "note: no file was read, because of HOSTCL_INCLUDE=0 or -cl-hostcl-no-include\n";
  if (misses_file && !disk->refusal().empty()) result.log += "note: " + disk->refusal() + "\n";
  result.reproducible = !disk->was_read() && !used_outside_inputs;
  return result;
}

} // namespace hostcl::compiler
