// What the analyses of values say of random kernels, against what work-items compute: linear sums and forms, bounds,
// alignment, global ids, and the shapes of lanes.

#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/tests/evaluation.hpp"
#include "compiler/tests/random_kernel.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/linear_sum.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/IR/Dominators.h"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

constexpr unsigned width = 8, kernels = 150, groups_of_kernel = 3;

/// A group and the local ids of a vector of its work-items.
struct Chunk {
  EvaluatedGroup group;
  SmallVector<Evaluation::LocalId, width> lanes;
};

std::uint64_t edge(std::mt19937_64& random) {
  const std::uint64_t power = std::uint64_t{1} << (random() % 64);
  return (random() % 2 ? power : 0 - power) + random() % 5 - 2;
}

/// @param partial_sub_groups the chunk may start at any work-item of the group
Chunk random_chunk(std::mt19937_64& random, bool ids_fit_31_bits, bool partial_sub_groups) {
  constexpr std::uint64_t sizes[] = {1, 7, 8, 13, 16, 64, 1000, 4096};
  Chunk chunk;
  EvaluatedGroup& group = chunk.group;
  group.size = {sizes[random() % 8], 1 + random() % 3, 1 + random() % 2};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    const std::uint64_t most = (std::uint64_t{1} << (ids_fit_31_bits ? 31 : 44)) / group.size[dimension];
    const std::uint64_t count = random() % 2 ? most : 1 + random() % 9;
    group.groups[dimension] = count;
    group.group[dimension] = random() % 2 ? count - 1 : random() % count;
    const std::uint64_t left = (most - count) * group.size[dimension];
    group.offset[dimension] = random() % 2 ? 0 : left - random() % std::min<std::uint64_t>(left + 1, 5);
  }
  group.arguments = {edge(random) * 8, edge(random), edge(random)};
  const std::uint64_t first = partial_sub_groups ? random() % group.size[0]
                                                 : random() % ((group.size[0] + width - 1) / width) * width;
  for (std::uint64_t x = first; x < std::min(first + width, group.size[0]); ++x)
    chunk.lanes.push_back({x, random() % group.size[1], 0});
  for (auto& lane : chunk.lanes)
    lane[1] = chunk.lanes[0][1];
  return chunk;
}

/// A random kernel in the form that the vectoriser takes.
struct Subject {
  RandomKernel kernel;
  Function& function = kernel.function();
  DominatorTree dominators;
  LoopInfo loops;

  explicit Subject(std::uint64_t seed) : kernel(seed) {
    REQUIRE_FALSE(llvm::errorToBool(canonicalise(function, dominators, loops)));
  }
};

/// The kernel with a chunk of each of several groups; calls `check` with what lanes have computed.
template <class Check>
void for_each_chunk(Subject& subject, std::uint64_t seed, bool ids_fit_31_bits, Check check,
                    bool partial_sub_groups = false) {
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < groups_of_kernel; ++i) {
    const Chunk chunk = random_chunk(random, ids_fit_31_bits, partial_sub_groups);
    std::vector<Evaluation> lanes;
    for (const auto& lane : chunk.lanes)
      lanes.emplace_back(subject.function, chunk.group, lane);
    check(chunk, lanes);
  }
}

[[noreturn]] void fail(std::uint64_t seed, const Value& value, const Twine& why) {
  std::string text;
  raw_string_ostream stream(text);
  stream << "kernel " << seed << ": " << value << "\n"
         << why << "\n"
         << *cast<Instruction>(value).getFunction();
  FAIL(text);
  std::abort();
}

APInt extended(const APInt& part, Extension extension) {
  return extension == Extension::sign ? part.sextOrTrunc(64) : part.zextOrTrunc(64);
}

/// Whether the tests that memory/affine_tests.hpp writes for a value of checked shape hold.
bool is_affine_now(const Shapes& shapes, const Evaluation& first_lane, const Value& value,
                   unsigned iteration) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !shapes.of(instruction).is_checked()) return true;
  const auto wide = [&](const Value& part, bool is_signed) {
    const APInt* now = first_lane.in_iteration(part, iteration);
    const APInt number = now ? *now : first_lane.of(part);
    return is_signed ? number.sext(128) : number.zext(128);
  };
  const auto* clamp = dyn_cast<MinMaxIntrinsic>(instruction);
  if (clamp || isa<SExtInst, ZExtInst>(instruction)) {
    const bool is_signed = clamp ? clamp->isSigned() : isa<SExtInst>(instruction);
    const bool swapped = clamp && shapes.of(clamp->getLHS()).is_uniform();
    const Value& index = *instruction->getOperand(swapped);
    const unsigned bits = index.getType()->getIntegerBitWidth();
    const auto distance = static_cast<std::uint64_t>(shapes.of(&index).stride()) * (width - 1);
    const APInt first = wide(index, is_signed), last = first + APInt(64, distance).sext(128);
    if (is_signed ? !last.isSignedIntN(bits) : !last.isIntN(bits)) return false;
    if (clamp) {
      const APInt border = wide(*clamp->getOperand(!swapped), is_signed);
      const llvm::Intrinsic::ID kind = clamp->getIntrinsicID();
      const bool is_minimum = kind == llvm::Intrinsic::smin || kind == llvm::Intrinsic::umin;
      if (is_minimum ? first.sgt(border) || last.sgt(border) : first.slt(border) || last.slt(border))
        return false;
    }
  }
  return all_of(instruction->operands(),
                [&](const Use& operand) { return is_affine_now(shapes, first_lane, *operand, iteration); });
}

} // namespace

TEST_CASE("Linear sums: a sum is what the operation computes, whatever wraps", "[value_properties]") {
  unsigned found = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    Subject subject(seed);
    for_each_chunk(subject, seed, false, [&](const Chunk&, const std::vector<Evaluation>& lanes) {
      const Evaluation& lane = lanes.back();
      for (const auto& [key, value] : lane.trace()) {
        const auto& [instruction, iteration] = key;
        const auto sum = linear_sum_of(*cast<Instruction>(instruction));
        if (!sum) continue;
        APInt total(64, static_cast<std::uint64_t>(sum->constant));
        for (const LinearPart& part : sum->parts) {
          const APInt* operand = lane.in_iteration(*part.value, iteration);
          const APInt number = operand ? *operand : lane.of(*part.value);
          total += extended(number, part.extension) * static_cast<std::uint64_t>(part.factor);
        }
        if (total.trunc(value.getBitWidth()) != value) fail(seed, *instruction, "is another sum");
        ++found;
      }
    });
  }
  CHECK(found > 20 * kernels);
}

TEST_CASE("Linear forms: a form is the value, with counters of loops less their starts",
          "[value_properties]") {
  unsigned found = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    Subject subject(seed);
    LinearForms forms(&subject.loops);
    const auto value_of = [&](const Evaluation& lane, const Value& leaf, unsigned iteration) {
      const APInt* now = lane.in_iteration(leaf, iteration);
      const APInt value = now ? *now : lane.of(leaf);
      if (!isa<PHINode>(leaf) || forms.of(leaf, *cast<Instruction>(leaf).getParent()).terms.size() == 1)
        return value.zextOrTrunc(64);
      return (value - *lane.in_iteration(leaf, 0)).zextOrTrunc(64);
    };
    for_each_chunk(subject, seed, false, [&](const Chunk&, const std::vector<Evaluation>& lanes) {
      const Evaluation& lane = lanes.back();
      for (const auto& [key, value] : lane.trace()) {
        const auto& [instruction, iteration] = key;
        APInt total(64, 0);
        const LinearForm form = forms.of(*instruction, *cast<Instruction>(instruction)->getParent());
        for (const Term& term : form.terms) {
          APInt product(64, static_cast<std::uint64_t>(term.factor));
          for (const Value* leaf : term.leaves)
            product *= value_of(lane, *leaf, iteration);
          total += product;
        }
        if (total.trunc(value.getBitWidth()) != value) fail(seed, *instruction, "has another form");
        found += form.terms.size() > 1;
      }
    });
  }
  CHECK(found > 10 * kernels);
}

TEST_CASE("Ranges: bounds and low bits that are zero hold for every work-item", "[value_properties]") {
  unsigned bounded = 0, aligned = 0;
  for (const bool ids_fit : {true, false})
    for (std::uint64_t seed = 0; seed < kernels; ++seed) {
      Subject subject(seed);
      const Ranges ranges({.width = width, .ids_fit_31_bits = ids_fit});
      std::map<const Value*, std::pair<std::uint64_t, unsigned>> known;
      for (const Instruction& instruction : instructions(subject.function))
        known[&instruction] = {ranges.upper_bound(instruction), ranges.zero_bits_of_first_lane(instruction)};
      for_each_chunk(subject, seed, ids_fit, [&](const Chunk&, const std::vector<Evaluation>& lanes) {
        for (const Evaluation& lane : lanes)
          for (const auto& [key, value] : lane.trace()) {
            const auto [bound, zeros] = known[key.first];
            if (value.getZExtValue() > bound)
              fail(seed, *key.first,
                   "exceeds the bound " + Twine(bound) + " with " + Twine(value.getZExtValue()));
            if (&lane == &lanes.front() && value.countr_zero() < std::min(zeros, value.getBitWidth()))
              fail(seed, *key.first, "has fewer low bits that are zero than " + Twine(zeros));
            bounded += bound < APInt::getMaxValue(value.getBitWidth()).getZExtValue();
            aligned += zeros != 0;
          }
      });
    }
  CHECK(bounded > 100 * kernels);
  CHECK(aligned > 100 * kernels);
}

TEST_CASE("Linear forms: global ids with or without offset", "[value_properties]") {
  unsigned ids = 0;
  for (std::uint64_t seed = 0; seed < kernels; ++seed) {
    Subject subject(seed);
    LinearForms forms;
    for_each_chunk(subject, seed, true, [&](const Chunk& chunk, const std::vector<Evaluation>& lanes) {
      const EvaluatedGroup& group = chunk.group;
      for (const auto& [key, value] : lanes.back().trace()) {
        const auto number = value.getZExtValue(),
                   all = APInt::getMaxValue(value.getBitWidth()).getZExtValue();
        if (!forms.is_global_id(forms.of(*key.first, *cast<Instruction>(key.first)->getParent()))) continue;
        const auto is_id_of = [&](unsigned dimension) {
          const std::uint64_t id =
              group.group[dimension] * group.size[dimension] + chunk.lanes.back()[dimension];
          return number == (id & all) || number == ((id + group.offset[dimension]) & all);
        };
        if (!is_id_of(0) && !is_id_of(1) && !is_id_of(2)) fail(seed, *key.first, "is no global id");
        ++ids;
      }
    });
  }
  CHECK(ids > 3 * kernels);
}

TEST_CASE("Shapes: lanes that compute a value together have it alike, or a stride apart",
          "[value_properties]") {
  unsigned uniform = 0, affine = 0, checked = 0, guessed = 0;
  for (const auto& [ids_fit, partial] : {std::pair(true, false), {false, false}, {true, true}})
    for (std::uint64_t seed = 0; seed < kernels; ++seed) {
      Subject subject(seed);
      const ForwardGraph graph(subject.function, subject.loops);
      REQUIRE(graph.valid());
      const Ranges ranges({.width = width, .partial_sub_groups = partial, .ids_fit_31_bits = ids_fit});
      const Shapes shapes(subject.function, graph, subject.loops, ranges, /*switches=*/{});
      for (const Instruction& instruction : instructions(subject.function)) {
        if (!shapes.of(&instruction).is_varying() && !isa<PHINode>(instruction) &&
            !instruction.isTerminator() && any_of(instruction.operands(), [&](const Use& operand) {
              return shapes.of(operand).is_varying();
            }))
          fail(seed, instruction, "is not varying, but has an operand that is, and so has no scalar");
        guessed += shapes.of(&instruction).is_varying() && shapes.of(&instruction).likely_stride();
      }
      const auto check = [&](const Chunk&, const std::vector<Evaluation>& lanes) {
        std::map<std::pair<const Value*, unsigned>, std::pair<APInt, std::size_t>> first;
        for (std::size_t i = 0; i < lanes.size(); ++i)
          for (const auto& [key, value] : lanes[i].trace()) {
            const Shape shape = shapes.of(key.first);
            if (shape.is_varying()) continue;
            const auto& [from, lane] = first.try_emplace(key, value, i).first->second;
            if (shape.is_checked() &&
                (!lanes[0].trace().contains(key) || !is_affine_now(shapes, lanes[0], *key.first, key.second)))
              continue;
            const auto distance = static_cast<std::uint64_t>(shape.stride()) * (i - lane);
            if (value != from + APInt(64, distance).trunc(value.getBitWidth()))
              fail(seed, *key.first, "is not affine with the stride " + Twine(shape.stride()));
            (shape.is_uniform() ? uniform : shape.is_checked() ? checked : affine) += i != lane;
          }
      };
      for_each_chunk(subject, seed, ids_fit, check, partial);
    }
  CHECK(uniform > 100 * kernels);
  CHECK(affine > 100 * kernels);
  CHECK(checked > kernels);
  CHECK(guessed > kernels);
}
