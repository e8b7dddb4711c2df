#include "compiler/front/clang/prefix_header.hpp"

#include "compiler/isolation/guard.hpp"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

/// The number of programs with the same command line after which a precompiled header is made.
constexpr unsigned programs_before = 8;
/// The most command lines that are remembered. A precompiled header takes a few hundred kilobytes.
constexpr std::size_t max_lines = 64;

using Bytes = std::shared_ptr<const llvm::SmallVectorImpl<char>>;

/// Parses the headers that the command line includes, and keeps the result in memory.
class PrefixAction final : public clang::ASTFrontendAction {
public:
  explicit PrefixAction(std::shared_ptr<clang::PCHBuffer> buffer) : buffer_(std::move(buffer)) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(),
                                                 "prefix.pch", "", buffer_, compiler.getCodeGenOpts(),
                                                 compiler.getFrontendOpts().ModuleFileExtensions);
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

private:
  std::shared_ptr<clang::PCHBuffer> buffer_;
};

Bytes precompile(llvm::ArrayRef<std::string> line, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  clang::DiagnosticOptions options;
  clang::IgnoringDiagConsumer ignored;
  auto diagnostics =
      clang::CompilerInstance::createDiagnostics(*files, options, &ignored, /*ShouldOwnClient=*/false);
  std::vector<const char*> arguments;
  for (const std::string& word : line)
    arguments.push_back(word.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, *diagnostics)) return nullptr;
  auto nothing = llvm::MemoryBuffer::getMemBuffer("", "prefix.cl");
  clang::FrontendInputFile& input = invocation->getFrontendOpts().Inputs.front();
  input = clang::FrontendInputFile(nothing->getMemBufferRef(), input.getKind());

  clang::CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(files);
  compiler.createDiagnostics(&ignored, /*ShouldOwnClient=*/false);
  auto buffer = std::make_shared<clang::PCHBuffer>();
  PrefixAction action(buffer);
  const LongStep step;
  if (!compiler.ExecuteAction(action) || !buffer->IsComplete) return nullptr;
  return {buffer, &buffer->Data};
}

struct Line {
  unsigned programs = 0;
  Bytes bytes;
};

} // namespace

Bytes precompiled_prefix(llvm::ArrayRef<std::string> line,
                         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  // Never destroyed, because programs may be built while static objects are destroyed.
  static std::mutex& mutex = *new std::mutex;
  static auto& lines = *new std::map<std::string, Line>;
  std::string key = llvm::join(line, std::string_view("\0", 1));
  {
    std::scoped_lock lock(mutex);
    if (lines.size() > max_lines) lines.clear();
    Line& known = lines[key];
    if (++known.programs != programs_before + 1) return known.bytes;
  }
  Bytes bytes = precompile(line, std::move(files));
  std::scoped_lock lock(mutex);
  return lines[key].bytes = bytes;
}

} // namespace hostcl::compiler
