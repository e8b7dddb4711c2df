// inspect_il(): a module's specialisation constants, without reading the rest of it.

#include "compiler/compiler.hpp"
#include "compiler/front/spirv/words.hpp"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

namespace hostcl::compiler {

namespace {

using namespace spirv;

/// Bytes of a value of each type of numbers.
using Sizes = llvm::DenseMap<Id, std::uint32_t>;

void read_number_type(Sizes& sizes, Operands in) {
  const Id type = in.id();
  const std::uint32_t bits = in.word();
  if (bits > 64 || bits % 8 != 0) return; // of no type that a constant of the API can have
  sizes[type] = bits / 8;
}

void read_constant(IlFacts& facts, const Sizes& sizes, const llvm::DenseMap<Id, std::uint32_t>& numbers,
                   Operands in) {
  const std::uint32_t bytes = in.op() == spv::OpSpecConstant ? sizes.lookup(in.id()) : (in.id(), 1);
  auto number = numbers.find(in.id());
  if (number != numbers.end() && bytes != 0) facts.constants.push_back({number->second, bytes});
}

IlFacts inspect(const Words& words) {
  IlFacts facts{words.version(), {}};
  Sizes sizes;
  llvm::DenseMap<Id, std::uint32_t> numbers; // SpecId of a constant
  for (const Instruction& instruction : words.instructions()) {
    Operands in(instruction);
    switch (instruction.op) {
    case spv::OpDecorate: {
      const Id target = in.id();
      if (in.word() == spv::DecorationSpecId) numbers[target] = in.word();
      break;
    }
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      read_number_type(sizes, in);
      break;
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
      read_constant(facts, sizes, numbers, in);
      break;
    case spv::OpFunction:
      return facts; // no declaration follows
    default:
      break;
    }
  }
  return facts;
}

} // namespace

Outcome<IlFacts> inspect_il(std::span<const std::byte> il) {
  try {
    return {Status::success, {}, inspect(Words(il))};
  } catch (const Refusal& refusal) {
    return {Status::failure, std::string("error: not a module of SPIR-V: ") + refusal.what() + "\n", {}};
  }
}

} // namespace hostcl::compiler
