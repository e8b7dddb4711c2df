#pragma once

// Lines of the source for debuggers and reports, as OpLine has them.

#include "compiler/front/spirv/reader.hpp"

#include "llvm/IR/DIBuilder.h"

#include <memory>
#include <optional>

namespace hostcl::compiler::spirv {

class SourceLines {
public:
  /// @param wanted whether the module is to have lines at all; it has none without OpLine
  SourceLines(Reader& reader, const Words& words, bool wanted);

  /// The instructions that come next are from this one.
  void set_line(const Instruction& instruction);
  /// At a label: the line before the first one of a function is the function's.
  void begin_block();
  /// Call it before code is made of an instruction in a block.
  void apply();
  /// Call it before the end of a function's instructions is read.
  void end_function();
  void end_module();

private:
  struct Place {
    Id file;
    unsigned line, column;
  };
  llvm::DIFile* file(Id id);
  llvm::DISubprogram* subprogram();

  Reader& reader_;
  std::optional<Place> place_;
  std::unique_ptr<llvm::DIBuilder> information_; ///< null: there are no lines
  llvm::DICompileUnit* unit_ = nullptr;
};

} // namespace hostcl::compiler::spirv
