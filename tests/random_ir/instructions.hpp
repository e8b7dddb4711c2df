#pragma once

// Random instructions: valid, and odd in their operands.

#include "odd_values.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/NoFolder.h"

#include <map>

namespace random_ir {

using Builder = llvm::IRBuilder<llvm::NoFolder>;

class Instructions {
public:
  Instructions(llvm::Module& module, Random& random)
      : module_(module), random_(random), odd_(module, random), build_(module.getContext()) {}

  Builder& builder() { return build_; }
  OddValues& odd() { return odd_; }

  /// Values that may be used where code is written.
  using Known = std::map<llvm::Type*, llvm::SmallVector<llvm::Value*, 16>>;
  Known& known() { return known_; }
  llvm::Value* note(llvm::Value* value) {
    known_[value->getType()].push_back(value);
    return value;
  }
  /// A value of the type that is known, or a constant.
  llvm::Value* any(llvm::Type* type);

  void write_one();
  /// A variable of the function, of any type and alignment.
  void write_variable();
  void write_query();

private:
  llvm::Value* any_integer() { return any(odd_.integers()); }
  llvm::Value* any_pointer() { return any(odd_.pointer()); }
  llvm::Value* any_vector() { return any(odd_.vector_of(odd_.scalar())); }
  llvm::Value* element_index(llvm::FixedVectorType* type);
  llvm::MaybeAlign alignment();

  llvm::Value* write_integers();
  llvm::Value* write_floatings();
  llvm::Value* write_comparison();
  llvm::Value* write_choice();
  llvm::Value* write_cast();
  llvm::Value* write_bit_cast();
  llvm::Value* write_element();
  llvm::Value* write_shuffle();
  llvm::Value* write_part();
  llvm::Value* write_address();
  llvm::Value* write_load();
  llvm::Value* write_integer_call();
  llvm::Value* write_floating_call();
  llvm::Value* write_atomic();
  void write_store();
  void write_block_of_memory();
  void write_synchronisation();

  llvm::Module& module_;
  Random& random_;
  OddValues odd_;
  Builder build_;
  Known known_;
};

} // namespace random_ir
