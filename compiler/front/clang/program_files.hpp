#pragma once

// The files that the source of a program may read: #include, #embed and __has_include. It may have been written by
// an attacker, or the files may change while they are read: only regular files are opened, and what was
// asked of a file is asked of its descriptor.

#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace hostcl::compiler {

class ProgramFiles final : public llvm::vfs::ProxyFileSystem {
public:
  /// @param is_on whether any file is found
  explicit ProgramFiles(bool is_on);

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  /// Whether anything was read. A missing file matters to __has_include and __has_embed alone: given headers and
  /// those of the library are found before these files are searched.
  bool was_read() const { return was_read_; }
  /// Which file was last refused, and why, as a sentence; empty if none was. clang does not always say it.
  const std::string& refusal() const { return refusal_; }

private:
  bool is_on_;
  std::string refusal_;
  bool was_read_ = false;
};

} // namespace hostcl::compiler
