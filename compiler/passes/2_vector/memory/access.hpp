#pragma once

// Chooses the form of a load or store for all lanes by the shape of its address. memory.cpp writes the forms.

#include "compiler/passes/2_vector/emission.hpp"

namespace hostcl::compiler {

class AffineTests;

enum class Form {
  scalar,       ///< one scalar access at a uniform address; a store stores the last active lane's value
  row,          ///< contiguous: one wide access; the stride is the element's size, or its negative
  strided,      ///< one wide access with gaps: the stride is a few times the element's size
  same,         ///< one scalar load, if a test at run time shows that the address is uniform
  scattered,    ///< gather or scatter
  lane_by_lane, ///< one scalar access for each active lane, in the order of the lanes
};

/// The condition under which a form is right. It is tested at run time; if it is false, the access is a gather or
/// scatter.
enum class Condition {
  none,
  no_wrap, ///< the address has a checked shape, see Shape::is_checked()
  guessed, ///< the address has the likely stride, see Shape::likely_stride()
};

struct Access {
  Form form;
  std::int64_t stride = 0; ///< bytes between lanes, for Form::row and Form::strided
  Condition condition = Condition::none;
};

/// The code of the test at run time. The test compares all lanes' addresses with those that the condition expects, or
/// all lanes' 32-bit indices if the address depends on one index only.
struct Guess {
  llvm::Value* holds; ///< i1: the condition holds for all active lanes
  llvm::Value* first; ///< the first lane's address; for Form::same the common address
};

class AccessForms {
public:
  AccessForms(Emission& e, AffineTests& affine) : e_(e), affine_(affine) {}

  Access of(const llvm::Instruction& instruction);
  Guess test_guess(llvm::Value* pointer, const Access& access);

private:
  Emission& e_;
  AffineTests& affine_;
};

/// Copies the metadata of alias analysis (TBAA, scoped noalias).
void keep_metadata(llvm::Instruction* now, const llvm::Instruction& old);

} // namespace hostcl::compiler
