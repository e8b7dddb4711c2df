#include "compiler/front/spirv/instructions/instructions.hpp"

#include "compiler/front/spirv/instructions/newer_opcodes.hpp"

#include <algorithm>
#include <array>

namespace hostcl::compiler::spirv {

#define INSTRUCTION(op, operands, function) void function(Reader&, Operands);
#define CONSTANT_INSTRUCTION(op, operands, function) void function(Reader&, Operands);
#include "compiler/front/spirv/instructions/instructions.inc"

namespace {

constexpr auto rows = [] {
  auto table = std::to_array<InstructionRow>({
#define INSTRUCTION(op, operands, function) {opcodes::op, #op, operands, function, false},
#define CONSTANT_INSTRUCTION(op, operands, function) {opcodes::op, #op, operands, function, true},
#include "compiler/front/spirv/instructions/instructions.inc"
  });
  std::ranges::sort(table, {}, &InstructionRow::op);
  return table;
}();

} // namespace

const InstructionRow* find_row(spv::Op op) {
  auto found = std::ranges::lower_bound(rows, op, {}, &InstructionRow::op);
  return found != rows.end() && found->op == op ? &*found : nullptr;
}

} // namespace hostcl::compiler::spirv
