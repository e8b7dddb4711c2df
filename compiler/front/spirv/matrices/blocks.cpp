// Reads SPV_INTEL_2d_block_io, as calls of the built-in library.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/ADT/STLExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

struct Shape {
  spv::Op op;
  const char* function; ///< the part of the function's name that says what it does
  const char* element;  ///< type of the objects in which each work-item has its part of the block
  std::uint64_t bits, rows, columns, count;
};
constexpr Shape shapes[] = {
#define HOSTCL_2D_READ(T, ...) {opcodes::OpSubgroup2DBlockLoadINTEL, "read", #T, __VA_ARGS__},
#define HOSTCL_2D_TRANSFORM(T, ...)                                                                          \
  {opcodes::OpSubgroup2DBlockLoadTransformINTEL, "read_transform", #T, __VA_ARGS__},
#define HOSTCL_2D_TRANSPOSE(T, ...)                                                                          \
  {opcodes::OpSubgroup2DBlockLoadTransposeINTEL, "read_transpose", #T, __VA_ARGS__},
#define HOSTCL_2D_WRITE(T, ...) {opcodes::OpSubgroup2DBlockStoreINTEL, "write", #T, __VA_ARGS__},
#define HOSTCL_2D_PREFETCH(T, ...) {opcodes::OpSubgroup2DBlockPrefetchINTEL, "prefetch", #T, __VA_ARGS__},
#include "builtins/include/hostcl/intel_2d_block_shapes.h"
#undef HOSTCL_2D_READ
#undef HOSTCL_2D_TRANSFORM
#undef HOSTCL_2D_TRANSPOSE
#undef HOSTCL_2D_WRITE
#undef HOSTCL_2D_PREFETCH
};

Value* pointer_to(Reader& r, Id id, spv::StorageClass storage, const char* name) {
  const TypedValue pointer = r.pointer(id);
  if (pointer.type->storage != storage) refuse("a pointer is not to the storage class " + Twine(name));
  return pointer.value;
}

} // namespace

void read_2d_block(Reader& r, Operands in) {
  const std::uint64_t bytes = r.constant_number(in.id()), columns = r.constant_number(in.id()),
                      rows = r.constant_number(in.id()), count = r.constant_number(in.id());
  const auto* shape = find_if(shapes, [&](const Shape& one) {
    return one.op == in.op() && one.bits == bytes * 8 && one.rows == rows && one.columns == columns &&
           one.count == count;
  });
  if (shape == std::end(shapes))
    refuse(Twine(count) + " blocks of " + Twine(rows) + " rows and " + Twine(columns) + " columns of " +
           Twine(bytes) + "-byte elements are not supported");
  const auto part = [&] {
    const std::string name = StringRef(shape->element) == "uchar"    ? "Ph"
                             : StringRef(shape->element) == "ushort" ? "Pt"
                                                                     : "Pj";
    return Argument{pointer_to(r, in.id(), spv::StorageClassFunction, "Function"), {.name = name}};
  };
  const bool is_store = in.op() == opcodes::OpSubgroup2DBlockStoreINTEL;
  SmallVector<Argument, 1> parts;
  if (is_store) parts.push_back(part());
  SmallVector<Argument, 6> arguments = {
      {pointer_to(r, in.id(), spv::StorageClassCrossWorkgroup, "CrossWorkgroup"), {.name = "PU3AS1v"}}};
  for (int i = 0; i < 3; ++i) // the memory's width, height and pitch
    arguments.push_back({r.number(in.id()), {.name = "i"}});
  const TypedValue coordinate = r.integer(in.id());
  if (coordinate.type->ir != FixedVectorType::get(r.ir().getInt32Ty(), 2))
    refuse("the coordinate is not a vector of two 32-bit integers");
  arguments.push_back(argument(coordinate, /*is_signed=*/true));
  if (!is_store && in.op() != opcodes::OpSubgroup2DBlockPrefetchINTEL) parts.push_back(part());
  arguments.append(parts);
  const std::string function = "intel_sub_group_2d_block_" + std::string(shape->function) + "_" +
                               std::to_string(shape->bits) + "b_" + std::to_string(rows) + "r" +
                               std::to_string(columns) + "x" + std::to_string(count) + "c";
  call_library(r, function, r.ir().getVoidTy(), arguments);
}

} // namespace hostcl::compiler::spirv
