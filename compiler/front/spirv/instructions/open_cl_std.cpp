// Reads the extended instructions of OpenCL.std, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"
#include "compiler/ir/spaces.hpp"

#include <array>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns the part of a name that follows that of the family: the number of components, or nothing for a
/// scalar.
std::string count_suffix(const Type& type) {
  return type.is(Kind::vector) ? std::to_string(type.count) : "";
}

/// Returns the function's name without the name of a type. An instruction's name ends in n where the function
/// has the number of components: vloadn is vload4, vloada_halfn is vloada_half4.
std::string family_name(StringRef instruction, const Type& type) {
  instruction.consume_back("_r");
  return instruction.ends_with("n") ? instruction.drop_back().str() + count_suffix(type) : instruction.str();
}

/// Returns the type of an element in memory for the functions of a family.
const Type& element_in_memory(Reader& r, StringRef instruction, const Type& type) {
  return instruction.contains("half") ? r.half_type() : type.scalar();
}

/// Returns the type for values that are only moved: numbers that IR has no type for become integers.
const Type& moved(Reader& r, const Type* type) {
  return type->scalar().is_short_float() ? r.integers_like(*type, type->ir->getScalarSizeInBits()) : *type;
}

Value* read_vector_load(Reader& r, const Type& type, Operands& in, StringRef instruction) {
  const TypedValue offset = r.scalar_integer(in.id()), pointer = r.pointer(in.id());
  const Type& element = element_in_memory(r, instruction, moved(r, &type));
  return call_library(
      r, family_name(instruction, type), type.ir,
      {argument(offset),
       {pointer.value, {.type = pointer.type, .is_signed = true, .is_const = true, .content = &element}}});
}

Value* read_vector_store(Reader& r, const Type& type, Operands& in, StringRef instruction) {
  const TypedValue data = r.operand(in.id()), offset = r.scalar_integer(in.id()),
                   pointer = r.pointer(in.id());
  const Type& stored = moved(r, data.type);
  const Type& element = element_in_memory(r, instruction, stored);
  const char* rounding = instruction.ends_with("_r") ? rounding_name(in.word()) : "";
  return call_library(r, family_name(instruction, *data.type) + rounding, type.ir,
                      {argument({data.value, &stored}, /*is_signed=*/true),
                       argument(offset),
                       {pointer.value, {.type = pointer.type, .is_signed = true, .content = &element}}});
}

/// Promotes an argument as C does for variable arguments.
Value* promoted(Reader& r, const TypedValue& argument) {
  const Type& scalar = argument.type->scalar();
  if (argument.type->is(Kind::vector)) return argument.value;
  if (scalar.is(Kind::floating)) return r.ir().CreateFPExt(argument.value, r.ir().getDoubleTy());
  if (scalar.is(Kind::integer) && scalar.ir->getIntegerBitWidth() > 64)
    refuse("printf() has no integers of " + Twine(scalar.ir->getIntegerBitWidth()) + " bits");
  if (scalar.is(Kind::integer) && scalar.ir->getIntegerBitWidth() < 32)
    return r.ir().CreateSExt(argument.value, r.ir().getInt32Ty());
  return argument.value;
}

Value* read_printf(Reader& r, const Type& result, Operands& in, StringRef) {
  auto* constant_pointer = PointerType::get(r.context(), constant_space);
  auto* type = FunctionType::get(r.ir().getInt32Ty(), {constant_pointer}, true);
  if (result.ir != r.ir().getInt32Ty()) refuse("the result is not an integer of 32 bits");
  FunctionCallee callee = r.module().getOrInsertFunction("printf", type);
  auto* function = dyn_cast<Function>(callee.getCallee());
  if (!function || function->getFunctionType() != type) refuse("the module has another printf()");
  function->setCallingConv(CallingConv::SPIR_FUNC);
  SmallVector<Value*, 8> arguments;
  // A pointer to the string may be in any address space (SPV_EXT_relaxed_printf_string_address_space).
  arguments.push_back(r.ir().CreateAddrSpaceCast(r.pointer(in.id()).value, constant_pointer));
  while (!in.empty())
    arguments.push_back(promoted(r, r.operand(in.id())));
  CallInst* call = r.ir().CreateCall(callee, arguments);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  return call;
}

/// Ignores the hint, as the library does.
Value* read_prefetch(Reader& r, const Type&, Operands& in, StringRef) {
  r.pointer(in.id());
  r.scalar_integer(in.id());
  return nullptr;
}

/// An instruction that is not the function with its name.
struct Exception {
  std::string_view instruction, function, parameters;
  Value* (*read_memory)(Reader&, const Type&, Operands&, StringRef);
};

constexpr Exception exceptions[] = {
#define FUNCTION(instruction, function, parameters) {#instruction, function, parameters, nullptr},
#define MEMORY_FUNCTION(instruction, reader) {#instruction, "", "", reader},
#include "compiler/front/spirv/instructions/open_cl_std.inc"
};

struct FunctionRow {
  std::uint32_t number;
  std::string_view instruction, function;
  std::string_view parameters; ///< letters of open_cl_std.inc
  char letter = 's';           ///< of the parameters that `parameters` lacks
  Value* (*read_memory)(Reader&, const Type&, Operands&, StringRef) = nullptr;
};

constexpr FunctionRow row_of(std::uint32_t number, std::string_view instruction) {
  for (const Exception& each : exceptions)
    if (each.instruction == instruction)
      return {number, instruction, each.function, each.parameters, 's', each.read_memory};
  const bool is_unsigned = instruction.starts_with("u_");
  const bool has_prefix = is_unsigned || instruction.starts_with("s_");
  return {number, instruction, instruction.substr(has_prefix ? 2 : 0), "", is_unsigned ? 'u' : 's'};
}

constexpr auto rows = std::to_array<FunctionRow>({
#define OPEN_CL(number, name) row_of(number, #name),
#include "open_cl_std_names.inc"
#undef OPEN_CL
});

/// Returns the operand as the argument that a letter of open_cl_std.inc stands for.
Argument argument_of(Reader& r, char letter, const TypedValue& operand, const TypedValue& first) {
  if (letter == 's' || letter == 'u') return argument(operand, letter == 's');
  if (!operand.type->is(Kind::pointer)) refuse("the last operand is not a pointer");
  const Type& content = letter == 'p' ? *first.type : r.integers_like(*first.type);
  return {operand.value, {.type = operand.type, .is_signed = true, .content = &content}};
}

Value* call_function(Reader& r, const FunctionRow& row, const Type& type, Operands& in) {
  const auto call = [&](const Type& made) {
    SmallVector<Argument, 4> arguments;
    TypedValue first;
    while (!in.empty()) {
      const TypedValue operand = r.operand(in.id());
      if (!first.type) first = operand;
      const std::size_t i = arguments.size();
      const char letter = i < row.parameters.size() ? row.parameters[i] : row.letter;
      arguments.push_back(argument_of(r, letter, operand, first));
    }
    return call_library(r, row.function, made.ir, arguments);
  };
  const bool has_pointer = row.parameters.find_first_of("pq") != std::string_view::npos;
  return has_pointer ? call(type) : r.in_floats(type, call);
}

void read_open_cl(Reader& r, const Type& type, Id result, Operands& in) {
  const std::uint32_t number = in.word();
  auto row = llvm::find_if(rows, [&](const FunctionRow& candidate) { return candidate.number == number; });
  if (row == rows.end()) refuse("OpenCL.std has no instruction " + Twine(number));
  Value* value = nullptr;
  if (const auto mode = row->instruction == "sqrt" ? rounding_of(r, type, result) : std::nullopt; mode) {
    require(type, Kind::floating);
    value = rounded_root(r, type, *mode, r.of_type(in.id(), type));
  } else {
    value =
        row->read_memory ? row->read_memory(r, type, in, row->instruction) : call_function(r, *row, type, in);
  }
  if (value && !type.is(Kind::nothing)) r.define(result, type, value);
}

} // namespace

void read_extended_instruction(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  switch (entry(r.instruction_sets, in.id(), "a set of extended instructions")) {
  case InstructionSet::open_cl:
    return read_open_cl(r, type, result, in);
  case InstructionSet::debug_information: // SourceLines reads what it needs of them
  case InstructionSet::shader_debug_information:
  case InstructionSet::non_semantic:
    return; // these do not change what is computed
  }
}

} // namespace hostcl::compiler::spirv
