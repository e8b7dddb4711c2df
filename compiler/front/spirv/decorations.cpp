#include "compiler/front/spirv/decorations.hpp"

#include <algorithm>
#include <optional>

namespace hostcl::compiler::spirv {

namespace {

Decoration decoration(Operands& in) {
  const auto kind = in.enumerant<spv::Decoration>();
  return {kind, in.rest()};
}

} // namespace

void Decorations::read(const Instruction& instruction) {
  Operands in(instruction);
  switch (instruction.op) {
  case spv::OpDecorate:
  case spv::OpDecorateId:
  case spv::OpDecorateString: {
    List& list = lists_[in.id()];
    list.push_back(decoration(in));
    break;
  }
  case spv::OpMemberDecorate:
  case spv::OpMemberDecorateString:
    in.id();
    in.word();
    decoration(in);
    break;
  case spv::OpGroupDecorate: {
    const List group = lists_.lookup(in.id());
    while (!in.empty())
      lists_[in.id()].append(group);
    break;
  }
  case spv::OpGroupMemberDecorate:
    for (in.id(); !in.empty(); in.word())
      in.id();
    break;
  default: // OpDecorationGroup
    break;
  }
}

std::span<const Decoration> Decorations::of(Id id) const {
  auto found = lists_.find(id);
  return found == lists_.end() ? std::span<const Decoration>() : std::span(found->second);
}

const Decoration* Decorations::find(Id id, spv::Decoration kind) const {
  const std::span<const Decoration> list = of(id);
  auto found = std::ranges::find(list, kind, &Decoration::kind);
  return found == list.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> Decorations::number(Id id, spv::Decoration kind) const {
  const Decoration* found = find(id, kind);
  if (!found || found->operands.empty()) return std::nullopt;
  return found->operands[0];
}

} // namespace hostcl::compiler::spirv
