#pragma once

// Builds instructions on vectors that hold the values of all lanes.
//
// The wide form of a type has the lanes one after the other: `float` becomes <W x float>, `<4 x float>` becomes
// <4*W x float> with lane 0's four elements first, and a struct becomes a struct of wide members.

#include "compiler/passes/2_vector/shapes/shape.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

class LaneBuilder {
public:
  LaneBuilder(llvm::Function& target, unsigned width);

  // --- Types
  llvm::Type* wide(llvm::Type* type) const;
  static unsigned elements(llvm::Type* type);

  // --- One value for all lanes
  llvm::Value* splat_constant(llvm::Constant* constant);
  /// All lanes' values of a uniform or affine value, from the first lane's.
  llvm::Value* spread(llvm::Value* scalar, Shape shape);
  /// base + lane * stride in each lane.
  llvm::Value* ramp(llvm::Value* base, std::int64_t stride);

  // --- Masks
  /// `mask` with each lane's bit repeated for each element of `type`.
  llvm::Value* mask_for(llvm::Type* type, llvm::Value* mask);
  /// Selects between two values of any wide type, lane by lane.
  llvm::Value* blend(llvm::Value* mask, llvm::Value* yes, llvm::Value* no, llvm::Type* old_type);
  /// The lanes of `mask` for which the condition holds. The condition may be poison in lanes that are not active; a
  /// logical and (a select) stops the poison, a bitwise `and` would propagate it.
  llvm::Value* where(llvm::Value* mask, llvm::Value* condition) {
    return build.CreateLogicalAnd(mask, condition);
  }
  /// The mask as an integer of `width` bits.
  llvm::Value* mask_bits(llvm::Value* mask);
  llvm::Value* any(llvm::Value* mask);
  llvm::Value* all(llvm::Value* mask);

  // --- Single lanes
  /// One lane's part of a wide value; `lane` is an i32.
  llvm::Value* extract_lane(llvm::Value* vector, llvm::Value* lane, llvm::Type* old_type);
  llvm::Value* insert_lane(llvm::Value* vector, llvm::Value* part, llvm::Value* lane, llvm::Type* old_type);

  // --- Places
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  /// The name of a branch target, and the function that writes its code.
  struct Way {
    const char* name;
    llvm::function_ref<llvm::Value*()> write;
  };
  /// Writes a branch to one of two blocks, and the block that joins them. @returns the phi of the two blocks' values;
  /// null if they have none
  llvm::Value* either(llvm::Value* condition, Way yes, Way no);
  void place_after(llvm::Value* value);

  const unsigned width;
  llvm::Function& target;
  const llvm::DataLayout& layout;
  llvm::IRBuilder<> build;
};

} // namespace hostcl::compiler
