#pragma once

// The state that all steps share that write vector code: the builder, the lanes' mask, and the new values of
// old ones.
//
// The vector form of a type has the lanes one after the other: `float` becomes <W x float>, `<4 x float>`
// becomes <4*W x float> with lane 0's four elements first, structs become structs of vectors.

#include "compiler/passes/vectorise/memory/append_stores.hpp"
#include "compiler/passes/vectorise/memory/lane_offsets.hpp"
#include "compiler/passes/vectorise/memory/permuted_access.hpp"
#include "compiler/passes/vectorise/shapes/likely_strides.hpp"
#include "compiler/passes/vectorise/shapes/shapes.hpp"
#include "compiler/settings/capabilities.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

#include <string>

namespace llvm {
class MinMaxIntrinsic;
}

namespace hostcl::compiler {

class Emission {
public:
  Emission(llvm::Function& source, llvm::Function& target, const Shapes& shapes, unsigned width,
           const Capabilities& cpu);

  // --- Values
  /// The scalar of a uniform value, or the first lane's of an affine one.
  llvm::Value* scalar(llvm::Value* old);
  /// All lanes' values.
  llvm::Value* vector(llvm::Value* old);
  /// Sets the new value of `old`: a scalar if its shape is uniform or affine, else a vector.
  void set(const llvm::Value* old, llvm::Value* now);
  /// Whether a value of checked shape is affine at run time: of what it depends on, no extension wraps between
  /// lanes, and no minimum or maximum is another value than that of the lane.
  llvm::Value* is_affine_now(llvm::Value* old);
  /// Whether first + lane * stride stays in the range of its type, for all lanes.
  llvm::Value* stays_in_range(llvm::Value* first, std::int64_t stride, bool is_signed);
  Shape shape(const llvm::Value* old) const { return shapes_.of(old); }
  std::uint64_t copy_stride(const llvm::AllocaInst& variable) const { return shapes_.copy_stride(variable); }
  std::uint64_t upper_bound(const llvm::Value& old) const { return shapes_.upper_bound(old); }

  // --- Types and masks
  llvm::Type* wide(llvm::Type* type) const;
  static unsigned elements(llvm::Type* type);
  /// `mask` with each lane repeated for the elements of `type`.
  llvm::Value* mask_for(llvm::Type* type, llvm::Value* mask);
  /// A select by lanes between two vectors of any wide type.
  llvm::Value* blend(llvm::Value* mask, llvm::Value* yes, llvm::Value* no, llvm::Type* old_type);
  /// The lanes of `mask` for which the condition holds. Lanes that are not active may have no value, which a
  /// plain `and` would pass on.
  llvm::Value* where(llvm::Value* mask, llvm::Value* condition) {
    return build.CreateLogicalAnd(mask, condition);
  }
  /// The mask as an integer of `width` bits.
  llvm::Value* mask_bits(llvm::Value* mask);
  llvm::Value* any(llvm::Value* mask);
  llvm::Value* all(llvm::Value* mask);
  /// Numbers of the first and the last active lane of the block, as i32; there must be one.
  llvm::Value* first_active();
  llvm::Value* last_active();
  /// All lanes' values from the first one's.
  llvm::Value* spread(llvm::Value* scalar, Shape shape);
  /// base + lane * stride in each lane.
  llvm::Value* ramp(llvm::Value* base, std::int64_t stride);
  /// One lane's part of a wide value; `lane` is an i32.
  llvm::Value* extract_lane(llvm::Value* vector, llvm::Value* lane, llvm::Type* old_type);
  llvm::Value* insert_lane(llvm::Value* vector, llvm::Value* part, llvm::Value* lane, llvm::Type* old_type);

  /// The elements of a wide short vector of `count` elements, one value for all lanes each.
  llvm::ArrayRef<llvm::Value*> parts(llvm::Value* vector, unsigned count);

  // --- Places
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  /// A branch target, and the function that writes its code.
  struct Way {
    const char* name;
    llvm::function_ref<llvm::Value*()> write;
  };
  /// Writes a branch to one of two blocks. @returns the value that they give, null if they give none
  llvm::Value* either(llvm::Value* condition, Way yes, Way no);
  llvm::AllocaInst* slot(llvm::Type* type, const llvm::Twine& name);
  void place_after(llvm::Value* value);

  /// Gives up: the first reason counts.
  void fail(const llvm::Instruction& where, const llvm::Twine& why);
  bool failed() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }

  const unsigned width;
  const Capabilities cpu;
  const llvm::DataLayout& layout;
  llvm::IRBuilder<> build;
  LikelyStrides likely;
  LaneOffsets offsets{*this};
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, Window> permuted; ///< by address and size
  llvm::DenseMap<const llvm::AtomicRMWInst*, AppendPlaces> appended;
  llvm::Value* mask = nullptr; ///< of the block that is being written
  llvm::Function& source;
  llvm::Function& target;
  llvm::SmallVector<llvm::AllocaInst*, 32> slots;           ///< become SSA values at the end
  llvm::SmallPtrSet<const llvm::StoreInst*, 8> nontemporal; ///< see nontemporal_stores.hpp

private:
  llvm::Value* does_not_wrap(llvm::CastInst& extension);
  llvm::Value* is_not_clamped(llvm::MinMaxIntrinsic& clamp);
  llvm::Value* splat_constant(llvm::Constant* constant);

  const Shapes& shapes_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> scalars_, vectors_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> fits_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::Value*, 4>> parts_;
  bool writes_vector_form_ = false; ///< of a value of checked shape
  std::string failure_;
};

/// "file:line: " of an instruction, or nothing.
std::string source_location(const llvm::Instruction& instruction);

/// Writes one instruction (not a phi, not a terminator) for all lanes. instructions.cpp
void emit_instruction(Emission& e, llvm::Instruction& instruction);
/// Writes index arithmetic for all lanes, also if its shape makes the first lane's value sufficient.
void emit_vector_form(Emission& e, llvm::Instruction& instruction);

/// Whether the instruction needs an active lane; and its cost, roughly in simple operations.
bool needs_active_lane(Emission& e, const llvm::Instruction& instruction);
unsigned cost_of(Emission& e, const llvm::Instruction& instruction);

/// Runs the instruction as it is, once for each active lane. lanes.cpp
void emit_lane_by_lane(Emission& e, llvm::Instruction& instruction);
/// Copies a uniform or affine instruction.
void emit_scalar(Emission& e, llvm::Instruction& instruction);

/// Writes a loop over the active lanes, whose body the function `body` writes; `lane` is an i32.
void emit_for_each_lane(Emission& e, llvm::Value* mask, llvm::function_ref<void(llvm::Value* lane)> body);

// division.cpp
/// Whether a lane that is not active may make the division trap.
bool may_trap(const Emission& e, const llvm::Instruction& division);
void emit_division(Emission& e, llvm::Instruction& division);

// memory.cpp
void keep_metadata(llvm::Instruction* now, const llvm::Instruction& old);
void emit_load(Emission& e, llvm::LoadInst& load);
void emit_store(Emission& e, llvm::StoreInst& store);
void emit_variable(Emission& e, llvm::AllocaInst& variable);
/// Whether a load or store does nothing and cannot fault if no lane is active.
bool is_masked_access(Emission& e, const llvm::Instruction& instruction);

// calls.cpp
void emit_call(Emission& e, llvm::CallInst& call);
/// Calls LLVM's vector form of an intrinsic.
void emit_vector_intrinsic(Emission& e, llvm::CallInst& call);
bool is_masked_call(const Emission& e, const llvm::CallInst& call);

// atomics.cpp, compare_exchange.cpp, sub_groups.cpp
void emit_atomic(Emission& e, llvm::AtomicRMWInst& atomic);
void emit_compare_exchange(Emission& e, llvm::AtomicCmpXchgInst& exchange);
void emit_sub_group(Emission& e, llvm::CallInst& call);

// short_vectors.cpp
void emit_short_vector(Emission& e, llvm::Instruction& instruction);

} // namespace hostcl::compiler
