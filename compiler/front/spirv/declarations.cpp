#include "compiler/front/spirv/declarations.hpp"

#include <algorithm>

namespace hostcl::compiler::spirv {

namespace {

Decoration decoration(Operands& in) {
  const auto kind = in.enumerant<spv::Decoration>();
  return {kind, in.rest()};
}

} // namespace

void Decorations::read(Operands in) {
  switch (in.op()) {
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

const EntryPoint* Declarations::entry_point(Id function) const {
  auto found = std::ranges::find(entry_points, function, &EntryPoint::function);
  return found == entry_points.end() ? nullptr : &*found;
}

std::string Declarations::place_name() const {
  if (place.file == 0) return {};
  const std::string_view file = strings.lookup(place.file);
  return (file.empty() ? "source" : std::string(file)) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column) + ": ";
}

} // namespace hostcl::compiler::spirv
