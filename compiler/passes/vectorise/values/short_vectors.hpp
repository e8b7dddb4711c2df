#pragma once

// Values of short vector type: lane-major, so that elements of a lane are moved by shuffles.
//
//   %y = extractelement <2 x float> %v, i32 1      =>   %y = shufflevector <8 x float> %v, <1, 3, 5, 7>
//
// Elements are extracted for all indices at once, and inserted at once where a chain of insertions fills a
// vector: by halves, so that each shuffle has two registers to choose from at most.
//
// Tests: tests/passes/vectorise/vectorise_short_vectors.ll.

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class ExtractElementInst;
class InsertElementInst;
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

class ShortVectors {
public:
  explicit ShortVectors(Emission& e) : e_(e) {}

  /// Writes an extraction, an insertion or a shuffle.
  void write(llvm::Instruction& instruction);

private:
  /// The elements of a wide short vector of `count` elements, one value for all lanes each.
  llvm::ArrayRef<llvm::Value*> parts(llvm::Value* vector, unsigned count);
  void write_extract(llvm::ExtractElementInst& extract);
  void write_insert(llvm::InsertElementInst& insert);
  void write_insert_chain(llvm::InsertElementInst& last);

  Emission& e_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::Value*, 4>> parts_;
};

} // namespace hostcl::compiler
