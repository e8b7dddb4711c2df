#pragma once

// Source lines for debuggers and reports, from OpLine and from the sets of instructions for debug information.

#include "compiler/front/spirv/lines/line_counts.hpp"
#include "compiler/front/spirv/reader.hpp"

#include "llvm/IR/DIBuilder.h"

#include <memory>

namespace hostcl::compiler::spirv {

class SourceLines {
public:
  /// @param wanted whether the IR should have lines, as far as the module has them
  SourceLines(Reader& reader, bool wanted);

  /// Notes what an instruction says of sources, lines and branches. Called before each instruction is read.
  void note(const Instruction& instruction);
  /// Called at a label. The line before the first label of a function is the line of the function.
  void begin_block();
  /// Gives the IR that is built next the current source line. Called before each SPIR-V instruction in a
  /// block is read.
  void apply();
  /// Called at OpFunctionEnd, before the reader forgets the function. Gives each instruction without a
  /// location the line 0 of the function.
  void end_function();
  /// Makes the module count how often its lines run (HOSTCL_COVERAGE).
  void count() const;
  void end_module();

private:
  void note_source(Operands in);
  void note_debug_instruction(Operands in);
  void begin_text(Id file, std::string_view text);
  void continue_text(std::string_view text);
  llvm::DIFile* file(Id id);
  llvm::DISubprogram* subprogram();

  Reader& reader_;
  std::unique_ptr<llvm::DIBuilder> information_; ///< null if no lines are wanted
  llvm::DICompileUnit* unit_ = nullptr;          ///< null as long as the module has no line
  llvm::DenseMap<Id, Id> sources_;               ///< the file of each DebugSource
  llvm::MapVector<Id, std::string> texts_;       ///< the text of each file that has one
  Id last_text_ = 0;                             ///< the file whose text may be continued
  llvm::DenseMap<Id, Place> definitions_;        ///< by the id of the OpFunction or of the DebugFunction
  Place definition_;                             ///< the definition of the function that is being read
  Blocks branching_;                             ///< the blocks that end with OpBranchConditional
};

} // namespace hostcl::compiler::spirv
