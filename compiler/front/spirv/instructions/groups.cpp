// Reads collective operations of work-groups and sub-groups, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns whether the scope is a work-group; otherwise it is a sub-group. Refuses other scopes.
bool is_work_group(Reader& r, Id scope) {
  const std::uint64_t number = r.execution_scope(scope);
  if (number != spv::ScopeWorkgroup && number != spv::ScopeSubgroup)
    refuse("the scope is " + Twine(number) + "; it must be Workgroup (2) or Subgroup (3)");
  return number == spv::ScopeWorkgroup;
}

/// Refuses a constant scope that is not `expected`, the work-group or the sub-group. Other scopes cannot be
/// checked.
void check_scope(Reader& r, Id scope, spv::Scope expected) {
  if (r.is_constant_number(scope) && is_work_group(r, scope) != (expected == spv::ScopeWorkgroup))
    refuse(expected == spv::ScopeWorkgroup ? "the scope must be Workgroup (2)"
                                           : "the scope must be Subgroup (3)");
  r.scalar_integer(scope);
}

/// Returns whether the instruction has a scope operand. Extensions that are only for sub-groups have none.
bool has_scope(spv::Op op) {
  return op < spv::OpSubgroupBallotKHR;
}

/// Makes an argument of a value; the function takes its components. Booleans become uchar.
Argument value_argument(Reader& r, const Type& type, Value* value, bool is_signed = false) {
  const Type& scalar = type.scalar();
  const bool is_vector = type.is(Kind::vector);
  if (!scalar.is(Kind::boolean)) return {value, {.type = &scalar, .is_signed = is_signed}, is_vector};
  llvm::Type* bytes = value->getType()->getWithNewType(r.ir().getInt8Ty());
  return {r.ir().CreateZExt(value, bytes), {.name = "h"}, is_vector};
}

/// Makes an argument of an integer, with 32 bits: lanes and distances fit in that.
Argument number_argument(Reader& r, Id id, const char* name) {
  return {r.number(id), {.name = name}};
}

llvm::Type* ballot_type(Reader& r) {
  return FixedVectorType::get(r.ir().getInt32Ty(), 4);
}

Argument ballot_argument(Reader& r, Id id) {
  const TypedValue ballot = r.operand(id);
  if (ballot.type->ir != ballot_type(r)) refuse("a ballot is not a vector of four 32-bit integers");
  return {ballot.value, {.name = "Dv4_j"}};
}

/// Calls a function that returns a value of its type. Functions take and return booleans as uchar.
Value* call_for_value(Reader& r, const Type& type, StringRef function, ArrayRef<Argument> arguments) {
  if (!type.scalar().is(Kind::boolean)) return call_library(r, function, type.ir, arguments);
  llvm::Type* bytes = type.ir->getWithNewType(r.ir().getInt8Ty());
  return r.ir().CreateTrunc(call_library(r, function, bytes, arguments), type.ir);
}

/// Calls a function that returns booleans as int.
Value* call_for_boolean(Reader& r, StringRef function, llvm::Type* ints, ArrayRef<Argument> arguments) {
  return r.ir().CreateIsNotNull(call_library(r, function, ints, arguments));
}

Value* call_for_number(Reader& r, const Type& type, StringRef function, ArrayRef<Argument> arguments) {
  require_scalar(type, Kind::integer);
  Value* number = call_library(r, function, r.ir().getInt32Ty(), arguments);
  return r.ir().CreateZExtOrTrunc(number, type.ir);
}

Argument operand_argument(Reader& r, char letter, const Type& type, Operands& in) {
  switch (letter) {
  case 'v':
    return value_argument(r, type, r.of_type(in.id(), type));
  case 'p':
    return {r.ir().CreateZExt(r.scalar_boolean(in.id()).value, r.ir().getInt32Ty()), {.name = "i"}};
  case 'b':
    return ballot_argument(r, in.id());
  default: // 'u'
    return number_argument(r, in.id(), "j");
  }
}

/// Returns the part of a function's name that says which work-items an operation combines.
const char* span_name(std::uint32_t operation) {
  switch (operation) {
  case spv::GroupOperationReduce:
    return "reduce_";
  case spv::GroupOperationInclusiveScan:
    return "scan_inclusive_";
  case spv::GroupOperationExclusiveScan:
    return "scan_exclusive_";
  default:
    refuse("the group operation " + Twine(operation) + " is not supported");
  }
}

/// The number of lanes of the largest sub-group. A larger cluster is the whole sub-group.
constexpr std::uint64_t largest_cluster = 64;

Argument cluster_argument(Reader& r, Id id) {
  const std::uint64_t size = r.constant_number(id);
  if (!isPowerOf2_64(size)) refuse("the cluster size " + Twine(size) + " is not a power of two");
  return {r.ir().getInt32(std::min(size, largest_cluster)), {.name = "j"}};
}

/// Makes the argument of an operation with that letter in instructions.inc. Booleans become int here.
Argument operand_of(Reader& r, char letter, const Type& type, Value* value) {
  const Kind expected = letter == 'f' ? Kind::floating : letter == 'p' ? Kind::boolean : Kind::integer;
  require(type, expected);
  if (letter != 'p') return value_argument(r, type, value, /*is_signed=*/letter == 's');
  llvm::Type* ints = type.ir->getWithNewType(r.ir().getInt32Ty());
  return {r.ir().CreateZExt(value, ints), {.name = "i"}, type.is(Kind::vector)};
}

/// Returns the end of a block function's name, the type and the number of components: "_uc4" for four bytes.
std::string block_suffix(const Type& integers) {
  const unsigned bits = integers.scalar().ir->getIntegerBitWidth();
  const char* letters = bits == 8 ? "_uc" : bits == 16 ? "_us" : bits == 32 ? "_ui" : "_ul";
  return letters + (integers.is(Kind::vector) ? std::to_string(integers.count) : "");
}

/// Returns the unsigned integers that represent the values of a type in blocks.
const Type& block_type(Reader& r, const Type& type) {
  if (!type.scalar().is(Kind::integer) && !type.scalar().is(Kind::floating))
    refuse("blocks have no elements of that type");
  return r.integers_like(type, type.ir->getScalarSizeInBits());
}

bool is_of_image(spv::Op op) {
  return op == spv::OpSubgroupImageBlockReadINTEL || op == spv::OpSubgroupImageBlockWriteINTEL;
}

/// Returns the arguments for the place of a block: a pointer, whose content is still unknown, or an image and
/// the coordinates of the block's first element.
SmallVector<Argument, 3> block_place(Reader& r, Operands& in, bool is_read) {
  const bool of_image = is_of_image(in.op());
  const TypedValue base = of_image ? r.of_kind(in.id(), Kind::image) : r.pointer(in.id());
  SmallVector<Argument, 3> arguments = {{base.value, {.type = base.type, .is_const = is_read}}};
  if (of_image) arguments.push_back(argument(r.integer(in.id()), /*is_signed=*/true));
  return arguments;
}

/// Returns a type of that many bytes for an asynchronous copy: an integer, or a vector of integers.
const Type& element_of(Reader& r, std::uint64_t bytes) {
  constexpr std::uint64_t most = 128, word = 8;
  if (!isPowerOf2_64(bytes) || bytes > most)
    refuse("elements of " + Twine(bytes) + " bytes are not supported");
  if (bytes <= word) return r.integers_like({}, unsigned(bytes) * 8);
  return r.integers_like({.kind = Kind::vector, .count = bytes / word}, 64);
}

} // namespace

/// Reads an instruction that becomes one call of the library.
/// @param letters the first letter is for the result, and each other letter is for an operand: v a value of
///        the result type; p a boolean, which the function takes or returns as an int; u an unsigned integer
///        of 32 bits; b a ballot, which is a vector of four unsigned integers of 32 bits
/// @param name the function's name, without "work_" or "sub_" if the library has a function for each of the
///        two scopes
Value* read_group_function(Reader& r, const Type& type, Operands in, const char* letters, const char* name) {
  std::string function = name;
  if (StringRef(name).starts_with("group_"))
    function = (is_work_group(r, in.id()) ? "work_" : "sub_") + function;
  else if (has_scope(in.op()))
    check_scope(r, in.id(), spv::ScopeSubgroup);
  SmallVector<Argument, 3> arguments;
  for (const char* letter = letters + 1; *letter; ++letter)
    arguments.push_back(operand_argument(r, *letter, type, in));
  switch (letters[0]) {
  case 'v':
    return call_for_value(r, type, function, arguments);
  case 'p':
    return call_for_boolean(r, function, r.ir().getInt32Ty(), arguments);
  case 'u':
    return call_for_number(r, type, function, arguments);
  default: // 'b'
    return call_library(r, function, ballot_type(r), arguments);
  }
}

/// Vectors are equal if all their components are equal.
Value* read_all_equal(Reader& r, const Type&, Operands in) {
  if (has_scope(in.op())) check_scope(r, in.id(), spv::ScopeSubgroup);
  const TypedValue value = r.operand(in.id());
  llvm::Type* numbers = r.ir().getInt32Ty();
  if (value.type->is(Kind::vector)) numbers = value.type->ir->getWithNewType(numbers);
  Value* equal = call_for_boolean(r, "sub_group_non_uniform_all_equal", numbers,
                                  {value_argument(r, *value.type, value.value)});
  return value.type->is(Kind::vector) ? r.ir().CreateAndReduce(equal) : equal;
}

/// The local id has as many components as the work-group has dimensions.
Value* read_group_broadcast(Reader& r, const Type& type, Operands in) {
  const bool in_work_group = is_work_group(r, in.id());
  SmallVector<Argument, 4> arguments = {value_argument(r, type, r.of_type(in.id(), type))};
  const Id place = in.id();
  if (!in_work_group) {
    arguments.push_back(number_argument(r, place, "j"));
    return call_for_value(r, type, "sub_group_broadcast", arguments);
  }
  const TypedValue id = r.integer(place);
  const std::uint64_t dimensions = id.type->is(Kind::vector) ? id.type->count : 1;
  if (dimensions > 3) refuse("the local id has more than three components");
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    Value* component = id.type->is(Kind::vector) ? r.ir().CreateExtractElement(id.value, i) : id.value;
    arguments.push_back({r.ir().CreateZExtOrTrunc(component, r.ir().getInt64Ty()), {.name = "m"}});
  }
  return call_for_value(r, type, "work_group_broadcast", arguments);
}

/// Reads reductions and scans. For sub-groups it calls the non-uniform functions, which know more operations.
/// @param letter type of the values: s signed integers, u unsigned integers, f floating-point numbers, p
///        booleans
/// @param name the end of the names of the operation's functions, such as "add"
Value* read_group_arithmetic(Reader& r, const Type& type, Operands in, char letter, const char* name) {
  const bool in_work_group = is_work_group(r, in.id());
  const std::uint32_t operation = in.word();
  SmallVector<Argument, 2> arguments = {operand_of(r, letter, type, r.of_type(in.id(), type))};
  std::string function;
  if (operation == spv::GroupOperationClusteredReduce) {
    if (in_work_group) refuse("ClusteredReduce needs the scope Subgroup (3)");
    arguments.push_back(cluster_argument(r, in.id()));
    function = std::string("sub_group_clustered_reduce_") + name;
  } else {
    function =
        std::string(in_work_group ? "work_group_" : "sub_group_non_uniform_") + span_name(operation) + name;
  }
  if (letter != 'p') return call_for_value(r, type, function, arguments);
  llvm::Type* ints = type.ir->getWithNewType(r.ir().getInt32Ty());
  return call_for_boolean(r, function, ints, arguments);
}

Value* read_ballot_bit_count(Reader& r, const Type& type, Operands in) {
  check_scope(r, in.id(), spv::ScopeSubgroup);
  const std::uint32_t operation = in.word();
  const char* function = operation == spv::GroupOperationReduce          ? "sub_group_ballot_bit_count"
                         : operation == spv::GroupOperationInclusiveScan ? "sub_group_ballot_inclusive_scan"
                         : operation == spv::GroupOperationExclusiveScan ? "sub_group_ballot_exclusive_scan"
                                                                         : nullptr;
  if (!function) refuse("the group operation " + Twine(operation) + " is not supported");
  return call_for_number(r, type, function, {ballot_argument(r, in.id())});
}

Value* read_rotation(Reader& r, const Type& type, Operands in) {
  check_scope(r, in.id(), spv::ScopeSubgroup);
  Value* value = r.of_type(in.id(), type);
  SmallVector<Argument, 3> arguments = {value_argument(r, type, value), number_argument(r, in.id(), "i")};
  if (in.empty()) return call_for_value(r, type, "sub_group_rotate", arguments);
  arguments.push_back(cluster_argument(r, in.id()));
  return call_for_value(r, type, "sub_group_clustered_rotate", arguments);
}

/// Reads OpGroupAsyncCopy and OpUntypedGroupAsyncCopyKHR (SPV_KHR_untyped_pointers), which has an operand for
/// the size of an element.
Value* read_async_copy(Reader& r, const Type& type, Operands in) {
  check_scope(r, in.id(), spv::ScopeWorkgroup);
  const TypedValue target = r.pointer(in.id()), source = r.pointer(in.id());
  const bool is_typed = in.op() == spv::OpGroupAsyncCopy;
  const Type* element = is_typed ? target.type->element : &element_of(r, r.constant_number(in.id()));
  if (!element || !element->ir || (is_typed && source.type->element != element))
    refuse("the pointers are not to objects of one type");
  return call_library(r, "async_work_group_strided_copy", type.ir,
                      {{target.value, {.type = target.type, .content = element}},
                       {source.value, {.type = source.type, .is_const = true, .content = element}},
                       {r.number(in.id(), 64), {.name = "m"}}, // the number of elements
                       {r.number(in.id(), 64), {.name = "m"}}, // the stride
                       argument({r.of_type(in.id(), type), &type})});
}

void read_wait_events(Reader& r, Operands in) {
  check_scope(r, in.id(), spv::ScopeWorkgroup);
  const Argument count = number_argument(r, in.id(), "i");
  const TypedValue events = r.pointer(in.id());
  if (events.type->storage != spv::StorageClassFunction && events.type->storage != spv::StorageClassGeneric)
    refuse("events lie in the storage class Function or Generic");
  static const Type event{.kind = Kind::opaque, .op = spv::OpTypeEvent};
  if (events.type->element && events.type->element->op != event.op)
    refuse("the pointer does not point to events");
  call_library(r, "wait_group_events", r.ir().getVoidTy(),
               {count, {events.value, {.type = events.type, .content = &event}}});
}

Value* read_block_read(Reader& r, const Type& type, Operands in) {
  const Type& integers = block_type(r, type);
  SmallVector<Argument, 3> arguments = block_place(r, in, /*is_read=*/true);
  arguments[0].parameter.content = &integers.scalar();
  return r.ir().CreateBitCast(
      call_library(r, "intel_sub_group_block_read" + block_suffix(integers), integers.ir, arguments),
      type.ir);
}

void read_block_write(Reader& r, Operands in) {
  SmallVector<Argument, 3> arguments = block_place(r, in, /*is_read=*/false);
  const TypedValue data = r.operand(in.id());
  const Type& integers = block_type(r, *data.type);
  arguments[0].parameter.content = &integers.scalar();
  arguments.push_back(argument({r.ir().CreateBitCast(data.value, integers.ir), &integers}));
  call_library(r, "intel_sub_group_block_write" + block_suffix(integers), r.ir().getVoidTy(), arguments);
}

/// Only checks the operands: the CPU prefetches by itself when a sub-group reads consecutive memory.
void read_prefetch_hint(Reader& r, Operands in) {
  r.pointer(in.id());
  r.scalar_integer(in.id());
}

} // namespace hostcl::compiler::spirv
