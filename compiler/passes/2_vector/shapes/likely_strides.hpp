#pragma once

// Guesses the stride between lanes of values whose shape is varying: the stride that they most often have.
//
//   %x = add i32 %i, %dx                            ; affine, stride 1
//   %c = call i32 @llvm.smin.i32(i32 %x, i32 %max)  ; varying, likely stride 1: only lanes at the border differ
//   %l = and i32 %i, %uniform                       ; likely stride 1: wraps seldom
//   %y = udiv i32 %i, %uniform                      ; likely uniform
//   %b = icmp sgt i32 %i, 0                         ; likely uniform
//   %f = fmul float %id_as_float, %scale            ; linear in an integer whose likely stride is not 0
//   %n = fptosi float %f to i32                     ; likely stride 1, whatever %scale is: such values are mostly
//                                                   ; coordinates of an image
//
// Values that were loaded have no likely stride. An access that relies on a guess is guarded by a test at run time
// (memory/access.hpp).
//
// Gains on an Emerald Rapids Xeon: a kernel that searches for the first match is 2.3 times as fast, a kernel that reads
// neighbours at indices such as `(i + 1) & mask` 1.5 times, and a kernel that fills a private array with such
// neighbours 1.6 times.
//
// Tests: tests/passes/2_vector/memory/vectorise_likely.ll.

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct LinearSum;
class Shapes;
struct Switches;

class LikelyStrides {
public:
  using Stride = std::optional<std::int64_t>;

  LikelyStrides(const Shapes& shapes, unsigned width, const Switches& switches);

  /// The likely stride, in bytes for pointers; 0 if the value is likely uniform; nothing if no guess is possible.
  Stride of(const llvm::Value* value);

private:
  Stride compute(const llvm::Instruction& instruction);
  Stride of_sum(const LinearSum& sum);
  Stride of_comparison(const llvm::Instruction& comparison);
  Stride of_binary(const llvm::Instruction& operation);
  Stride of_either(const llvm::Value* left, const llvm::Value* right);
  Stride of_phi(const llvm::Instruction& phi);
  bool is_linear(const llvm::Value* number, unsigned depth = 0);
  bool is_linear_call(const llvm::Instruction& call, unsigned depth);

  const Shapes& shapes_;
  unsigned width_;
  bool guesses_; ///< otherwise only uniform and affine values have a likely stride
  llvm::DenseMap<const llvm::Value*, Stride> known_;
};

} // namespace hostcl::compiler
