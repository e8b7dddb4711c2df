#pragma once

// Where instructions stand in the program's source, and texts that machine code refers to.

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
  unsigned line = 0, column = 0; ///< 0 if they are not known

  llvm::StringRef file_name() const;
  /// The text of the line, without the spaces around it; empty unless the module has its source.
  llvm::StringRef source_line() const;
};

/// Where an instruction stands in the source. Passes that move one drop that: what computes its address or its value
/// stands close to it, and the function's own line is better than none.
SourcePlace source_place(const llvm::Instruction& instruction);

/// A text in the kernel's module, as a pointer to characters with a zero at the end; equal ones are one.
llvm::Constant* text_in(llvm::Module& module, llvm::StringRef value);

} // namespace hostcl::compiler
