#pragma once

// Decorations of ids (SPIR-V specification, 3.20). Decorations of members are ignored, because types have
// their layout.

#include "compiler/front/spirv/words.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace hostcl::compiler::spirv {

struct Decoration {
  spv::Decoration kind;
  std::span<const std::uint32_t> operands;
};

class Decorations {
public:
  /// Records OpDecorate, OpDecorateId, OpDecorateString and OpGroupDecorate.
  /// Ignores the decorations of members.
  void read(const Instruction& instruction);

  std::span<const Decoration> of(Id id) const;
  bool has(Id id, spv::Decoration kind) const { return find(id, kind) != nullptr; }
  /// The first decoration of this kind, or null.
  const Decoration* find(Id id, spv::Decoration kind) const;
  /// The first operand of a decoration of this kind, which must be a number.
  std::optional<std::uint32_t> number(Id id, spv::Decoration kind) const;

private:
  using List = llvm::SmallVector<Decoration, 2>;
  llvm::DenseMap<Id, List> lists_;
};

} // namespace hostcl::compiler::spirv
