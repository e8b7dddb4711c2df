// inspect_il(): finds the specialisation constants of a module without reading its functions.
// Declared in compiler/compiler.hpp.

#include "compiler/compiler.hpp"
#include "compiler/front/spirv/words.hpp"

#include <algorithm>
#include <unordered_map>

namespace hostcl::compiler {

namespace {

using namespace spirv;

/// This code runs on a thread of the application, where a failed allocation must not end the process. LLVM's
/// containers cannot ensure this.
using Numbers = std::unordered_map<Id, std::uint32_t>;

std::uint32_t lookup(const Numbers& numbers, Id id) {
  auto found = numbers.find(id);
  return found == numbers.end() ? 0 : found->second;
}

/// @param sizes gets the size in bytes of each number type
void read_number_type(Numbers& sizes, Operands in) {
  const Id type = in.id();
  const std::uint32_t bits = in.word();
  if (bits != 4 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return;                             // clSetProgramSpecializationConstant has no type for such constants
  sizes[type] = std::max(bits / 8, 1u); // 4 bits (SPV_INTEL_int4) are given as a byte
}

void read_constant(IlProperties& inspected, const Numbers& sizes, const Numbers& numbers, Operands in) {
  const std::uint32_t bytes = in.op() == spv::OpSpecConstant ? lookup(sizes, in.id()) : (in.id(), 1);
  auto number = numbers.find(in.id());
  if (number != numbers.end() && bytes != 0) inspected.constants.push_back({number->second, bytes});
}

IlProperties inspect(const Words& words) {
  IlProperties inspected{words.version(), {}};
  Numbers sizes;
  Numbers numbers; // the SpecId of each constant
  for (const Instruction& instruction : words.instructions()) {
    Operands in(instruction);
    switch (instruction.op) {
    case spv::OpDecorate: {
      const Id target = in.id();
      if (in.word() == spv::DecorationSpecId) numbers[target] = in.word();
      break;
    }
    case spv::OpGroupDecorate:
      if (auto group = numbers.find(in.id()); group != numbers.end())
        for (const std::uint32_t number = group->second; !in.empty();)
          numbers[in.id()] = number;
      break;
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      read_number_type(sizes, in);
      break;
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
      read_constant(inspected, sizes, numbers, in);
      break;
    case spv::OpFunction:
      return inspected; // all declarations have been read
    default:
      break;
    }
  }
  return inspected;
}

} // namespace

Outcome<IlProperties> inspect_il(std::span<const std::byte> il) {
  try {
    return {Status::success, {}, inspect(Words(il))};
  } catch (const Refusal& refusal) {
    return {Status::failure, std::string("error: not a valid SPIR-V module: ") + refusal.what() + "\n", {}};
  }
}

} // namespace hostcl::compiler
