// Reads the cooperative matrices of SPV_KHR_cooperative_matrix. In IR, a matrix is a vector of its components, one row
// after the other. All work-items of a sub-group have the same vector, so the vectoriser computes it once for the
// sub-group:
//
//   %m = OpCooperativeMatrixLoadKHR %matrix %p %row_major %stride
//     =>   %q = call ptr addrspace(1) @__hostcl_sub_group_first_p1(ptr addrspace(1) %p)
//          loads of the rows at %q, %q + stride, ..., which shuffles put together
//   %d = OpCooperativeMatrixMulAddKHR %matrix %a %b %c
//     =>   %d = %c + llvm.matrix.multiply(%b, %a)
//
// LLVM stores matrices column by column, so LLVM sees each matrix transposed. B^T * A^T is the transposed product.
//
// As parts of a composite, all components belong to the first work-item of the sub-group: OpCooperativeMatrixLengthKHR
// is 0 for all other work-items.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/ir/matrices.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/MatrixBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr std::uint64_t least_side = 8, largest_side = 64, most_components = 1024;

enum Role : std::uint32_t { use_a, use_b, use_accumulator };
enum Layout : std::uint64_t { row_major, column_major };
enum OperandMask : std::uint32_t {
  signed_a = 1,
  signed_b = 2,
  signed_c = 4,
  signed_result = 8,
  saturating = 16,
};

/// The type as a part of an error message, such as "8 x 16 components of float32".
std::string shape_name(const Type& component, std::uint64_t rows, std::uint64_t columns) {
  const unsigned bits = component.ir->getScalarSizeInBits();
  const std::string name = component.is(Kind::bfloat)     ? "bfloat16"
                           : component.is(Kind::floating) ? "float" + std::to_string(bits)
                           : component.is(Kind::integer)  ? "int" + std::to_string(bits)
                                                          : "that type";
  return std::to_string(rows) + " x " + std::to_string(columns) + " components of " + name;
}

std::string shape_name(const Type& matrix) {
  return shape_name(*matrix.element, matrix.rows, matrix.columns);
}

bool is_component(const Type& type) {
  if (type.is(Kind::bfloat) || type.is(Kind::floating)) return true;
  const unsigned bits = type.is(Kind::integer) ? type.ir->getIntegerBitWidth() : 0;
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool is_side(std::uint64_t number) {
  return isPowerOf2_64(number) && number >= least_side && number <= largest_side;
}

TypedValue matrix(Reader& r, Id id) {
  const TypedValue value = r.operand(id);
  if (!value.type->is(Kind::matrix)) refuse(described(id) + " is not a cooperative matrix");
  return value;
}

/// Whether the work-item is the first one of its sub-group.
Value* is_first_item(Reader& r) {
  CallInst* item = r.call("_Z22get_sub_group_local_idv", r.ir().getInt32Ty(), {});
  item->setMemoryEffects(MemoryEffects::none());
  return r.ir().CreateIsNull(item);
}

/// The rows of a matrix in memory, or its columns.
class Lines {
public:
  Lines(Reader& r, const Type& type, const TypedValue& pointer, Operands& in)
      : r_(r), type_(type), is_row_major_(read_layout(r, in)) {
    const Type* unit = pointer.type->element;
    if (!unit || !(unit->scalar().is(Kind::integer) || unit->scalar().is(Kind::floating) ||
                   unit->scalar().is(Kind::bfloat)))
      refuse("the pointer does not point to a number or a vector of numbers");
    if (in.empty()) refuse("the stride is missing; both layouts need one");
    const TypedValue stride = r.scalar_integer(in.id());
    access_ = read_access(r, in);
    order();
    const auto bytes = [&](const Type& of) { return r.layout().getTypeStoreSize(of.ir).getFixedValue(); };
    const auto unit_bytes = r.layout().getTypeAllocSize(unit->ir).getFixedValue();
    alignment_ = Align(std::min(bytes(unit->scalar()), bytes(*type.element)));
    if (access_.alignment != 0) alignment_ = std::min(alignment_, Align(access_.alignment));
    first_ = of_first_lane(r.ir(), pointer.value);
    Value* units = r.ir().CreateZExtOrTrunc(stride.value, r.ir().getInt64Ty());
    stride_ = r.ir().CreateMul(of_first_lane(r.ir(), units), r.ir().getInt64(unit_bytes));
  }

  Value* load() {
    SmallVector<Value*, most_components / longest_vector> parts;
    for_each_part([&](unsigned, Value* address) {
      LoadInst* part = r_.ir().CreateAlignedLoad(part_type(), address, alignment_);
      decorate(r_, *part, access_);
      parts.push_back(part);
    });
    order();
    Value* all = concatenateVectors(r_.ir(), parts);
    return is_row_major_ ? all : transposed(r_.ir(), all, type_.columns, type_.rows);
  }

  void store(Value* matrix) {
    if (!is_row_major_) matrix = transposed(r_.ir(), matrix, type_.rows, type_.columns);
    // One work-item stores, so that checks see no race between the work-items.
    where(r_, is_first_item(r_), nullptr, [&]() -> Value* {
      for_each_part([&](unsigned first, Value* address) {
        Value* part = r_.ir().CreateShuffleVector(matrix, createSequentialMask(first, part_length(), 0));
        decorate(r_, *r_.ir().CreateAlignedStore(part, address, alignment_), access_);
      });
      order();
      return nullptr;
    });
  }

private:
  static bool read_layout(Reader& r, Operands& in) {
    const std::uint64_t layout = r.constant_number(in.id());
    if (layout > column_major)
      refuse("the layout is " + Twine(layout) + "; it must be RowMajorKHR (0) or ColumnMajorKHR (1)");
    return layout == row_major;
  }
  /// Keeps passes from moving or removing a volatile access. The loads and stores are not volatile in IR, because each
  /// work-item of the sub-group would then make the access.
  void order() {
    if (!access_.is_volatile) return;
    r_.ir().CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  }
  unsigned count() const { return is_row_major_ ? type_.rows : type_.columns; }
  unsigned length() const { return is_row_major_ ? type_.columns : type_.rows; }
  /// Each line is one part, or several if it is longer than other vectors are.
  unsigned part_length() const { return std::min(length(), longest_vector); }
  llvm::Type* part_type() const { return FixedVectorType::get(type_.element->ir, part_length()); }

  /// @param access gets the number of the part's first component, and the part's address
  void for_each_part(function_ref<void(unsigned, Value*)> access) {
    IRBuilder<>& ir = r_.ir();
    const std::uint64_t bytes = r_.layout().getTypeStoreSize(type_.element->ir).getFixedValue();
    for (unsigned line = 0; line < count(); ++line) {
      Value* start = ir.CreateGEP(ir.getInt8Ty(), first_, ir.CreateMul(stride_, ir.getInt64(line)));
      for (unsigned at = 0; at < length(); at += part_length())
        access(line * length() + at, ir.CreateConstGEP1_64(ir.getInt8Ty(), start, at * bytes));
    }
  }

  Reader& r_;
  const Type& type_;
  bool is_row_major_;
  Access access_;
  Align alignment_;
  Value *first_, *stride_; ///< the stride in bytes
};

/// Converts the components to the type in which products are computed: `to`, or a vector with elements of type `to`.
Value* widened(Reader& r, const TypedValue& matrix, llvm::Type* to, bool is_signed) {
  const TypedValue numbers = r.as_floats(matrix);
  llvm::Type* all = FixedVectorType::get(to, matrix.type->count);
  return r.ir().CreateCast(CastInst::getCastOpcode(numbers.value, is_signed, all, is_signed), numbers.value,
                           all);
}

/// Refuses an operand of a product with another use or other sizes. `rows` or `columns` is 0 if any number is allowed.
void check_operand(const Type& type, Role use, std::uint32_t rows, std::uint32_t columns, const char* name) {
  if (type.use != use)
    refuse(Twine(name) + " has the use " + Twine(type.use) + "; it must be " + Twine(unsigned(use)));
  if ((rows != 0 && type.rows != rows) || (columns != 0 && type.columns != columns))
    refuse(Twine(name) + " has " + shape_name(type) + ", which does not fit the other matrices");
}

struct Product {
  TypedValue a, b, c;
  const Type& type;
  std::uint32_t mask;

  bool has(OperandMask bit) const { return mask & bit; }
  std::array<const Type*, 4> components() const {
    return {a.type->element, b.type->element, c.type->element, type.element};
  }
  bool is_of_integers() const {
    return all_of(components(), [](const Type* component) { return component->is(Kind::integer); });
  }
  bool is_of_floats() const {
    return none_of(components(), [](const Type* component) { return component->is(Kind::integer); });
  }
};

/// A * B by LLVM's intrinsic, which takes matrices column by column and thus sees A, B and the result transposed:
/// B^T * A^T is the transposed product.
Value* multiplied(Reader& r, const Product& p, llvm::Type* to) {
  Value *a = widened(r, p.a, to, p.has(signed_a)), *b = widened(r, p.b, to, p.has(signed_b));
  CallInst* product =
      MatrixBuilder(r.ir()).CreateMatrixMultiply(b, a, p.type.columns, p.a.type->columns, p.type.rows);
  if (to->isFloatingPointTy()) {
    FastMathFlags flags;
    flags.setAllowContract();
    product->setFastMathFlags(flags);
  }
  return product;
}

Value* sum_of_floats(Reader& r, const Product& p) {
  IRBuilder<>& ir = r.ir();
  const bool needs_double =
      any_of(p.components(), [](const Type* component) { return component->ir->isDoubleTy(); });
  llvm::Type* to = needs_double ? ir.getDoubleTy() : ir.getFloatTy();
  Value* sum = ir.CreateFAdd(multiplied(r, p, to), widened(r, p.c, to, /*is_signed=*/true));
  if (!p.type.element->is(Kind::bfloat)) return ir.CreateFPCast(sum, p.type.ir);
  const Type& numbers = r.floats_like(p.type, needs_double ? 64 : 32);
  return rounded_to_bfloat(r, p.type, {sum, &numbers});
}

Value* sum_of_integers(Reader& r, const Product& p) {
  IRBuilder<>& ir = r.ir();
  llvm::Type* to = p.type.element->ir;
  // Sums of products of bytes have fewer than 32 bits.
  const bool has_bytes = p.a.type->element->ir->isIntegerTy(8) && p.b.type->element->ir->isIntegerTy(8);
  Value* product = multiplied(r, p, has_bytes ? ir.getInt32Ty() : to);
  if (has_bytes) product = ir.CreateSExtOrTrunc(product, p.type.ir);
  Value* c = widened(r, p.c, to, p.has(signed_c));
  if (!p.has(saturating)) return ir.CreateAdd(product, c);
  return ir.CreateBinaryIntrinsic(p.has(signed_result) ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, product,
                                  c);
}

} // namespace

void read_type_matrix(Reader& r, Operands in) {
  const Id id = in.id();
  const Type& component = r.value_type(in.id());
  const std::uint64_t scope = r.constant_number(in.id());
  const std::uint64_t rows = r.constant_number(in.id()), columns = r.constant_number(in.id());
  const std::uint64_t use = r.constant_number(in.id());
  if (scope != spv::ScopeSubgroup)
    refuse("the scope of a cooperative matrix is " + Twine(scope) + "; it must be Subgroup (3)");
  if (use > use_accumulator)
    refuse("the use of a cooperative matrix is " + Twine(use) + "; it must be 0, 1 or 2");
  if (!is_component(component) || !is_side(rows) || !is_side(columns) || rows * columns > most_components)
    refuse("a cooperative matrix of " + shape_name(component, rows, columns) +
           " is not supported: rows and columns are 8, 16, 32 or 64, with at most " + Twine(most_components) +
           " components, which are integers of 8 to 64 bits or floating-point numbers");
  const std::uint64_t count = rows * columns;
  r.has_matrices = true;
  r.define_type(id, {.kind = Kind::matrix,
                     .ir = FixedVectorType::get(component.ir, unsigned(count)),
                     .element = &component,
                     .count = count,
                     .rows = std::uint32_t(rows),
                     .columns = std::uint32_t(columns),
                     .use = std::uint32_t(use)});
}

Value* read_matrix_length(Reader& r, const Type& type, Operands in) {
  const Type& matrix = r.type(in.id());
  if (!matrix.is(Kind::matrix)) refuse("the operand is not a cooperative matrix type");
  IRBuilder<>& ir = r.ir();
  if (type.ir != ir.getInt32Ty()) refuse("the result is not an integer of 32 bits");
  return ir.CreateSelect(is_first_item(r), ir.getInt32(unsigned(matrix.count)), ir.getInt32(0));
}

Value* read_matrix_load(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::matrix)) refuse("the result is not a cooperative matrix");
  const TypedValue pointer = r.pointer(in.id());
  return Lines(r, type, pointer, in).load();
}

/// Reads OpMatrixTimesScalar, which kernels have for cooperative matrices only.
Value* read_matrix_times_scalar(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::matrix)) refuse("the result is not a cooperative matrix");
  Value* matrix = r.of_type(in.id(), type);
  Value* scalar = of_first_lane(r.ir(), r.of_type(in.id(), *type.element));
  scalar = r.ir().CreateVectorSplat(unsigned(type.count), scalar);
  if (type.element->is(Kind::integer)) return decorated(r, in.result(), r.ir().CreateMul(matrix, scalar));
  if (!type.element->is(Kind::floating))
    refuse("the components are bfloat16, which have no products of their own");
  return decorated(r, in.result(), r.ir().CreateFMul(matrix, scalar));
}

void read_matrix_store(Reader& r, Operands in) {
  const TypedValue pointer = r.pointer(in.id());
  const TypedValue object = matrix(r, in.id());
  Lines(r, *object.type, pointer, in).store(object.value);
}

Value* read_matrix_multiply_add(Reader& r, const Type& type, Operands in) {
  const TypedValue a = matrix(r, in.id()), b = matrix(r, in.id()), c = matrix(r, in.id());
  if (!type.is(Kind::matrix)) refuse("the result is not a cooperative matrix");
  const Product product{a, b, c, type, in.empty() ? 0 : in.word()};
  if (product.mask > (signed_a | signed_b | signed_c | signed_result | saturating))
    refuse("the cooperative matrix operands are " + Twine(product.mask) + "; they must be at most 31");
  check_operand(type, use_accumulator, 0, 0, "the result");
  check_operand(*a.type, use_a, type.rows, 0, "A");
  check_operand(*b.type, use_b, a.type->columns, type.columns, "B");
  check_operand(*c.type, use_accumulator, type.rows, type.columns, "C");
  if (product.is_of_integers()) return sum_of_integers(r, product);
  if (product.is_of_floats() && product.mask != 0)
    refuse("the cooperative matrix operands are " + Twine(product.mask) +
           "; they must be 0 for matrices of floating-point numbers");
  if (product.is_of_floats()) return sum_of_floats(r, product);
  refuse("A has " + shape_name(*a.type) + ", B " + shape_name(*b.type) + ", C " + shape_name(*c.type) +
         " and the result " + shape_name(type) + "; all must be integers, or all floating-point numbers");
}

} // namespace hostcl::compiler::spirv
