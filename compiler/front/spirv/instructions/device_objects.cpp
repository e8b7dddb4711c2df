// Reads instructions for pipes, queues and events, and those with which kernels enqueue kernels
// (DeviceEnqueue), as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/abi/launch.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"

#include <array>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr unsigned max_dimensions = 3;

/// Returns a pointer to events, or a null pointer.
Value* events(Reader& r, Id id) {
  const TypedValue pointer = r.pointer(id);
  if (!pointer.type->element || pointer.type->element->op != spv::OpTypeDeviceEvent)
    refuse("the pointer does not point to device events");
  if (isa<ConstantPointerNull>(pointer.value))
    return ConstantPointerNull::get(PointerType::get(r.context(), generic_space));
  return r.generic(pointer.value);
}

/// The type of abi::BlockRange, which is OpenCL C's ndrange_t.
StructType* range_type(Reader& r) {
  auto* sizes = ArrayType::get(r.ir().getInt64Ty(), max_dimensions);
  return StructType::get(r.context(), {r.ir().getInt32Ty(), sizes, sizes, sizes});
}

void check_range(Reader& r, const llvm::Type* type) {
  const auto* structure = dyn_cast_or_null<StructType>(type);
  if (!structure || structure->isPacked() || structure->elements() != range_type(r)->elements())
    refuse("an NDRange is a structure of a 32-bit integer and three arrays of three 64-bit integers");
}

/// Returns the address of an NDRange. Some producers give its value, as the specification says, and others
/// give its address.
Value* range(Reader& r, Id id) {
  const TypedValue given = r.operand(id);
  if (given.type->is(Kind::pointer)) {
    check_range(r, given.type->element ? given.type->element->ir : nullptr);
    if (given.type->storage != spv::StorageClassFunction)
      refuse("the NDRange does not lie in storage of the function");
    return given.value;
  }
  check_range(r, given.value->getType());
  StructType* type = range_type(r);
  AllocaInst* place = r.new_variable(type);
  auto& ir = r.ir();
  auto store = [&](ArrayRef<unsigned> path) {
    SmallVector<Value*, 3> indices = {ir.getInt32(0)};
    for (unsigned index : path)
      indices.push_back(ir.getInt32(index));
    ir.CreateStore(ir.CreateExtractValue(given.value, path), ir.CreateInBoundsGEP(type, place, indices));
  };
  store({0});
  for (unsigned member = 1; member < type->getNumElements(); ++member)
    for (unsigned dimension = 0; dimension < max_dimensions; ++dimension)
      store({member, dimension});
  return place;
}

/// Returns the address of a kernel that calls the enqueued function. The kernel is made at the first use of
/// the function.
Value* invoked(Reader& r, Id id) {
  Function& function = r.declared_function(id);
  const FunctionType& type = *function.getFunctionType();
  auto is_pointer = [&](unsigned i) { return type.getParamType(i)->isPointerTy(); };
  if (!type.getReturnType()->isVoidTy() || type.getNumParams() == 0 || !is_pointer(0))
    refuse("an enqueued function must return void, and its first parameter must be a pointer");
  for (unsigned i = 1; i < type.getNumParams(); ++i)
    if (!is_pointer(i) || type.getParamType(i)->getPointerAddressSpace() != local_space)
      refuse("each parameter of an enqueued function after the first one must be a pointer to Workgroup");
  const std::string name = ("il.block." + function.getName()).str();
  Function* kernel = r.module().getFunction(name);
  if (!kernel) {
    SmallVector<llvm::Type*, 4> parameters(type.params());
    parameters[0] = PointerType::get(r.context(), generic_space);
    kernel = Function::Create(FunctionType::get(type.getReturnType(), parameters, false),
                              GlobalValue::InternalLinkage, name, r.module());
    kernel->setCallingConv(CallingConv::SPIR_KERNEL);
    kernel->addFnAttr(metadata::block_kernel, "true");
    IRBuilder<> builder(BasicBlock::Create(r.context(), "", kernel));
    SmallVector<Value*, 4> arguments(make_pointer_range(kernel->args()));
    arguments[0] = builder.CreateAddrSpaceCast(arguments[0], type.getParamType(0));
    builder.CreateCall(&function, arguments)->setCallingConv(function.getCallingConv());
    builder.CreateRetVoid();
  }
  return r.generic(kernel);
}

/// Returns an array of the sizes of local arguments, which are all remaining operands.
Value* local_sizes(Reader& r, Operands& in) {
  auto& ir = r.ir();
  if (in.empty()) return ConstantPointerNull::get(PointerType::get(r.context(), private_space));
  auto* type = ArrayType::get(ir.getInt64Ty(), in.size());
  AllocaInst* sizes = r.new_variable(type);
  for (unsigned i = 0; !in.empty(); ++i)
    ir.CreateStore(r.number(in.id(), 64), ir.CreateConstInBoundsGEP2_64(type, sizes, 0, i));
  return sizes;
}

/// A call of the library to which the operands of an instruction are added one by one. The columns of
/// instructions.inc have a letter for each operand:
///   n  a number of 32 bits                     r  a pipe that is read
///   q  a queue                                 w  a pipe that is written
///   e  a device event                          p  any pipe; the function's name ends in its access
///   E  a pointer to device events              i  a reservation
///   N  an NDRange                              g  a pointer, for the generic address space
///   s  a scope; the function's name begins     G  a pointer to CrossWorkgroup
///      with it
///   f  an enqueued function and its first argument: four operands, of which the size and the alignment of
///      the argument are not passed on
///   F  the same, with the size and the alignment, and the number and the sizes of the local arguments, which
///      are all operands that follow
class LibraryCall {
public:
  LibraryCall(Reader& reader, Operands in, const char* letters, const char* function)
      : r_(reader), in_(in), name_(function) {
    for (const char* letter = letters; *letter; ++letter)
      add(*letter);
  }

  Value* make(llvm::Type* result) { return r_.call(name_, result, arguments_); }

private:
  void add(char letter) {
    if (letter == 's')
      name_ = scope() + name_;
    else if (letter == 'f' || letter == 'F')
      add_function(letter == 'F');
    else
      arguments_.push_back(argument(letter, in_.id()));
  }

  Value* argument(char letter, Id id) {
    switch (letter) {
    case 'n':
      return r_.number(id);
    case 'q':
      return of_opaque(id, spv::OpTypeQueue, "a queue").value;
    case 'e':
      return of_opaque(id, spv::OpTypeDeviceEvent, "a device event").value;
    case 'E':
      return events(r_, id);
    case 'N':
      return range(r_, id);
    case 'i':
      return of_opaque(id, spv::OpTypeReserveId, "a reservation").value;
    case 'g':
    case 'G':
      return pointer(letter, id);
    default:
      return pipe(letter, id);
    }
  }

  void add_function(bool is_enqueued) {
    arguments_.append({invoked(r_, in_.id()), r_.generic(r_.pointer(in_.id()).value)});
    Value *bytes = r_.number(in_.id()), *alignment = r_.number(in_.id());
    if (!is_enqueued) return;
    Value* local_count = r_.ir().getInt32(static_cast<std::uint32_t>(in_.size()));
    arguments_.append({bytes, alignment, local_count, local_sizes(r_, in_)});
  }

  std::string scope() {
    const std::uint64_t scope = r_.constant_number(in_.id());
    if (scope != spv::ScopeWorkgroup && scope != spv::ScopeSubgroup)
      refuse("the scope is " + Twine(scope) + "; it must be Workgroup (2) or Subgroup (3)");
    return scope == spv::ScopeWorkgroup ? "__work_" : "__sub_";
  }

  TypedValue of_opaque(Id id, spv::Op op, const char* name) {
    const TypedValue value = r_.operand(id);
    if (value.type->op != op) refuse("the operand is not " + Twine(name));
    return value;
  }

  Value* pipe(char letter, Id id) {
    const TypedValue operand = of_opaque(id, spv::OpTypePipe, "a pipe");
    const bool is_read = operand.type->access == spv::AccessQualifierReadOnly;
    if (letter == 'p') name_ += is_read ? "ro" : "wo";
    if ((letter == 'r' && !is_read) || (letter == 'w' && is_read))
      refuse(is_read ? "the pipe is ReadOnly; the instruction needs a WriteOnly pipe"
                     : "the pipe is WriteOnly; the instruction needs a ReadOnly pipe");
    return operand.value;
  }

  Value* pointer(char letter, Id id) {
    const TypedValue pointer = r_.pointer(id);
    if (letter == 'g' && pointer.type->storage == spv::StorageClassUniformConstant)
      refuse("the pointer is to constant memory");
    if (letter == 'G' && pointer.type->storage != spv::StorageClassCrossWorkgroup)
      refuse("the pointer is not to CrossWorkgroup");
    return letter == 'G' ? pointer.value : r_.generic(pointer.value);
  }

  Reader& r_;
  Operands in_;
  std::string name_;
  SmallVector<Value*, 12> arguments_;
};

} // namespace

/// Reads an instruction that becomes one call of the library and has no result.
/// @param letters for the operands, as for LibraryCall
/// @param function name without the prefix for the scope and the suffix for the access of a pipe
void read_call(Reader& r, Operands in, const char* letters, const char* function) {
  LibraryCall(r, in, letters, function).make(r.ir().getVoidTy());
}

/// The same for an instruction whose result is a number, which the function returns as an int.
Value* read_number_call(Reader& r, const Type& type, Operands in, const char* letters, const char* function) {
  require_scalar(type, Kind::integer);
  return r.ir().CreateSExtOrTrunc(LibraryCall(r, in, letters, function).make(r.ir().getInt32Ty()), type.ir);
}

/// The same for an instruction whose result is a boolean.
Value* read_boolean_call(Reader& r, const Type& type, Operands in, const char* letters,
                         const char* function) {
  require_scalar(type, Kind::boolean);
  return LibraryCall(r, in, letters, function).make(type.ir);
}

/// The same for an instruction whose result is a reservation, a queue or an event.
/// @param expected instruction that declares the result type
Value* read_object_call(Reader& r, const Type& type, Operands in, spv::Op expected, const char* letters,
                        const char* function) {
  if (type.op != expected) refuse("the result type is not " + instruction_name(expected));
  return LibraryCall(r, in, letters, function).make(type.ir);
}

namespace {

/// Returns the numbers of a size or an offset, which is one number or an array of two or three.
SmallVector<Value*, 3> numbers_of(Reader& r, Id id) {
  const TypedValue given = r.operand(id);
  auto& ir = r.ir();
  if (given.type->is(Kind::integer)) return {r.number(id, 64)};
  if (!given.type->is(Kind::array) || !given.type->element->is(Kind::integer) || given.type->count < 2 ||
      given.type->count > max_dimensions)
    refuse("a size or offset is neither an integer nor an array of two or three");
  SmallVector<Value*, 3> numbers;
  for (unsigned i = 0; i < given.type->count; ++i)
    numbers.push_back(ir.CreateZExtOrTrunc(ir.CreateExtractValue(given.value, i), ir.getInt64Ty()));
  return numbers;
}

} // namespace

Value* read_build_nd_range(Reader& r, const Type& type, Operands in) {
  check_range(r, type.ir);
  const auto global = numbers_of(r, in.id()), local = numbers_of(r, in.id()), offset = numbers_of(r, in.id());
  if (local.size() != global.size() || offset.size() != global.size())
    refuse("sizes and offset are not of the same number of dimensions");
  auto& ir = r.ir();
  Value* made = ir.CreateInsertValue(PoisonValue::get(type.ir),
                                     ir.getInt32(static_cast<std::uint32_t>(global.size())), 0);
  for (unsigned d = 0; d < max_dimensions; ++d) {
    const bool is_used = d < global.size();
    made = ir.CreateInsertValue(made, is_used ? offset[d] : ir.getInt64(0), {1, d});
    made = ir.CreateInsertValue(made, is_used ? global[d] : ir.getInt64(1), {2, d});
    made = ir.CreateInsertValue(made, is_used ? local[d] : ir.getInt64(0), {3, d});
  }
  return made;
}

} // namespace hostcl::compiler::spirv
