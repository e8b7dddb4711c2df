#pragma once

// The state that all steps share that write vector code: the builder, the lanes' mask, and the new values of
// old ones. What only one form of code needs is that form's own: values/instructions.hpp holds the forms.

#include "compiler/passes/vectorise/lane_builder.hpp"
#include "compiler/settings/capabilities.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace hostcl::compiler {

class Emission;
class Shapes;

/// Writes index arithmetic for all lanes, also if its shape makes the first lane's value sufficient.
using WriteVectorForm = void (*)(Emission& e, llvm::Instruction& instruction);

class Emission : public LaneBuilder {
public:
  Emission(llvm::Function& source, llvm::Function& target, const Shapes& shapes, unsigned width,
           const Capabilities& cpu, WriteVectorForm write_vector_form);

  // --- Values
  /// The scalar of a uniform value, or the first lane's of an affine one.
  llvm::Value* scalar(llvm::Value* old);
  /// All lanes' values.
  llvm::Value* vector(llvm::Value* old);
  /// Sets the new value of `old`: a scalar if its shape is uniform or affine, else a vector.
  void set(const llvm::Value* old, llvm::Value* now);
  Shape shape(const llvm::Value* old) const;
  std::uint64_t upper_bound(const llvm::Value& old) const;
  llvm::AllocaInst* slot(llvm::Type* type, const llvm::Twine& name);

  // --- The mask
  /// Numbers of the first and the last active lane of the block, as i32; there must be one.
  llvm::Value* first_active();
  llvm::Value* last_active();

  /// Gives up: the first reason counts.
  void fail(const llvm::Instruction& where, const llvm::Twine& why);
  bool failed() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }

  const Capabilities cpu;
  llvm::Value* mask = nullptr; ///< of the block that is being written
  llvm::Function& source;
  llvm::SmallVector<llvm::AllocaInst*, 32> slots; ///< become SSA values at the end

private:
  const Shapes& shapes_;
  WriteVectorForm write_vector_form_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_, vectors_;
  bool writes_vector_form_ = false; ///< of a value of checked shape
  std::string failure_;
};

/// "file:line: " of an instruction, or nothing.
std::string source_location(const llvm::Instruction& instruction);

} // namespace hostcl::compiler
