#pragma once

// Source lines for debuggers and reports, from OpLine.

#include "compiler/front/spirv/reader.hpp"

#include "llvm/IR/DIBuilder.h"

#include <memory>

namespace hostcl::compiler::spirv {

class SourceLines {
public:
  /// @param wanted whether the IR should have lines; without any OpLine there are none
  SourceLines(Reader& reader, const Words& words, bool wanted);

  /// Called at a label. The line before the first label of a function is the line of the function.
  void begin_block();
  /// Gives the IR that is built next the current source line. Called before each SPIR-V instruction in a
  /// block is read.
  void apply();
  /// Called at OpFunctionEnd, before the reader forgets the function. Gives each instruction without a
  /// location the line 0 of the function.
  void end_function();
  void end_module();

private:
  llvm::DIFile* file(Id id);
  llvm::DISubprogram* subprogram();

  Reader& reader_;
  std::unique_ptr<llvm::DIBuilder> information_; ///< null if the IR has no lines
  llvm::DICompileUnit* unit_ = nullptr;
};

} // namespace hostcl::compiler::spirv
