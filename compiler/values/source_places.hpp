#pragma once

// Source locations of instructions, and constant texts that machine code refers to.

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Constant;
class DIFile;
class Instruction;
class Module;
} // namespace llvm

namespace hostcl::compiler {

struct SourcePlace {
  const llvm::DIFile* file = nullptr;
  unsigned line = 0, column = 0; ///< 0 if unknown

  llvm::StringRef file_name() const;
  /// The text of the line, trimmed; empty if the module does not contain its source.
  llvm::StringRef source_line() const;
};

/// The source location of an instruction. If a pass has dropped it, the location of the instructions that compute the
/// address or the operands is used, or else the line of the function, or of the kernel whose checked form it is.
SourcePlace source_place(const llvm::Instruction& instruction);

/// A constant null-terminated text in the module. Equal texts are the same constant.
llvm::Constant* text_in(llvm::Module& module, llvm::StringRef value);

} // namespace hostcl::compiler
