#pragma once

// Differences of values between neighbouring work-items along a dimension, found before the width is chosen.
// Shapes knows more, for a width. Test: tests/passes/width_rows.ll

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>

namespace llvm {
class GetElementPtrInst;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class ItemStrides {
public:
  explicit ItemStrides(const llvm::LoopInfo& loops, unsigned dimension = 0)
      : loops_(loops), dimension_(dimension) {}

  /// The difference, in bytes for a pointer. Nothing if the values of work-items are unrelated.
  std::optional<std::int64_t> of(const llvm::Value& value);

private:
  using Stride = std::optional<std::int64_t>;
  Stride compute(const llvm::Instruction& instruction);
  Stride of_sum(const llvm::Instruction& sum, std::int64_t sign);
  Stride of_product(const llvm::Instruction& product);
  Stride of_address(const llvm::GetElementPtrInst& address);
  Stride of_counter(const llvm::PHINode& phi);
  Stride of_query(const llvm::Instruction& query);
  bool all_alike(const llvm::Instruction& instruction);

  const llvm::LoopInfo& loops_;
  const unsigned dimension_;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Value*, Stride> known_;
};

} // namespace hostcl::compiler
