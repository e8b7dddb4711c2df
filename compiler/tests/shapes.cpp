// How lanes' values relate: strides through every operation, at the places where they wrap, and control flow.

#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/switches.hpp"

#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/IR/Dominators.h"

#include <optional>

using namespace hostcl::compiler;
using namespace llvm;

namespace {

struct Analysed {
  ModuleText text;
  Function& kernel = text.function("k");
  DominatorTree dominators;
  LoopInfo loops;
  std::optional<ForwardGraph> graph;
  Ranges ranges;
  std::optional<Shapes> shapes;

  explicit Analysed(const std::string& ir, unsigned width = 8) : text(ir), ranges({.width = width}) {
    REQUIRE_FALSE(llvm::errorToBool(canonicalise(kernel, dominators, loops)));
    graph.emplace(kernel, loops);
    REQUIRE(graph->valid());
    shapes.emplace(kernel, *graph, loops, ranges, Switches{});
  }
  Shape of(const char* name) { return shapes->of(&value_named(kernel, name)); }
  unsigned block(const char* name) { return graph->index(&block_named(kernel, name)); }
};

const char* const arithmetic = R"(
declare i32 @pure(i32) memory(none) nounwind willreturn
declare i32 @unknown(i32)
define spir_kernel void @k(i64 %n, i32 %m, ptr addrspace(1) %p) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %y = call i64 @__hostcl_local_id(i32 1)
  %lane = call i32 @__hostcl_sub_group_lane()
  %own = alloca [3 x i32], align 16
  %sum = add i64 %x, %n
  %down = sub i64 %n, %x
  %none = sub i64 %sum, %x
  %six = mul i64 %x, 6
  %sixteen = shl i64 %x, 4
  %by.number = mul i64 %x, %n
  %number.first = mul i64 6, %x
  %six.none = mul i64 %six, 0
  %by.number.none = mul i64 %by.number, 0
  %complement = xor i64 %x, -1
  %flipped = xor i64 %x, 1
  %disjoint = or disjoint i64 %x, %n
  %merged = or i64 %x, %n
  %low = and i64 %x, 7
  %low.part = and i64 %x, 3
  %high = and i64 %x, -8
  %quarter = lshr i64 %x, 3
  %half = lshr i64 %x, 1
  %next = add i64 %x, 1
  %next.low = and i64 %next, 7
  %next.high = lshr i64 %next, 3
  %int = trunc i64 %x to i32
  %back = sext i32 %int to i64
  %int.sum = add i32 %int, %m
  %checked = sext i32 %int.sum to i64
  %checked.sum = add i64 %checked, %n
  %checked.none = sub i64 %checked, %checked
  %twice.checked = zext i32 %int.sum to i64
  %short = trunc i64 %x to i16
  %byte = trunc i64 %sixteen to i8
  %nothing = trunc i64 %sixteen to i4
  %short.sum = add i16 %short, -1
  %scattered = zext i16 %short.sum to i64
  %wide = zext i64 %x to i128
  %address = getelementptr [4 x i32], ptr addrspace(1) %p, i64 %x
  %field = getelementptr {i32, [8 x i16]}, ptr addrspace(1) %p, i64 %n, i32 1, i64 %down
  %narrow.index = getelementptr i32, ptr addrspace(1) %p, i32 %int
  %generic = addrspacecast ptr addrspace(1) %address to ptr addrspace(4)
  %number = ptrtoint ptr addrspace(1) %address to i64
  %equal = icmp eq i64 %x, %sum
  %less = icmp ult i64 %x, %sum
  %equal.down = icmp eq i64 %x, %down
  %chosen = select i1 %equal, i64 %x, i64 %sum
  %chosen.own = select i1 %less, i64 %x, i64 %sum
  %frozen = freeze i64 %six
  %loaded = load i64, ptr addrspace(1) %p
  %loaded.own = load i64, ptr addrspace(1) %address
  %volatile = load volatile i64, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %computed = call i32 @pure(i32 %m)
  %computed.own = call i32 @pure(i32 %int)
  %called = call i32 @unknown(i32 %m)
  ret void
}
)";

struct Case {
  const char* name;
  char kind; ///< u, a or v
  std::int64_t stride = 0;
  bool checked = false;
};

constexpr Case expected[] = {
    {"x", 'a', 1},
    {"y", 'u'},
    {"lane", 'a', 1},
    {"own", 'a', 16},
    {"sum", 'a', 1},
    {"down", 'a', -1},
    {"none", 'u'},
    {"six", 'a', 6},
    {"sixteen", 'a', 16},
    {"by.number", 'v'},
    {"number.first", 'a', 6},
    {"six.none", 'u'},
    {"by.number.none", 'v'}, // its operand has no scalar
    {"complement", 'a', -1},
    {"flipped", 'v'},
    {"disjoint", 'a', 1},
    {"merged", 'v'},
    {"low", 'a', 1},
    {"low.part", 'v'},
    {"high", 'u'},
    {"quarter", 'u'},
    {"half", 'v'},
    {"next", 'a', 1},
    {"next.low", 'v'},
    {"next.high", 'v'},
    {"int", 'a', 1},
    {"back", 'a', 1},
    {"int.sum", 'a', 1},
    {"checked", 'a', 1, true},
    {"checked.sum", 'a', 1, true},
    {"checked.none", 'v'}, // 0 only where nothing wraps
    {"twice.checked", 'a', 1, true},
    {"byte", 'a', 16},
    {"nothing", 'u'},
    {"scattered", 'v'},
    {"wide", 'v'},
    {"address", 'a', 16},
    {"field", 'a', -2},
    {"narrow.index", 'v'},
    {"generic", 'a', 16},
    {"number", 'a', 16},
    {"equal", 'u'},
    {"less", 'v'},
    {"equal.down", 'v'},
    {"chosen", 'a', 1},
    {"chosen.own", 'v'},
    {"frozen", 'a', 6},
    {"loaded", 'u'},
    {"loaded.own", 'v'},
    {"volatile", 'v'},
    {"old", 'v'},
    {"computed", 'u'},
    {"computed.own", 'v'},
    {"called", 'v'},
};

char letter(Shape shape) {
  return shape.is_uniform() ? 'u' : shape.is_affine() ? 'a' : shape.is_varying() ? 'v' : '?';
}

const char* const guessable = R"(
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
  %matches = phi i32 [ 0, %entry ], [ %next.matches, %loop ]
  %next = add i32 %counter, 1
  %is.match = icmp eq i32 %loaded, %counter
  %one.more = add i32 %matches, 1
  %next.matches = select i1 %is.match, i32 %one.more, i32 %matches
  %more = icmp ult i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

struct Guess {
  const char* name;
  std::optional<std::int64_t> stride;
};

constexpr Guess guesses[] = {
    {"n", 0},        {"x", 1},           {"wide", 1},    {"clamped", 1}, {"scaled", 3},  {"back", -3},
    {"product", {}}, {"complement", -3}, {"apart", 3},   {"merged", {}}, {"wraps", 1},   {"narrow", {}},
    {"broad", 1},    {"row", 0},         {"few", {}},    {"column", 1},  {"shifted", 0}, {"shifted.few", {}},
    {"border", 0},   {"address", 12},    {"number", 12}, {"texel", 1},   {"loaded", {}}, {"from.memory", {}},
    {"counter", 1},  {"matches", {}},
};

} // namespace

TEST_CASE("Shapes: strides go through arithmetic, casts and addresses", "[shapes]") {
  Analysed k(arithmetic);
  for (const Case& each : expected) {
    CAPTURE(each.name);
    const Shape shape = k.of(each.name);
    CHECK(letter(shape) == each.kind);
    if (!shape.is_varying()) CHECK(shape.stride() == each.stride);
    CHECK(shape.is_checked() == each.checked);
  }
}

TEST_CASE(
    "Shapes: likely strides of sums, borders, quotients, floats and counters; none of what comes from memory",
    "[shapes]") {
  Analysed k(guessable);
  for (const Guess& guess : guesses) {
    CAPTURE(guess.name);
    CHECK(k.of(guess.name).likely_stride() == guess.stride);
  }
}

TEST_CASE("Shapes: low bits carry at another place for another width", "[shapes]") {
  CHECK(letter(Analysed(arithmetic, 4).of("low.part")) == 'a');
  CHECK(letter(Analysed(arithmetic, 16).of("low")) == 'v');
  CHECK(letter(Analysed(arithmetic, 16).of("quarter")) == 'v');
}

TEST_CASE("Shapes: a stride is one of the type's numbers, and 0 is none", "[shapes]") {
  CHECK(Shape::make_affine(255, 8) == Shape::make_affine(-1, 8));
  CHECK(Shape::make_affine(256, 8).is_uniform());
  CHECK(Shape::make_affine(0, 64, Confidence::checked).is_varying());
  CHECK(Shape::make_affine(128, 8).stride() == -128);
  CHECK(Shape::make_affine(1, 1).stride() == -1);
}

TEST_CASE("Shapes: a guess is a varying value, whatever its stride", "[shapes]") {
  for (const Shape shape : {Shape::make_guess(0), Shape::make_guess(4), Shape::make_guess(std::nullopt)}) {
    CHECK(shape.is_varying());
    CHECK_FALSE(shape.is_uniform());
    CHECK_FALSE(shape.is_affine());
    CHECK_FALSE(shape.is_checked());
  }
  CHECK(Shape::make_guess(4).likely_stride() == 4);
  CHECK(Shape::make_affine(4, 64, Confidence::checked).likely_stride() == 4);
  CHECK(Shape::make_uniform().likely_stride() == 0);
  CHECK(Shape::make_varying().likely_stride() == std::nullopt);
}

TEST_CASE("Shapes: branches diverge, blocks have control classes, and values join", "[shapes]") {
  Analysed k(R"(
define spir_kernel void @k(i1 %c, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %parted = phi i64 [ 1, %entry ], [ 2, %then ]
  %alike = phi i64 [ %n, %entry ], [ %n, %then ]
  %x.next = add i64 %x, 1
  br i1 %c, label %yes, label %merge
yes:
  br label %merge
merge:
  %together = phi i64 [ 1, %join ], [ 2, %yes ]
  %moved = phi i64 [ %x, %join ], [ %x.next, %yes ]
  ret void
})");
  CHECK_FALSE(k.shapes->branches_uniformly(k.block("entry")));
  CHECK(k.shapes->branches_uniformly(k.block("join")));
  CHECK(letter(k.of("parted")) == 'v');
  CHECK(letter(k.of("alike")) == 'u');
  CHECK(letter(k.of("together")) == 'u');
  CHECK(letter(k.of("moved")) == 'a');
  CHECK(k.shapes->control_class(k.block("join")) == k.block("entry"));
  CHECK(k.shapes->control_class(k.block("then")) == k.block("then"));
  CHECK(k.shapes->control_class(k.block("merge")) == k.block("entry"));
  CHECK_FALSE(k.shapes->joins_uniformly(k.block("join")));
  CHECK(k.shapes->joins_uniformly(k.block("merge")));
}

TEST_CASE("Shapes: a loop that lanes leave one by one makes its values vary outside", "[shapes]") {
  Analysed k(R"(
define spir_kernel void @k(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %own
own:
  %i = phi i64 [ 0, %entry ], [ %i.next, %own ]
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %x
  br i1 %i.more, label %own, label %between
between:
  %i.last = phi i64 [ %i.next, %own ]
  br label %shared
shared:
  %k = phi i64 [ %x, %between ], [ %k.next, %shared ]
  %r = phi i64 [ 0, %between ], [ %r.next, %shared ]
  %k.next = add i64 %k, 8
  %r.next = add i64 %r, 1
  %r.more = icmp ult i64 %r.next, %n
  br i1 %r.more, label %shared, label %end
end:
  %k.last = phi i64 [ %k.next, %shared ]
  ret void
})");
  const Loop* own = k.loops.getLoopFor(&block_named(k.kernel, "own"));
  const Loop* shared = k.loops.getLoopFor(&block_named(k.kernel, "shared"));
  CHECK(k.shapes->diverges(own));
  CHECK_FALSE(k.shapes->diverges(shared));
  CHECK(letter(k.of("i")) == 'u'); // in each iteration the same for all that are still in it
  CHECK(letter(k.of("i.last")) == 'v');
  CHECK(letter(k.of("k")) == 'a');
  CHECK(letter(k.of("k.last")) == 'a');
}

TEST_CASE("Shapes: a branch that decides about a barrier is the same for all", "[shapes]") {
  const auto text = [](const char* after) {
    return std::string(R"(
define spir_kernel void @k(ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %q = getelementptr i1, ptr addrspace(1) %p, i64 %x
  %c = load i1, ptr addrspace(1) %q
  br i1 %c, label %then, label %join
then:
  call void @__hostcl_barrier(i32 1)
  br label %join
join:
)") + after +
           "\n}\n";
  };
  // What follows shows that this is not an early return.
  Analysed waits(text("  store i1 true, ptr addrspace(1) %p\n  br label %end\nend:\n  ret void"));
  CHECK(waits.shapes->branches_uniformly(waits.block("entry")));
  CHECK(letter(waits.of("c")) == 'v');
  Analysed returns(text("  ret void"));
  CHECK_FALSE(returns.shapes->branches_uniformly(returns.block("entry")));
}
