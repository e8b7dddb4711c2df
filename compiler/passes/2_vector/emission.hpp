#pragma once

// The state that all steps which write vector code share: the builder, the mask of the block that is being written, and
// the map from values of the scalar source to values of the vector code. State that only one kind of instruction needs
// belongs to the class that writes this kind; values/instructions.hpp lists them.

#include "compiler/passes/2_vector/lane_builder.hpp"
#include "compiler/passes/2_vector/plan/plan.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace hostcl::compiler {

class Emission;

/// Writes an instruction of index arithmetic for all lanes, even if its shape is affine, for which a scalar (the first
/// lane's value) is usually enough.
using WriteVectorForm = void (*)(Emission& e, llvm::Instruction& instruction);

class Emission : public LaneBuilder {
public:
  Emission(const Plan& plan, llvm::Function& target, WriteVectorForm write_vector_form);

  // --- Values
  /// The new value of a uniform source value, or the first lane's value of an affine one. Not for varying values.
  llvm::Value* scalar(llvm::Value* old);
  /// The vector of all lanes' values. A uniform value is broadcast, an affine one becomes first + lane * stride.
  llvm::Value* vector(llvm::Value* old);
  /// Maps `old` to its new value: a scalar if the shape of `old` is uniform or affine, a vector if it is varying.
  void set(const llvm::Value* old, llvm::Value* now);
  Shape shape(const llvm::Value* old) const { return plan.shapes.of(old); }
  llvm::AllocaInst* slot(llvm::Type* type, const llvm::Twine& name);

  // --- The mask
  /// The numbers of the block's first and last active lane, as i32. The result is poison if no lane is active.
  llvm::Value* first_active();
  llvm::Value* last_active();

  /// Records that the kernel cannot be vectorised, and why; only the first call counts. Callers return afterwards.
  void fail(const llvm::Instruction& where, const llvm::Twine& why);
  bool failed() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }

  const Plan& plan;
  const Capabilities& cpu;
  const Switches& switches;
  llvm::Value* mask = nullptr;                    ///< of the block that is being written
  llvm::SmallVector<llvm::AllocaInst*, 32> slots; ///< become SSA values at the end

private:
  WriteVectorForm write_vector_form_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_, vectors_;
  bool writes_vector_form_ = false; ///< of a value of checked shape
  std::string failure_;
};

} // namespace hostcl::compiler
