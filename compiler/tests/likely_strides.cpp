// Guesses of distances between lanes, and how far lanes of butterflies lie apart.

#include "compiler/passes/2_vector/shapes/likely_strides.hpp"

#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/IR/Dominators.h"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

const char* const text = R"(
declare i32 @llvm.smin.i32(i32, i32)
declare float @llvm.floor.f32(float)
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m, float %scale) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %i = trunc i64 %x to i32
  %sum = add i32 %i, %m
  %wide = sext i32 %sum to i64
  %clamped = call i32 @llvm.smin.i32(i32 %sum, i32 %m)
  %scaled = mul i32 %clamped, 3
  %back = sub i32 %m, %scaled
  %complement = xor i32 %scaled, -1
  %product = mul i32 %clamped, %i
  %apart = or disjoint i32 %scaled, 1
  %merged = or i32 %scaled, 1
  %wraps = and i32 %sum, %m
  %narrow = and i32 %sum, 15
  %broad = and i32 %sum, 1023
  %row = udiv i32 %sum, %m
  %few = udiv i32 %sum, 4
  %column = urem i32 %sum, %m
  %shifted = lshr i32 %sum, 10
  %shifted.few = lshr i32 %sum, 1
  %border = icmp sgt i32 %scaled, 0
  %address = getelementptr { i32, [4 x i16] }, ptr addrspace(1) %p, i32 %wraps, i32 1, i64 2
  %number = ptrtoint ptr addrspace(1) %address to i64
  %real = sitofp i32 %wraps to float
  %coordinate = fmul float %real, %scale
  %floor = call float @llvm.floor.f32(float %coordinate)
  %texel = fptosi float %floor to i32
  %loaded = load i32, ptr addrspace(1) %address
  %from.memory = add i32 %loaded, %i
  br label %loop
loop:
  %counter = phi i32 [ %wraps, %entry ], [ %next, %loop ]
  %next = add i32 %counter, 1
  %more = icmp ult i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

struct Guess {
  const char* name;
  LikelyStrides::Stride stride;
};

constexpr Guess guesses[] = {
    {"n", 0},       {"x", 1},        {"wide", 1},         {"clamped", 1},      {"scaled", 3},
    {"back", -3},   {"product", {}}, {"complement", -3},  {"apart", 3},        {"merged", {}},
    {"wraps", 1},   {"narrow", {}},  {"broad", 1},        {"row", 0},          {"few", {}},
    {"column", 1},  {"shifted", 0},  {"shifted.few", {}}, {"border", 0},       {"address", 12},
    {"number", 12}, {"texel", 1},    {"loaded", {}},      {"from.memory", {}}, {"counter", 1},
};

} // namespace

TEST_CASE("Likely strides: sums, borders, quotients, floats and counters; nothing for what comes from memory",
          "[likely_strides]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  DominatorTree dominators;
  LoopInfo loops;
  REQUIRE_FALSE(llvm::errorToBool(canonicalise(kernel, dominators, loops)));
  const ForwardGraph graph(kernel, loops);
  const Ranges ranges({.width = 8});
  const Shapes shapes(kernel, graph, loops, ranges, /*switches=*/{});
  LikelyStrides likely(shapes, 8, /*switches=*/{});
  for (const Guess& guess : guesses) {
    CAPTURE(guess.name);
    CHECK(likely.of(&value_named(kernel, guess.name)) == guess.stride);
  }
}
