#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace hostcl::compiler::spirv {

using llvm::Value;

namespace {

// How instructions.inc names the types of columns.
using Binary = llvm::Instruction::BinaryOps;
using Cast = llvm::Instruction::CastOps;
namespace Intrinsic = llvm::Intrinsic;
using FPClass = llvm::FPClassTest;
using Kind = Type::Kind;
using Predicate = llvm::CmpInst::Predicate;
using Update = llvm::AtomicRMWInst::BinOp;

// The types of functions that read an instruction or make an operation, and take these columns.
template <class... Columns>
std::type_identity<void(Reader&, Operands, Columns...)> reader_of(Columns...);
template <class... Columns>
std::type_identity<Value*(Reader&, const Type&, Operands, Columns...)> maker_of(Columns...);

} // namespace

#define INSTRUCTION(op, operands, function, ...) decltype(reader_of(__VA_ARGS__))::type function;
#define OPERATION(op, operands, function, ...) decltype(maker_of(__VA_ARGS__))::type function;
#include "compiler/front/spirv/instructions/instructions.inc"

namespace {

// Call the function of a row with the row's columns.
#define READER(function, ...) [](Reader& r, Operands in) { function(r, in __VA_OPT__(, ) __VA_ARGS__); }
#define MAKER(function, ...)                                                                                 \
  [](Reader& r, const Type& type, Operands in) { return function(r, type, in __VA_OPT__(, ) __VA_ARGS__); }

constexpr auto rows = [] {
  auto table = std::to_array<InstructionRow>({
#define INSTRUCTION(op, operands, ...) {opcodes::op, #op, operands, READER(__VA_ARGS__), nullptr, false},
#define OPERATION(op, operands, ...) {opcodes::op, #op, operands, nullptr, MAKER(__VA_ARGS__), false},
#define CONSTANT_OPERATION(op, operands, ...) {opcodes::op, #op, operands, nullptr, MAKER(__VA_ARGS__), true},
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
#define CAPABILITY(number, name)
#define OPCODE(number, name) {number, #name},
#include "compiler/front/spirv/newer_names.inc"
#include "spirv_opcodes.inc"
#undef CAPABILITY
#undef OPCODE
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

namespace {

/// Returns whether an operation on bfloat16 computes with floats (SPV_INTEL_bfloat16_arithmetic). All others
/// only move numbers.
bool computes_with_bfloats(spv::Op operation) {
  using enum spv::Op;
  switch (operation) {
  case OpFNegate:
  case OpFAdd:
  case OpFSub:
  case OpFMul:
  case OpFDiv:
  case OpFRem:
  case OpFMod:
  case OpVectorTimesScalar:
  case OpDot:
  case opcodes::OpFmaKHR:
  case opcodes::OpArithmeticFenceEXT:
    return true;
  default:
    return (operation >= OpIsNan && operation <= OpUnordered) ||
           (operation >= OpFOrdEqual && operation <= OpFUnordGreaterThanEqual);
  }
}

} // namespace

void check_matrix_operation(spv::Op op) {
  using enum spv::Op;
  constexpr spv::Op defined[] = {OpUndef,
                                 opcodes::OpPoisonKHR,
                                 opcodes::OpFreezeKHR,
                                 OpConstantNull,
                                 OpConstantComposite,
                                 OpSpecConstantComposite,
                                 opcodes::OpConstantCompositeReplicateEXT,
                                 opcodes::OpSpecConstantCompositeReplicateEXT,
                                 OpLoad,
                                 OpPhi,
                                 OpSelect,
                                 OpCopyObject,
                                 OpCopyLogical,
                                 OpCompositeConstruct,
                                 opcodes::OpCompositeConstructReplicateEXT,
                                 OpCompositeExtract,
                                 OpCompositeInsert,
                                 OpConvertFToU,
                                 OpConvertFToS,
                                 OpConvertSToF,
                                 OpConvertUToF,
                                 OpUConvert,
                                 OpSConvert,
                                 OpFConvert,
                                 OpBitcast,
                                 OpSNegate,
                                 OpFNegate,
                                 OpIAdd,
                                 OpFAdd,
                                 OpISub,
                                 OpFSub,
                                 OpIMul,
                                 OpFMul,
                                 OpFDiv,
                                 OpSDiv,
                                 OpUDiv,
                                 OpMatrixTimesScalar,
                                 opcodes::OpCooperativeMatrixLoadKHR,
                                 opcodes::OpCooperativeMatrixMulAddKHR};
  if (!llvm::is_contained(defined, op))
    refuse("the result is a cooperative matrix, for which the instruction is not defined");
}

void read_instruction(Reader& r, const InstructionRow& row, Operands in) {
  if (row.read) {
    r.in_scopes([&]() -> Value* {
      row.read(r, in);
      return nullptr;
    });
    return;
  }
  const Type& type = read_result(r, in);
  if (row.op == spv::OpFDiv && type.scalar().is(Kind::bfloat))
    rounding_of(r, type, in.result()); // `make` gets floats, and cannot refuse the modes that bfloat16 lacks
  const auto make = [&](const Type& made) { return row.make(r, made, in); };
  r.define(in.result(), type,
           r.in_scopes([&] { return computes_with_bfloats(row.op) ? r.in_floats(type, make) : make(type); }));
}

void require(const Type& type, Kind kind) {
  if (!type.scalar().is(kind)) refuse(llvm::Twine("the result is not ") + kind_name(kind));
}

void require_scalar(const Type& type, Kind kind) {
  require(type, kind);
  if (!type.is(kind)) refuse("the result is a vector; it must be a scalar");
}

bool has_shape_of(const Type& a, const Type& b) {
  if (a.is(Kind::matrix) || b.is(Kind::matrix))
    return a.kind == b.kind && a.rows == b.rows && a.columns == b.columns && a.use == b.use;
  return a.is(Kind::vector) == b.is(Kind::vector) && a.count == b.count;
}

} // namespace hostcl::compiler::spirv
