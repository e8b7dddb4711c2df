// Bounds that are computed when a group begins, against the values of all work-items of the group.

#include "compiler/passes/checks/intervals.hpp"

#include "compiler/tests/evaluation.hpp"
#include "compiler/tests/random_kernel.hpp"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/TargetParser/Triple.h"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

/// The intervals of all integers of a kernel, for which code is written at its start.
struct Bounded {
  explicit Bounded(Function& kernel)
      : library_info(Triple("x86_64-unknown-linux-gnu")),
        library(library_info),
        assumptions(kernel),
        dominators(kernel),
        loops(dominators),
        evolution(kernel, library, assumptions, dominators, loops) {
    SmallVector<Instruction*, 128> numbers;
    for (Instruction& instruction : instructions(kernel))
      if (instruction.getType()->isIntegerTy()) numbers.push_back(&instruction);
    IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIIt());
    Intervals found(evolution, builder);
    for (Instruction* number : numbers)
      if (const auto interval = found.of(evolution.getSCEV(number))) intervals[number] = *interval;
  }

  TargetLibraryInfoImpl library_info;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  std::map<const Value*, Interval> intervals;
};

EvaluatedGroup small_group(std::mt19937_64& random) {
  EvaluatedGroup group;
  group.size = {1 + random() % 9, 1 + random() % 2, 1};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    group.groups[dimension] = 1 + (random() % 2 ? random() % 9 : random() % (1U << 27));
    group.group[dimension] = random() % group.groups[dimension];
    group.offset[dimension] = random() % 2 ? 0 : random() % 100;
  }
  for (std::uint64_t& argument : group.arguments)
    argument = random() % 2 ? random() % 1000 - 500 : random() >> random() % 64;
  return group;
}

} // namespace

TEST_CASE("Intervals: the value of every work-item lies within a valid interval", "[intervals]") {
  constexpr unsigned kernels = 120;
  unsigned valid = 0, wide = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    RandomKernel kernel(seed);
    const Bounded bounded(kernel.function());
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i < 3; ++i) {
      const EvaluatedGroup group = small_group(random);
      for (std::uint64_t y = 0; y < group.size[1]; ++y)
        for (std::uint64_t x = 0; x < group.size[0]; ++x) {
          const Evaluation item(kernel.function(), group, {x, y, 0});
          for (const auto& [key, value] : item.trace()) {
            const auto found = bounded.intervals.find(key.first);
            if (found == bounded.intervals.end()) continue;
            const auto& [low, high, is_valid] = found->second;
            if (is_valid && item.of(*is_valid).isZero()) continue;
            const std::int64_t least = item.of(*low).getSExtValue(), most = item.of(*high).getSExtValue();
            if (value.getSExtValue() < least || value.getSExtValue() > most) {
              std::string text;
              raw_string_ostream stream(text);
              stream << "kernel " << seed << ": " << *key.first << " is " << value.getSExtValue()
                     << ", not in [" << least << ", " << most << "]\n"
                     << kernel.function();
              FAIL(text);
            }
            ++valid;
            wide += least != most;
          }
        }
    }
  }
  CHECK(valid > 100 * kernels);
  CHECK(wide > 100 * kernels);
}
