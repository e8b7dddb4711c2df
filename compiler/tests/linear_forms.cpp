// Values as sums of products: strides, dependences, and what is assumed of overflow.

#include "compiler/values/linear_forms.hpp"
#include "compiler/tests/module_text.hpp"
#include "support/catch.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace hostcl::compiler;

namespace {

/// A function with the given body, in which %l, %m, %g and %s are the local id of x and y, the group id and
/// the local size of x.
class Body {
public:
  explicit Body(const std::string& body) {
    const std::string text = R"(
declare i64 @__hostcl_local_id(i32) memory(none)
declare i64 @__hostcl_group_id(i32) memory(none)
declare i64 @__hostcl_local_size(i32) memory(none)
define void @f(ptr %a, i64 %n, i32 %k) {
entry:
  %l = call i64 @__hostcl_local_id(i32 0)
  %m = call i64 @__hostcl_local_id(i32 1)
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_local_size(i32 0)
)" + body + "}\n";
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(text, diagnostic, context_);
    INFO(diagnostic.getMessage().str());
    REQUIRE(module_);
    dominators_.recalculate(*module_->getFunction("f"));
    loops_.analyze(dominators_);
  }

  /// The form of the value called `name`.
  LinearForm operator[](llvm::StringRef name) { return find(forms_, name); }
  /// The same if sums are taken not to wrap before they are extended.
  LinearForm without_wrapping(llvm::StringRef name) { return find(likely_forms_, name); }

private:
  LinearForm find(LinearForms& forms, llvm::StringRef name) {
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f")))
      if (instruction.getName() == name) return forms.of(instruction, *instruction.getParent());
    FAIL("no value of this name");
    return {};
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  LinearForms forms_{&loops_}, likely_forms_{&loops_, Wrapping::ignored};
};

} // namespace

TEST_CASE("a global id has the stride 1, and its address the element's size", "[linear_forms]") {
  Body body(R"(
  %start = mul i64 %g, %s
  %i = add i64 %start, %l
  %p = getelementptr float, ptr %a, i64 %i
  %q = getelementptr { i32, [3 x i16] }, ptr %a, i64 %i, i32 1, i64 2
  ret void
)");
  CHECK(body["i"].stride(0) == 1);
  CHECK(body["i"].stride(1) == 0);
  CHECK(body["i"].dependence() == (on_local_id | on_group_id));
  CHECK(body["p"].stride(0) == 4);
  CHECK(body["q"].stride(0) == 12);
}

TEST_CASE("terms with the same leaves are one, also where calls of a query differ", "[linear_forms]") {
  Body body(R"(
  %again = call i64 @__hostcl_local_id(i32 0)
  %twice = add i64 %l, %again
  %none = sub i64 %twice, %twice
  %ab = mul i64 %n, %l
  %ba = mul i64 %again, %n
  %same = sub i64 %ab, %ba
  ret void
)");
  CHECK(body["twice"].stride(0) == 2);
  CHECK(body["none"].terms.empty());
  CHECK(body["same"].terms.empty());
  CHECK(body["ab"].stride(0) == std::nullopt);
  CHECK(body["ab"].stride(1) == 0);
}

TEST_CASE("sums, products and truncations are exact where they wrap", "[linear_forms]") {
  Body body(R"(
  %large = mul i64 %l, -9223372036854775807
  %wrapped = mul i64 %large, 2
  %short = trunc i64 %l to i32
  %shifted = shl i32 %short, 30
  ret void
)");
  CHECK(body["wrapped"].stride(0) == 2);
  CHECK(body["shifted"].stride(0) == std::int64_t{1} << 30);
}

TEST_CASE("extensions of sums are leaves, unless sums are taken not to wrap", "[linear_forms]") {
  Body body(R"(
  %short = trunc i64 %l to i32
  %sum = add i32 %short, %k
  %long = sext i32 %sum to i64
  %p = getelementptr i32, ptr %a, i32 %sum
  ret void
)");
  CHECK(body["sum"].stride(0) == 1);
  CHECK(body["long"].stride(0) == std::nullopt);
  CHECK(body["long"].dependence() == on_local_id);
  CHECK(body["p"].stride(0) == std::nullopt);
  CHECK(body.without_wrapping("long").stride(0) == 1);
  CHECK(body.without_wrapping("p").stride(0) == 4);
}

TEST_CASE("signed and unsigned extensions of one number are different leaves", "[linear_forms]") {
  Body body(R"(
  %signed = sext i32 %k to i64
  %unsigned = zext i32 %k to i64
  %difference = sub i64 %signed, %unsigned
  ret void
)");
  CHECK(body["difference"].terms.size() == 2);
}

TEST_CASE("other operations are leaves that depend on what their operands do", "[linear_forms]") {
  Body body(R"(
  %half = lshr i64 %m, 1
  %p = getelementptr i64, ptr %a, i64 %half
  %x = load i64, ptr %p
  %old = atomicrmw add ptr %a, i64 1 monotonic
  ret void
)");
  CHECK(body["half"].dependence() == (on_local_id << 1));
  CHECK(body["half"].stride(0) == 0);
  CHECK(body["half"].stride(1) == std::nullopt);
  CHECK(body["x"].dependence() == (on_memory | (on_local_id << 1)));
  CHECK((body["old"].dependence() & on_item));
  CHECK(body["old"].stride(0) == std::nullopt);
}

TEST_CASE("a loop's counter has the stride of its start if work-items step alike", "[linear_forms]") {
  Body body(R"(
  br label %loop
loop:
  %i = phi i64 [ %l, %entry ], [ %next, %loop ]
  %other = phi i64 [ 0, %entry ], [ %far, %loop ]
  %before = add i64 %other, 5
  %next = add i64 %i, %n
  %far = add i64 %before, %l
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
)");
  CHECK(body["i"].stride(0) == 1);
  CHECK(body["next"].stride(0) == 1);
  CHECK(body["other"].stride(0) == std::nullopt);
  // Found on the assumption that %other steps alike, and forgotten.
  CHECK(body["before"].stride(0) == std::nullopt);
}

TEST_CASE("a counter is one whatever is asked for first", "[linear_forms]") {
  const std::string nest = R"(
  br label %outer
outer:
  %row = phi i64 [ %l, %entry ], [ %next.row, %outer.end ]
  %turns = phi i64 [ 0, %entry ], [ %at, %outer.end ]
  br label %inner
inner:
  %i = phi i64 [ %row, %outer ], [ %next, %inner ]
  %at = phi i64 [ %turns, %outer ], [ %i, %inner ]
  %next = add i64 %i, %n
  %more = icmp ult i64 %next, %n
  br i1 %more, label %inner, label %outer.end
outer.end:
  %next.row = add i64 %row, 1
  %end = icmp ult i64 %next.row, %n
  br i1 %end, label %outer, label %done
done:
  %last = add i64 %next.row, %next
  ret void
)";
  for (const char* first : {"row", "next.row", "i", "next", "turns", "at", "more", "last"}) {
    CAPTURE(first);
    Body body(nest);
    body[first];
    for (const char* name : {"row", "next.row", "i", "next"})
      CHECK(body[name].stride(0) == 1);
    CHECK(body["last"].stride(0) == std::nullopt);
    for (const char* name : {"turns", "at"})
      CHECK(body[name].stride(0) == std::nullopt);
  }
}

TEST_CASE(
    "an induction variable is divergent behind the loop that work-items may leave after different iterations",
    "[linear_forms]") {
  Body body(R"(
  br label %outer
outer:
  %turn = phi i64 [ 0, %entry ], [ %next.turn, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %inner ]
  %next = add i64 %i, %n
  %inside = add i64 %next, %l
  %more = icmp ult i64 %next, %l
  br i1 %more, label %inner, label %latch
latch:
  %behind = add i64 %next, 1
  %of.turn = add i64 %turn, %l
  %next.turn = add i64 %turn, 1
  %again = icmp ult i64 %next.turn, %n
  br i1 %again, label %outer, label %done
done:
  %last = mul i64 %next.turn, 3
  %extended = ashr i64 %last, 1
  ret void
)");
  for (const char* name : {"i", "next", "turn", "next.turn"})
    CHECK(body[name].dependence() == 0);
  CHECK(body["inside"].dependence() == on_local_id);
  CHECK(body["of.turn"].dependence() == on_local_id);
  for (const char* name : {"behind", "last", "extended"}) {
    CAPTURE(name);
    CHECK(body[name].dependence() == (on_item | on_any_id));
    CHECK(body[name].stride(0) == std::nullopt);
  }
}

TEST_CASE("many phis that depend on each other are soon found not to be counters", "[linear_forms]") {
  constexpr int count = 60; // two attempts for each would take as long as there are subsets
  std::string phis, sums;
  for (int i = 0; i < count; ++i) {
    const std::string own = std::to_string(i), before = std::to_string((i + count - 1) % count);
    phis += "  %p" + own + " = phi i64 [ 0, %entry ], [ %n" + own + ", %loop ]\n";
    sums += "  %q" + own + " = add i64 %p" + own + ", %p" + before + "\n";
    sums += "  %n" + own + " = add i64 %q" + own + ", %l\n";
  }
  Body body("  br label %loop\nloop:\n" + phis + sums +
            "  %more = icmp ult i64 %n0, %n\n  br i1 %more, label %loop, label %done\ndone:\n  ret void\n");
  CHECK(body["p0"].stride(0) == std::nullopt);
  CHECK(body["q59"].stride(0) == std::nullopt);
}

TEST_CASE("products of long sums are soon found to be leaves", "[linear_forms]") {
  std::string text = "  %s0 = load i64, ptr %a\n";
  for (int i = 1; i < 16; ++i) {
    const std::string own = std::to_string(i), before = std::to_string(i - 1);
    text += "  %v" + own + " = load i64, ptr %a\n  %s" + own + " = add i64 %s" + before + ", %v" + own + "\n";
  }
  text += "  %p0 = add i64 %s14, %l\n";
  for (int i = 1; i < 150; ++i) { // each sum has 16 terms, each product as many as there are pairs
    const std::string own = std::to_string(i), before = std::to_string(i - 1);
    text += "  %q" + own + " = mul i64 %p" + before + ", %s15\n";
    text += "  %p" + own + " = add i64 %q" + own + ", %s14\n";
  }
  Body body(text + "  ret void\n");
  CHECK(body["p0"].terms.size() == 16);
  CHECK(body["q1"].as_leaf());
  CHECK(body["q1"].dependence() == (on_local_id | on_memory));
  for (int i = 1; i < 150; ++i)
    CHECK(body["p" + std::to_string(i)].terms.size() == 16);
}

TEST_CASE("a phi of two branches is unknown", "[linear_forms]") {
  Body body(R"(
  %odd = icmp eq i64 %l, %n
  br i1 %odd, label %one, label %join
one:
  br label %join
join:
  %either = phi i64 [ %n, %entry ], [ %s, %one ]
  ret void
)");
  CHECK(body["either"].stride(0) == std::nullopt);
}

TEST_CASE("Linear forms: an address that comes from memory is data-dependent, but not through a phi",
          "[linear_forms]") {
  const ModuleText module(R"(
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %loaded = load i64, ptr addrspace(1) %p
  %old = atomicrmw add ptr addrspace(1) %p, i64 1 monotonic
  %by.load = getelementptr i32, ptr addrspace(1) %p, i64 %loaded
  %by.atomic = getelementptr i32, ptr addrspace(1) %p, i64 %old
  %by.id = getelementptr i32, ptr addrspace(1) %p, i64 %x
  br label %loop
loop:
  %i = phi i64 [ %loaded, %entry ], [ %next, %loop ]
  %by.phi = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
})");
  llvm::Function& kernel = module.function("k");
  CHECK(is_data_dependent(value_named(kernel, "by.load")));
  CHECK(is_data_dependent(value_named(kernel, "by.atomic")));
  CHECK_FALSE(is_data_dependent(value_named(kernel, "by.id")));
  CHECK_FALSE(is_data_dependent(value_named(kernel, "by.phi")));
}
