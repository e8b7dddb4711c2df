// The table of steps, and the parameters of passes in it.

#include "compiler/code/pipeline/pipeline_steps.hpp"

#include "compiler/code/pipeline/pass_environment.hpp"
#include "compiler/compiler.hpp"
#include "compiler/passes/2_vector/options.hpp"
#include "compiler/passes/switch_parameters.hpp"
#include "support/catch.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <set>

using namespace hostcl::compiler;

TEST_CASE("steps have different names, which are no numbers", "[pipeline_steps]") {
  std::set<std::string> names;
  for (const Step& step : pipeline_steps()) {
    INFO(step.name);
    CHECK(names.insert(step.name).second);
    CHECK(std::string(step.name).find_first_not_of("0123456789") == 0);
  }
}

TEST_CASE("what is the same for all variants comes first", "[pipeline_steps]") {
  Step::Part part = Step::of_kernel;
  for (const Step& step : pipeline_steps()) {
    INFO(step.name);
    CHECK(step.part >= part);
    part = step.part;
  }
}

TEST_CASE("the passes of each step are known", "[pipeline_steps]") {
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  for (const Step& step : pipeline_steps()) {
    INFO(step.name << ": " << step.passes);
    PassEnvironment environment(nullptr, {});
    if (*step.passes) CHECK(llvm::toString(environment.run(empty, step.passes)).empty());
  }
}

TEST_CASE("passes that take switches get those of the compilation", "[pipeline_steps]") {
  constexpr llvm::StringRef passes_with_switches[] = {
#define MODULE_PASS(...)
#define SWITCHED_MODULE_PASS(name, pass) name,
#define FUNCTION_PASS(...)
#define SWITCHED_FUNCTION_PASS(name, pass) name,
#define HEURISTIC_PASS(name, heuristic, pass) name,
#define PARAMETRISED_PASS(...)
#include "compiler/passes/passes.def"
      "vectorise"};
  for (const Step& step : pipeline_steps()) {
    llvm::SmallVector<llvm::StringRef, 16> passes;
    llvm::SplitString(step.passes, passes, ",()");
    for (const llvm::StringRef pass : passes) {
      INFO(pass.str()); // must be written with <>
      CHECK_FALSE(llvm::is_contained(passes_with_switches, pass));
    }
  }
}

TEST_CASE("the last step that optimises has a number and a name", "[pipeline_steps]") {
  const auto all = static_cast<unsigned>(pipeline_steps().size());
  CHECK(step_named("").value >= all);
  CHECK(step_named("callee-registers").value == 2);
  CHECK(step_named("1").value == 1);
  CHECK(step_named(std::to_string(all)).value == all);
  const auto none = step_named("0");
  CHECK(none);
  CHECK(none.value == 0);
  CHECK_FALSE(step_named(std::to_string(all + 1)));
  CHECK_FALSE(step_named("doors"));
  CHECK(step_named("local-trees").value == step_named("tree-reductions").value); // a name of before
}

TEST_CASE("the vectoriser's parameters are read as they were written", "[pipeline_steps]") {
  for (const char* text :
       {"", "width=8", "vector-bits=512;integer-latency=2;dimension=1;no-gathers;no-permutes",
        "width=64;byte-masks;compresses;long-conversions;fetches-overwritten;slow-scattered-access",
        "split-rows;no-small-ids;only-if-faster", "width=8;no-permutes;no-records;check-bounds"}) {
    auto options = parse_vectorise_options(text);
    REQUIRE(static_cast<bool>(options));
    CHECK(text_of(*options) == text);
  }
  auto avx512 = parse_vectorise_options("width=16;cpu=avx512");
  REQUIRE(static_cast<bool>(avx512));
  CHECK(text_of(*avx512) == "width=16;vector-bits=512;byte-masks;compresses;long-conversions");
  for (const char* wrong :
       {"width", "width=", "width=x", "gathers=1", "no-width=1", "cpu=avx3", "fast", "no-fast", "check-"}) {
    auto options = parse_vectorise_options(wrong);
    INFO(wrong);
    CHECK_FALSE(static_cast<bool>(options));
    llvm::consumeError(options.takeError());
  }
}

TEST_CASE("switches are read as they were written", "[pipeline_steps]") {
  for (const char* text : {"", "no-records", "no-records;no-loop_updates;check-bounds;check-races"}) {
    auto switches = parse_switches(text);
    REQUIRE(static_cast<bool>(switches));
    CHECK(text_of(*switches) == text);
  }
  for (const char* wrong : {"records", "no-fast", "no-", "check-", "check-speed", "no-records;", "width=4"}) {
    auto switches = parse_switches(wrong);
    INFO(wrong);
    CHECK_FALSE(static_cast<bool>(switches));
    llvm::consumeError(switches.takeError());
  }
}
