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

  /// Adds an object; symbols of earlier objects and the host functions of kernels are visible to it.
  llvm::Error add(std::unique_ptr<llvm::MemoryBuffer> object);

  /// Links what `name` needs and returns its address.
  llvm::Expected<void*> find(llvm::StringRef name);

private:
  struct Removal;
  CodeLibrary(llvm::orc::JITDylib& library, std::unique_ptr<Removal> removal);
  llvm::orc::JITDylib& library_;
  std::unique_ptr<Removal> removal_;
};

} // namespace hostcl::compiler
