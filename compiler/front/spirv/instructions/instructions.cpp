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
static_assert(std::ranges::adjacent_find(rows, {}, &InstructionRow::op) == rows.end(),
              "an opcode has two rows");

/// The rows of opcodes below 512, which almost all instructions in modules have.
constexpr auto rows_by_opcode = [] {
  std::array<const InstructionRow*, 512> table{};
  for (const InstructionRow& row : rows)
    if (std::size_t{row.op} < table.size()) table[row.op] = &row;
  return table;
}();

struct OtherRow {
  std::uint32_t op;
  const char* name;
};

constexpr auto other_rows = std::to_array<OtherRow>({
#define OTHER(number, name) {number, #name},
#include "compiler/front/spirv/instructions/other_instructions.inc"
});

} // namespace

const InstructionRow* find_row(spv::Op op) {
  if (std::size_t{op} < rows_by_opcode.size()) return rows_by_opcode[op];
  auto found = std::ranges::lower_bound(rows, op, {}, &InstructionRow::op);
  return found != rows.end() && found->op == op ? &*found : nullptr;
}

std::string instruction_name(spv::Op op) {
  if (const InstructionRow* row = find_row(op)) return row->name;
  auto found = std::ranges::lower_bound(other_rows, std::uint32_t(op), {}, &OtherRow::op);
  if (found != other_rows.end() && found->op == std::uint32_t(op)) return found->name;
  return "instruction " + std::to_string(op);
}

} // namespace hostcl::compiler::spirv
