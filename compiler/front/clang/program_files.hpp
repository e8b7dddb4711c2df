#pragma once

// The files that the source of a program may read, by #include, #embed and __has_include. The source may come
// from an attacker, and files may change while they are read. So only regular files are opened, and the
// properties that are checked are those of the open descriptor.

#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace hostcl::compiler {

class ProgramFiles final : public llvm::vfs::ProxyFileSystem {
public:
  /// @param is_on whether files are found at all
  explicit ProgramFiles(bool is_on);

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  /// Whether a file was read. The absence of a file only matters for __has_include and __has_embed: the
  /// application's headers and those of the library are found before these files are searched.
  bool was_read() const { return was_read_; }
  /// A sentence that says which file was refused last, and why; empty if none was. clang's own message does
  /// not always say it.
  const std::string& refusal() const { return refusal_; }

private:
  bool is_on_;
  std::string refusal_;
  bool was_read_ = false;
};

} // namespace hostcl::compiler
