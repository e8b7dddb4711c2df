// Part of reader.hpp: which fast-math flags a floating-point operation gets, from the FPFastMathMode
// decoration, FPFastMathDefault and ContractionOff.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

constexpr auto default_execution_mode = static_cast<spv::ExecutionMode>(6028); // FPFastMathDefault
constexpr std::uint32_t allow_contract = 0x10000, allow_reassociation = 0x20000,
                        allow_transformation = 0x40000;

bool is_of(const llvm::Instruction& operation, const llvm::Type* type) {
  const auto has_type = [&](const Value* value) { return value->getType()->getScalarType() == type; };
  return has_type(&operation) || any_of(operation.operand_values(), has_type);
}

} // namespace

/// Returns the bits that the FPFastMathDefault modes of an entry point give for the types of an operation, or
/// nothing if the entry point has no such mode.
std::optional<std::uint32_t> Reader::default_mode(Id entry_point, const llvm::Instruction& operation) const {
  std::optional<std::uint32_t> bits;
  for (const ExecutionMode& mode : execution_modes.lookup(entry_point)) {
    if (mode.mode != default_execution_mode) continue;
    if (mode.operands.size() < 2) refuse("FPFastMathDefault needs two operands, a type and a fast-math mode");
    bits = bits.value_or(0);
    Operands in({spv::OpExecutionModeId, mode.operands});
    const Id type_id = in.id();
    const auto value = values_.find(in.id());
    const auto* number = value == values_.end() ? nullptr : dyn_cast<ConstantInt>(value->second.value);
    if (!number || number->getBitWidth() != 32)
      refuse("the fast-math mode of FPFastMathDefault must be a 32-bit constant");
    if (is_of(operation, type(type_id).ir)) *bits |= static_cast<std::uint32_t>(number->getZExtValue());
  }
  return bits;
}

/// A function can be called by several entry points, so an operation may assume only what all entry points
/// allow.
std::uint32_t Reader::fast_math_mode(Id result, const llvm::Instruction& operation) const {
  // Products and sums may be contracted unless a kernel (ContractionOff) or the instruction (NoContraction)
  // forbids it.
  const auto is_off = [](const ExecutionMode& mode) { return mode.mode == spv::ExecutionModeContractionOff; };
  const bool contracts =
      none_of(execution_modes, [&](const auto& modes) { return any_of(modes.second, is_off); }) &&
      !decorations.has(result, spv::DecorationNoContraction);
  const std::uint32_t by_default = contracts ? allow_contract : 0;
  if (const auto decorated = decorations.number(result, spv::DecorationFPFastMathMode))
    return float_controls_2 ? *decorated : *decorated | by_default;
  if (!float_controls_2 || entry_points.empty()) return by_default;
  std::uint32_t bits = ~0U;
  for (const EntryPoint& entry : entry_points)
    bits &= default_mode(entry.function, operation).value_or(by_default);
  return decorations.has(result, spv::DecorationNoContraction) ? bits & ~allow_contract : bits;
}

FastMathFlags Reader::fast_math(Id result, const llvm::Instruction& operation) const {
  const std::uint32_t mode = fast_math_mode(result, operation);
  FastMathFlags flags;
  flags.setAllowContract(mode & (allow_contract | allow_transformation));
  flags.setNoNaNs(mode & spv::FPFastMathModeNotNaNMask);
  flags.setNoInfs(mode & spv::FPFastMathModeNotInfMask);
  flags.setNoSignedZeros(mode & spv::FPFastMathModeNSZMask);
  flags.setAllowReciprocal(mode & spv::FPFastMathModeAllowRecipMask);
  if (mode & (allow_reassociation | allow_transformation)) flags.setAllowReassoc();
  if (mode & spv::FPFastMathModeFastMask) flags.setFast();
  return flags;
}

} // namespace hostcl::compiler::spirv
