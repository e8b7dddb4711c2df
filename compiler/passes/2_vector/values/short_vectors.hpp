#pragma once

// Writes extractions, insertions and shuffles of short vectors (OpenCL's float4). The wide form has lane 0's elements
// first, so an element of all lanes is extracted by a shuffle:
//
//   %y = extractelement <2 x float> %v, i32 1      =>   %y = shufflevector <8 x float> %v, <1, 3, 5, 7>
//
// All elements of a vector are extracted together, and a chain of insertions that fills a vector is written as a whole.
// Both proceed by halves (even and odd elements), so that each shuffle reads at most two registers.
//
// Tests: tests/passes/2_vector/vectorise_short_vectors.ll.

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
  /// Element i of all lanes of a wide short vector, for each i below `count`.
  llvm::ArrayRef<llvm::Value*> parts(llvm::Value* vector, unsigned count);
  void write_extract(llvm::ExtractElementInst& extract);
  void write_insert(llvm::InsertElementInst& insert);
  void write_insert_chain(llvm::InsertElementInst& last);

  Emission& e_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::Value*, 4>> parts_;
};

} // namespace hostcl::compiler
