#include "compiler/front/spirv/instructions/instructions.hpp"

#include "compiler/front/spirv/instructions/newer_opcodes.hpp"

#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace hostcl::compiler::spirv {

namespace {

// How instructions.inc names the types of columns.
using Binary = llvm::Instruction::BinaryOps;
using Cast = llvm::Instruction::CastOps;
using FPClass = llvm::FPClassTest;
using Kind = Type::Kind;
using Predicate = llvm::CmpInst::Predicate;
using Update = llvm::AtomicRMWInst::BinOp;

/// The type of a function that reads an instruction and takes these columns.
template <class... Columns>
std::type_identity<void(Reader&, Operands, Columns...)> reader_of(Columns...);

} // namespace

#define INSTRUCTION(op, operands, function, ...) decltype(reader_of(__VA_ARGS__))::type function;
#include "compiler/front/spirv/instructions/instructions.inc"

namespace {

/// Calls the function of a row with the row's columns.
#define READER(function, ...) [](Reader& r, Operands in) { function(r, in __VA_OPT__(, ) __VA_ARGS__); }

constexpr auto rows = [] {
  auto table = std::to_array<InstructionRow>({
#define INSTRUCTION(op, operands, ...) {opcodes::op, #op, operands, READER(__VA_ARGS__), false},
#define CONSTANT_INSTRUCTION(op, operands, ...) {opcodes::op, #op, operands, READER(__VA_ARGS__), true},
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

/// The name of an instruction that only a refusal needs.
struct OtherRow {
  std::uint32_t op;
  const char* name;
};

constexpr auto other_rows = std::to_array<OtherRow>({
#define OTHER(number, name) {number, #name},
#include "compiler/front/spirv/instructions/newer_names.inc"
#include "spirv_opcodes.inc"
#undef OTHER
});

} // namespace

const InstructionRow* find_row(spv::Op op) {
  if (std::size_t{op} < rows_by_opcode.size()) return rows_by_opcode[op];
  auto found = std::ranges::lower_bound(rows, op, {}, &InstructionRow::op);
  return found != rows.end() && found->op == op ? &*found : nullptr;
}

std::string instruction_name(spv::Op op) {
  if (const InstructionRow* row = find_row(op)) return row->name;
  auto found = std::ranges::find(other_rows, std::uint32_t(op), &OtherRow::op);
  if (found != other_rows.end()) return found->name;
  return "instruction " + std::to_string(op);
}

} // namespace hostcl::compiler::spirv
