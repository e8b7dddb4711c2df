#pragma once

// Converts values that are uniform, or depend on ids only, to formulas of a launch's sizes and arguments, for kernel
// statistics:
//
//   %n = argument 2                                   an argument, which the launch knows
//   {0,+,4}<inner>                                    4 * the mean number of the iteration
//   (-1 + (1 smax %n))                                the trip count of a loop, less one
//   %k = load i32, ptr addrspace(1) %p                unknown
//
// Formulas are estimates: extensions and wrapping are ignored. Test: compiler/tests/kernel_statistics.cpp

#include "compiler/kernel_statistics.hpp"

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Formulas of one kernel's values.
class Formulas {
public:
  /// @param numbers the numbers of loops in KernelStatistics
  Formulas(llvm::ScalarEvolution& evolution, const llvm::DenseMap<const llvm::Loop*, std::int32_t>& numbers)
      : evolution_(evolution), numbers_(numbers) {}

  Formula of(const llvm::SCEV& expression, unsigned depth = 0);
  Formula of(const llvm::Value& value, unsigned depth = 0);

private:
  /// The formula of a value that ScalarEvolution does not analyse, such as signed divisions and right shifts.
  Formula of_unknown(const llvm::Value& value, unsigned depth);

  llvm::ScalarEvolution& evolution_;
  const llvm::DenseMap<const llvm::Loop*, std::int32_t>& numbers_;
};

inline Formula unknown_formula() {
  return {FormulaStep()};
}

/// The formula `left kind right`; unknown if one of both is unknown, or if the result is too long.
Formula combined(Formula left, FormulaStep::Kind kind, const Formula& right);

} // namespace hostcl::compiler
