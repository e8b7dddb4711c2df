#pragma once

// Decorations of ids (SPIR-V specification, 3.20). Those of members are read and forgotten: types have their layout.

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
  /// Notes OpDecorate, OpDecorateId, OpDecorateString and OpGroupDecorate; other instructions than decorations are left
  /// alone.
  /// @returns whether it was one of them
  bool read(const Instruction& instruction);

  std::span<const Decoration> of(Id id) const;
  bool has(Id id, spv::Decoration kind) const { return find(id, kind) != nullptr; }
  /// The first of a kind, or null.
  const Decoration* find(Id id, spv::Decoration kind) const;
  /// The first operand of a decoration of that kind, which is a number.
  std::optional<std::uint32_t> number(Id id, spv::Decoration kind) const;

private:
  using List = llvm::SmallVector<Decoration, 2>;
  llvm::DenseMap<Id, List> lists_;
};

} // namespace hostcl::compiler::spirv
