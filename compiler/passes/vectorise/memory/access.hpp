#pragma once

// The form of a load or store for all lanes, by the shape of its address. memory.cpp writes the forms.

#include "compiler/passes/vectorise/emission.hpp"
#include "compiler/passes/vectorise/shapes/likely_strides.hpp"

namespace hostcl::compiler {

class AffineTests;

enum class Form {
  scalar,       ///< one access for all lanes; of the last active lane for a store
  row,          ///< one wide access: the stride is the size of a lane's element, or its negative
  strided,      ///< wide accesses that leave gaps: the stride is a few times the size
  same,         ///< one access for all lanes, if the addresses turn out to be the same
  scattered,    ///< gather or scatter
  lane_by_lane, ///< in the order of the lanes
};

/// A condition that is tested at run time; if it is false, the access is scattered.
enum class Condition {
  none,
  no_wrap, ///< the address is affine unless an extension wraps, see Shape::checked
  guessed, ///< the address has the likely stride, see LikelyStrides
};

struct Access {
  Form form;
  std::int64_t stride = 0; ///< bytes between lanes, for rows and strided ones
  Condition condition = Condition::none;
};

/// The test of a guess at run time: whether all active lanes have the guessed address, and where lanes of a
/// guessed shape begin. It is made for the address itself, or for the 32-bit index that it depends on.
struct Guess {
  llvm::Value* holds;
  llvm::Value* first; ///< the first lane's address
};

class AccessForms {
public:
  AccessForms(Emission& e, const Shapes& shapes, AffineTests& affine)
      : e_(e), likely_(shapes, e.width), affine_(affine) {}

  Access of(const llvm::Instruction& instruction);
  Guess test_guess(llvm::Value* pointer, const Access& access);

private:
  Emission& e_;
  LikelyStrides likely_;
  AffineTests& affine_;
};

/// Copies what aliasing is known by.
void keep_metadata(llvm::Instruction* now, const llvm::Instruction& old);

} // namespace hostcl::compiler
