#pragma once

// Random choices, and the types and constants that random IR is made of. All are valid, and many are what front ends
// seldom write: poison, undefined values, numbers at the ends of their ranges, pointers to nothing.

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <random>
#include <span>

namespace random_ir {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  unsigned below(unsigned end) { return static_cast<unsigned>(engine_() % end); }
  bool one_in(unsigned count) { return below(count) == 0; }
  template <class T>
  T one_of(std::span<const T> values) {
    return values[below(static_cast<unsigned>(values.size()))];
  }
  template <class T, std::size_t count>
  T one_of(const T (&values)[count]) {
    return values[below(count)];
  }

private:
  std::mt19937_64 engine_;
};

class OddValues {
public:
  OddValues(llvm::Module& module, Random& random);

  llvm::Type* integer();
  llvm::Type* floating();
  llvm::Type* scalar() { return random_.one_in(3) ? floating() : integer(); }
  /// Some have one element.
  llvm::FixedVectorType* vector_of(llvm::Type* element);
  /// A type of integers or of floating-point numbers, or of vectors of them.
  llvm::Type* integers() { return maybe_vector_of(integer()); }
  llvm::Type* floatings() { return maybe_vector_of(floating()); }
  llvm::Type* pointer();
  llvm::Type* aggregate();
  /// Any that instructions can have.
  llvm::Type* any();
  /// Any that a variable can have; some have no bytes.
  llvm::Type* in_memory();

  llvm::Constant* constant(llvm::Type* type);

private:
  llvm::Type* maybe_vector_of(llvm::Type* element) {
    return random_.one_in(2) ? element : vector_of(element);
  }
  llvm::Constant* integer_constant(llvm::IntegerType* type);
  llvm::Constant* floating_constant(llvm::Type* type);
  llvm::Constant* vector_constant(llvm::FixedVectorType* type);
  llvm::Constant* pointer_constant(llvm::PointerType* type);

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  Random& random_;
};

} // namespace random_ir
