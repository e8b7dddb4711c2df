// Names of sub-group operations, and values that change nothing in them.

#include "compiler/ir/sub_group_operation.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/Analysis/IVDescriptors.h"

using namespace hostcl::compiler;
using namespace llvm;
using Kind = SubGroupOperation::Kind;

namespace {

struct Known {
  const char* declaration;
  Kind kind;
  RecurKind combine = RecurKind::None;
};

const Known known[] = {
    {"i1 @__hostcl_sub_group_any(i1)", Kind::any},
    {"i1 @__hostcl_sub_group_all(i1)", Kind::all},
    {"<4 x i32> @__hostcl_sub_group_ballot(i1)", Kind::ballot},
    {"half @__hostcl_sub_group_shuffle_f16(half, i32)", Kind::shuffle},
    {"i8 @__hostcl_sub_group_broadcast_i8(i8, i32)", Kind::broadcast},
    {"double @__hostcl_sub_group_first_f64(double)", Kind::first},
    {"ptr addrspace(3) @__hostcl_sub_group_first_p3(ptr addrspace(3))", Kind::first},
    {"i32 @__hostcl_sub_group_reduce_min_i32(i32)", Kind::reduce, RecurKind::SMin},
    {"i32 @__hostcl_sub_group_reduce_umin_i32(i32)", Kind::reduce, RecurKind::UMin},
    {"float @__hostcl_sub_group_reduce_min_f32(float)", Kind::reduce, RecurKind::FMinNum},
    {"i64 @__hostcl_sub_group_scan_inclusive_mul_i64(i64)", Kind::scan_inclusive, RecurKind::Mul},
    {"float @__hostcl_sub_group_scan_exclusive_add_f32(float)", Kind::scan_exclusive, RecurKind::FAdd},
    {"i16 @__hostcl_sub_group_scan_exclusive_xor_i16(i16)", Kind::scan_exclusive, RecurKind::Xor},
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
    "ptr @__hostcl_sub_group_first_p1(ptr)",
    "ptr @__hostcl_sub_group_shuffle_p0(ptr, i32)",
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
  const auto number = [&](RecurKind combine) {
    return cast<ConstantInt>(neutral_value(combine, i8))->getValue().getZExtValue();
  };
  CHECK(number(RecurKind::Add) == 0);
  CHECK(number(RecurKind::Or) == 0);
  CHECK(number(RecurKind::Xor) == 0);
  CHECK(number(RecurKind::UMax) == 0);
  CHECK(number(RecurKind::Mul) == 1);
  CHECK(number(RecurKind::And) == 255);
  CHECK(number(RecurKind::UMin) == 255);
  CHECK(number(RecurKind::SMin) == 127);
  CHECK(number(RecurKind::SMax) == 128);
  for (Type* type : {Type::getHalfTy(context), Type::getFloatTy(context), Type::getDoubleTy(context)}) {
    CHECK(cast<ConstantFP>(neutral_value(RecurKind::FAdd, type))->isExactlyValue(-0.0));
    CHECK(cast<ConstantFP>(neutral_value(RecurKind::FAdd, type))->isNegative());
    CHECK(cast<ConstantFP>(neutral_value(RecurKind::FMul, type))->isExactlyValue(1.0));
    CHECK(cast<ConstantFP>(neutral_value(RecurKind::FMinNum, type))->isNaN());
    CHECK(cast<ConstantFP>(neutral_value(RecurKind::FMaxNum, type))->isNaN());
  }
  auto* vector = FixedVectorType::get(i8, 3);
  Constant* lanes = neutral_value(RecurKind::SMin, vector);
  CHECK(lanes->getType() == vector);
  CHECK(cast<ConstantInt>(lanes->getSplatValue())->getSExtValue() == 127);
}
