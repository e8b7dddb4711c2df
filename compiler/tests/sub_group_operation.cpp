// Names of sub-group operations, and values that change nothing in them.

#include "compiler/ir/sub_group_operation.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/tests/module_text.hpp"

using namespace hostcl::compiler;
using namespace llvm;
using Kind = SubGroupOperation::Kind;

namespace {

struct Known {
  const char* declaration;
  Kind kind;
  Combine combine = Combine::add;
};

const Known known[] = {
    {"i1 @__hostcl_sub_group_any(i1)", Kind::any},
    {"i1 @__hostcl_sub_group_all(i1)", Kind::all},
    {"<4 x i32> @__hostcl_sub_group_ballot(i1)", Kind::ballot},
    {"half @__hostcl_sub_group_shuffle_f16(half, i32)", Kind::shuffle},
    {"i8 @__hostcl_sub_group_broadcast_i8(i8, i32)", Kind::broadcast},
    {"double @__hostcl_sub_group_first_f64(double)", Kind::first},
    {"i32 @__hostcl_sub_group_reduce_min_i32(i32)", Kind::reduce, Combine::smin},
    {"i32 @__hostcl_sub_group_reduce_umin_i32(i32)", Kind::reduce, Combine::umin},
    {"float @__hostcl_sub_group_reduce_min_f32(float)", Kind::reduce, Combine::fmin},
    {"i64 @__hostcl_sub_group_scan_inclusive_mul_i64(i64)", Kind::scan_inclusive, Combine::mul},
    {"float @__hostcl_sub_group_scan_exclusive_add_f32(float)", Kind::scan_exclusive, Combine::fadd},
    {"i16 @__hostcl_sub_group_scan_exclusive_xor_i16(i16)", Kind::scan_exclusive, Combine::xor_},
};

const char* const unknown[] = {
    "i32 @__hostcl_sub_group_any(i1)", // another result
    "i32 @__hostcl_sub_group_ballot(i1)",
    "i32 @__hostcl_sub_group_reduce_add_i64(i64)", // the name's type is another
    "float @__hostcl_sub_group_reduce_and_f32(float)",
    "float @__hostcl_sub_group_reduce_umin_f32(float)",
    "i32 @__hostcl_sub_group_reduce_fadd_i32(i32)",
    "i32 @__hostcl_sub_group_scan_add_i32(i32)",
    "i32 @__hostcl_sub_group_shuffle(i32, i32)",
    "i128 @__hostcl_sub_group_first_i128(i128)",
    "i32 @sub_group_first_i32(i32)",
};

} // namespace

TEST_CASE("Sub-group operations: names and types together tell which", "[sub_group_operation]") {
  for (const Known& each : known) {
    CAPTURE(each.declaration);
    const ModuleText module("declare " + std::string(each.declaration));
    const Function& last = *std::prev(module.module->end());
    const auto operation = sub_group_operation(last);
    REQUIRE(operation);
    CHECK(operation->kind == each.kind);
    CHECK(operation->combine == each.combine);
    CHECK(intrinsic_of(last) == hostcl::compiler::Intrinsic::sub_group);
  }
  for (const char* declaration : unknown) {
    CAPTURE(declaration);
    const ModuleText module("declare " + std::string(declaration));
    CHECK_FALSE(sub_group_operation(*std::prev(module.module->end())));
    CHECK_FALSE(intrinsic_of(*std::prev(module.module->end())));
  }
}

TEST_CASE("Sub-group operations: neutral values, of scalars and vectors", "[sub_group_operation]") {
  LLVMContext context;
  Type* i8 = Type::getInt8Ty(context);
  const auto number = [&](Combine combine) {
    return cast<ConstantInt>(neutral_value(combine, i8))->getValue().getZExtValue();
  };
  CHECK(number(Combine::add) == 0);
  CHECK(number(Combine::or_) == 0);
  CHECK(number(Combine::xor_) == 0);
  CHECK(number(Combine::umax) == 0);
  CHECK(number(Combine::mul) == 1);
  CHECK(number(Combine::and_) == 255);
  CHECK(number(Combine::umin) == 255);
  CHECK(number(Combine::smin) == 127);
  CHECK(number(Combine::smax) == 128);
  for (Type* type : {Type::getHalfTy(context), Type::getFloatTy(context), Type::getDoubleTy(context)}) {
    CHECK(cast<ConstantFP>(neutral_value(Combine::fadd, type))->isExactlyValue(-0.0));
    CHECK(cast<ConstantFP>(neutral_value(Combine::fadd, type))->isNegative());
    CHECK(cast<ConstantFP>(neutral_value(Combine::fmul, type))->isExactlyValue(1.0));
    CHECK(cast<ConstantFP>(neutral_value(Combine::fmin, type))->isNaN());
    CHECK(cast<ConstantFP>(neutral_value(Combine::fmax, type))->isNaN());
  }
  auto* vector = FixedVectorType::get(i8, 3);
  Constant* lanes = neutral_value(Combine::smin, vector);
  CHECK(lanes->getType() == vector);
  CHECK(cast<ConstantInt>(lanes->getSplatValue())->getSExtValue() == 127);
}
