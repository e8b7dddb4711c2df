#pragma once

// Objects to callable code, with LLVM ORC and JITLink. One session serves the process; each executable has a
// library of its own, whose memory is given back when the next one is made.

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class MemoryBuffer;
namespace orc {
class JITDylib;
}
} // namespace llvm

namespace hostcl::compiler {

class CodeLibrary {
public:
  static llvm::Expected<std::unique_ptr<CodeLibrary>> create();
  ~CodeLibrary();
  CodeLibrary(const CodeLibrary&) = delete;
  CodeLibrary& operator=(const CodeLibrary&) = delete;

  /// Adds an object, which is linked when one of its symbols is needed.
  llvm::Error add(std::unique_ptr<llvm::MemoryBuffer> object);

  /// Adds and links an object; symbols of earlier objects and the host functions of kernels are visible to
  /// it. If it cannot be linked, it is as if it had never been added.
  /// @returns the address of its symbol `name`
  llvm::Expected<void*> link(std::unique_ptr<llvm::MemoryBuffer> object, llvm::StringRef name);

  /// The address of a symbol of an earlier object.
  llvm::Expected<void*> find(llvm::StringRef name);

private:
  struct Removal;
  CodeLibrary(llvm::orc::JITDylib& library, std::unique_ptr<Removal> removal);
  llvm::orc::JITDylib& library_;
  std::unique_ptr<Removal> removal_;
};

} // namespace hostcl::compiler
