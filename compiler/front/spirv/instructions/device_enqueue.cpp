// Reads instructions with which kernels enqueue kernels (DeviceEnqueue), as calls of the built-in library.
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

Value* of_opaque(Reader& r, Id id, spv::Op op, const char* name) {
  const TypedValue value = r.operand(id);
  if (value.type->op != op || !value.type->is(Kind::opaque)) refuse("the operand is not " + Twine(name));
  return value.value;
}
Value* queue(Reader& r, Id id) {
  return of_opaque(r, id, spv::OpTypeQueue, "a queue");
}
Value* event(Reader& r, Id id) {
  return of_opaque(r, id, spv::OpTypeDeviceEvent, "a device event");
}

Value* number32(Reader& r, Id id) {
  return r.ir().CreateZExtOrTrunc(r.scalar_integer(id).value, r.ir().getInt32Ty());
}

Value* generic(Reader& r, Value* pointer) {
  return r.ir().CreateAddrSpaceCast(pointer, PointerType::get(r.context(), generic_space));
}

/// Returns a pointer to events, or a null pointer.
Value* events(Reader& r, Id id) {
  const TypedValue pointer = r.pointer(id);
  if (!pointer.type->element || pointer.type->element->op != spv::OpTypeDeviceEvent)
    refuse("the pointer does not point to device events");
  if (isa<ConstantPointerNull>(pointer.value))
    return ConstantPointerNull::get(PointerType::get(r.context(), generic_space));
  return generic(r, pointer.value);
}

AllocaInst* new_variable(Reader& r, llvm::Type* type) {
  BasicBlock& entry = r.function().getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(type);
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
  AllocaInst* place = new_variable(r, type);
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
  return generic(r, kernel);
}

/// A kernel for an enqueued function, and the function's first argument (`literal`) with its size and
/// alignment.
struct Invocation {
  Value *kernel, *literal, *bytes, *alignment;
};

Invocation invocation(Reader& r, Operands& in) {
  Value* kernel = invoked(r, in.id());
  Value* literal = generic(r, r.pointer(in.id()).value);
  Value* bytes = number32(r, in.id());
  return {kernel, literal, bytes, number32(r, in.id())};
}

/// Returns an array of the sizes of local arguments, which are all remaining operands.
Value* local_sizes(Reader& r, Operands& in) {
  auto& ir = r.ir();
  if (in.empty()) return ConstantPointerNull::get(PointerType::get(r.context(), private_space));
  auto* type = ArrayType::get(ir.getInt64Ty(), in.size());
  AllocaInst* sizes = new_variable(r, type);
  for (unsigned i = 0; !in.empty(); ++i)
    ir.CreateStore(ir.CreateZExtOrTrunc(r.scalar_integer(in.id()).value, ir.getInt64Ty()),
                   ir.CreateConstInBoundsGEP2_64(type, sizes, 0, i));
  return sizes;
}

/// Defines the result as the status or number that a function of the library returned as an int.
void define_number(Reader& r, const Type& type, Id result, Value* number) {
  if (!type.is(Kind::integer)) refuse("the result is not an integer");
  r.define(result, type, r.ir().CreateZExtOrTrunc(number, type.ir));
}

} // namespace

void read_enqueue_kernel(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  Value* to = queue(r, in.id());
  Value* flags = number32(r, in.id());
  Value* place = range(r, in.id());
  Value* count = number32(r, in.id());
  Value* waits = events(r, in.id());
  Value* made = events(r, in.id());
  const Invocation block = invocation(r, in);
  Value* local_count = r.ir().getInt32(static_cast<std::uint32_t>(in.size()));
  Value* sizes = local_sizes(r, in);
  define_number(r, type, result,
                r.call("__hostcl_enqueue_function", r.ir().getInt32Ty(),
                       {to, flags, place, count, waits, made, block.kernel, block.literal, block.bytes,
                        block.alignment, local_count, sizes}));
}

void read_enqueue_marker(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  Value* to = queue(r, in.id());
  Value* count = number32(r, in.id());
  Value* waits = events(r, in.id());
  Value* made = events(r, in.id());
  define_number(r, type, result,
                r.call("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_", r.ir().getInt32Ty(),
                       {to, count, waits, made}));
}

/// Reads queries about an enqueued function.
/// @param before the operand before the function: 'r' an NDRange, 'n' a number, '-' none
/// @param query the function of the library without the beginning and the end of its name
void read_kernel_query(Reader& r, Operands in, char before, const char* query) {
  const auto [type, result] = read_result(r, in);
  SmallVector<Value*, 3> arguments;
  if (before == 'r') arguments.push_back(range(r, in.id()));
  if (before == 'n') arguments.push_back(number32(r, in.id()));
  const Invocation block = invocation(r, in);
  arguments.append({block.kernel, block.literal});
  const std::string function = std::string("__get_kernel_") + query + "_impl";
  define_number(r, type, result, r.call(function, r.ir().getInt32Ty(), arguments));
}

void read_event_reference(Reader& r, Operands in, const char* function) {
  r.call(function, r.ir().getVoidTy(), {event(r, in.id())});
}

/// Reads instructions without operands that return a queue or an event.
void read_new_device_object(Reader& r, Operands in, spv::Op expected, const char* function) {
  const Type& type = r.value_type(in.id());
  if (type.op != expected) refuse("the result type is not OpTypeQueue or OpTypeDeviceEvent");
  r.define(in.id(), type, r.call(function, type.ir, {}));
}

void read_is_valid_event(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (!type.is(Kind::boolean)) refuse("the result is not a boolean");
  r.define(result, type, r.call("_Z14is_valid_event12ocl_clkevent", type.ir, {event(r, in.id())}));
}

void read_set_user_event_status(Reader& r, Operands in) {
  Value* which = event(r, in.id());
  r.call("_Z21set_user_event_status12ocl_clkeventi", r.ir().getVoidTy(), {which, number32(r, in.id())});
}

void read_capture_event_profile(Reader& r, Operands in) {
  Value* which = event(r, in.id());
  Value* name = number32(r, in.id());
  const TypedValue pointer = r.pointer(in.id());
  if (pointer.type->storage != spv::StorageClassCrossWorkgroup)
    refuse("the pointer is not to CrossWorkgroup");
  r.call("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", r.ir().getVoidTy(),
         {which, name, pointer.value});
}

namespace {

/// Returns the numbers of a size or an offset, which is one number or an array of two or three.
SmallVector<Value*, 3> numbers_of(Reader& r, Id id) {
  const TypedValue given = r.operand(id);
  auto& ir = r.ir();
  auto wide = [&](Value* number) { return ir.CreateZExtOrTrunc(number, ir.getInt64Ty()); };
  if (given.type->is(Kind::integer)) return {wide(given.value)};
  if (!given.type->is(Kind::array) || !given.type->element->is(Kind::integer) || given.type->count < 2 ||
      given.type->count > max_dimensions)
    refuse("a size or offset is neither an integer nor an array of two or three");
  SmallVector<Value*, 3> numbers;
  for (unsigned i = 0; i < given.type->count; ++i)
    numbers.push_back(wide(ir.CreateExtractValue(given.value, i)));
  return numbers;
}

} // namespace

void read_build_nd_range(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
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
  r.define(result, type, made);
}

} // namespace hostcl::compiler::spirv
