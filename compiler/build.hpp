#pragma once

// compile() and compile_il() with results that only the compiler itself uses.

#include "compiler/compiler.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// An object, and the IR that it was written from unless it comes from the disk cache or from a compile server.
struct Compiled {
  Outcome<ModulePtr> object;
  std::unique_ptr<llvm::LLVMContext> context = nullptr;
  std::unique_ptr<llvm::Module> live = nullptr; ///< the IR, in `context`
  bool reproducible = false;                    ///< see FrontendResult
};

/// For messages of compile servers.
template <class Archive>
void fields(Archive& archive, Header& header) {
  archive(header.name, header.source);
}

Compiled compile_source(std::string_view source, std::string_view options, std::span<const Header> headers);

Compiled compile_words(std::span<const std::byte> il, std::span<const Specialisation> values,
                       std::string_view options);

} // namespace hostcl::compiler
