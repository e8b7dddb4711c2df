// Addresses as one base and a distance for each lane, written for random butterflies and folded for a vector of
// work-items, against the addresses that the work-items compute.

#include "compiler/passes/2_vector/memory/lane_offsets.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/forward_graph.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/passes/2_vector/values/instructions.hpp"
#include "compiler/tests/evaluation.hpp"
#include "compiler/tests/module_text.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

#include <random>

using namespace hostcl::compiler;
using namespace llvm;

namespace {

constexpr unsigned width = 8;

constexpr const char* text = R"(
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_local_size(i32 0)
  ret void
}
define spir_kernel void @t(ptr addrspace(1) %p, i64 %n, i32 %m) {
entry:
  br label %body
body:
  ret void
}
)";

/// An index of few operations with uniform values, as butterflies have them.
Value* random_index(IRBuilder<>& build, Function& kernel, std::mt19937_64& random) {
  auto below = [&](std::uint64_t end) { return static_cast<unsigned>(random() % end); };
  Value *x = &value_named(kernel, "x"), *n = &value_named(kernel, "n"), *m = &value_named(kernel, "m");
  Value* start = build.CreateMul(&value_named(kernel, "g"), &value_named(kernel, "s"));
  Value *index = below(2) ? x : build.CreateAdd(start, x), *other = x;
  if (below(2)) index = build.CreateTrunc(index, build.getInt32Ty());
  for (unsigned i = 0, count = 1 + below(4); i < count; ++i) {
    Type* type = index->getType();
    Value* uniform = below(3) == 0 ? ConstantInt::get(type, below(40)) : type == build.getInt32Ty() ? m : n;
    Value* same = build.CreateZExtOrTrunc(other, type);
    Value* before = index;
    switch (below(10)) {
    case 0:
      index = build.CreateAnd(index, uniform);
      break;
    case 1:
      index = build.CreateOr(index, uniform);
      break;
    case 2:
    case 3:
      index = build.CreateXor(index, uniform);
      break;
    case 4:
      index = build.CreateLShr(index, ConstantInt::get(type, below(5)));
      break;
    case 5:
      index = build.CreateShl(index, ConstantInt::get(type, below(4)));
      break;
    case 6:
      index = build.CreateAdd(index, below(2) ? uniform : same);
      break;
    case 7:
      index = build.CreateSub(index, below(2) ? uniform : same);
      break;
    case 8:
      index = build.CreateMul(index, ConstantInt::get(type, below(6)));
      break;
    default:
      if (type == build.getInt32Ty())
        index = below(2) ? build.CreateZExt(index, build.getInt64Ty())
                         : build.CreateSExt(index, build.getInt64Ty());
    }
    if (below(2)) other = before;
  }
  return build.CreateSExt(index, build.getInt64Ty());
}

/// What the value in straight code is, for the first lane's local id.
Constant* folded(Function& function, const EvaluatedGroup& group, std::uint64_t first, Value& value) {
  Constant* result = dyn_cast<Constant>(&value);
  for (BasicBlock& block : function)
    for (Instruction& instruction : make_early_inc_range(block)) {
      Constant* known = nullptr;
      if (const auto query = called_intrinsic(instruction))
        known =
            ConstantInt::get(instruction.getType(),
                             group.answer(*query, dimension_of(cast<CallBase>(instruction)), {first, 0, 0}));
      else if (!instruction.isTerminator())
        known = ConstantFoldInstruction(&instruction, function.getDataLayout());
      if (!known) continue;
      if (&instruction == &value) result = known;
      instruction.replaceAllUsesWith(known);
    }
  return result;
}

/// A kernel with one address, and its pattern if it has one.
struct Butterfly {
  ModuleText module{text};
  Function &kernel = module.function("k"), &target = module.function("t");
  Instruction* address = nullptr;
  std::optional<LaneOffsets::Span> span;
  std::optional<BaseAndOffsets> pattern;

  explicit Butterfly(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    IRBuilder<> build(kernel.getEntryBlock().getTerminator());
    Value* index = random_index(build, kernel, random);
    Value* pointer = build.CreateGEP(build.getInt32Ty(), &value_named(kernel, "p"), index);
    address = cast<Instruction>(pointer);
    DominatorTree dominators;
    LoopInfo loops;
    REQUIRE_FALSE(llvm::errorToBool(canonicalise(kernel, dominators, loops)));
    const ForwardGraph graph(kernel, loops);
    const Ranges ranges({.width = width, .ids_fit_31_bits = false});
    const Shapes shapes(kernel, graph, loops, ranges, /*switches=*/{});
    if (!shapes.of(address).is_varying()) return;
    const VectoriseOptions options{.width = width};
    const Plan plan(graph, loops, shapes, options);
    Emission emission(plan, target, write_vector_form);
    emission.build.SetInsertPoint(target.back().getTerminator());
    emission.mask = ConstantInt::getTrue(VectorType::get(build.getInt1Ty(), width, false));
    InstructionWriter writer(emission);
    for (Instruction& instruction : kernel.getEntryBlock())
      if (&instruction != address && !instruction.isTerminator()) writer.write(instruction);
    AffineTests affine(emission);
    LaneOffsets offsets(emission, affine);
    span = offsets.span(address);
    if (span) pattern = offsets.write_address_of(address, *span);
  }
};

} // namespace

TEST_CASE("Lane offsets: base and distances are the lanes' addresses wherever the pattern holds",
          "[lane_offsets]") {
  constexpr unsigned kernels = 1500;
  unsigned held = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    Butterfly butterfly(seed);
    if (!butterfly.pattern) continue;
    std::mt19937_64 random(seed);
    EvaluatedGroup group{.group = {random() % 100, 0, 0},
                         .size = {64, 1, 1},
                         .offset = {},
                         .groups = {100, 1, 1},
                         .arguments = {}};
    const std::uint64_t few = random() % 64, many = random();
    group.arguments = {0x1000, random() % 4 ? few : many, random() % 4 ? few : many >> 32};
    const std::uint64_t first = random() % 8 * width;
    for (Argument& argument : butterfly.target.args()) {
      const std::uint64_t number = group.arguments[argument.getArgNo()];
      Type* type = argument.getType();
      auto* wide = ConstantInt::get(Type::getInt64Ty(type->getContext()), number);
      argument.replaceAllUsesWith(
          type->isPointerTy() ? ConstantExpr::getIntToPtr(wide, type)
                              : ConstantInt::get(type, APInt(64, number).trunc(type->getIntegerBitWidth())));
    }
    IRBuilder<> build(butterfly.target.back().getTerminator());
    BaseAndOffsets& pattern = *butterfly.pattern;
    Value* all = build.CreateAdd(
        build.CreateVectorSplat(width, build.CreatePtrToInt(pattern.base, build.getInt64Ty())),
        build.CreateZExt(pattern.distances, VectorType::get(build.getInt64Ty(), width, false)));
    Value* when = build.CreateSelect(pattern.holds, all, Constant::getNullValue(all->getType()));
    const Constant* lanes = folded(butterfly.target, group, first, *when);
    REQUIRE(lanes);
    if (lanes->isNullValue()) continue;
    ++held;
    for (unsigned lane = 0; lane < width; ++lane) {
      const Evaluation item(butterfly.kernel, group, {first + lane, 0, 0});
      const auto* found = dyn_cast<ConstantInt>(lanes->getAggregateElement(lane));
      REQUIRE(found);
      CAPTURE(seed, lane);
      if (found->getValue() != item.of(*butterfly.address)) {
        std::string kernel;
        raw_string_ostream(kernel) << butterfly.kernel << butterfly.target;
        FAIL(kernel);
      }
    }
  }
  CHECK(held > kernels / 20);
}
