// Masks of lanes whose value has been compared: which comparisons need not ask for what came before.

#include "compiler/passes/2_vector/control/exclusions.hpp"

#include "compiler/tests/module_text.hpp"

#include <map>
#include <vector>

using namespace hostcl::compiler;
using namespace llvm;

namespace {

const char* const text = R"(
define <4 x i1> @k(<4 x i1> %mask, <4 x i1> %other, <4 x i32> %v, <4 x i32> %w) {
  %is1 = icmp eq <4 x i32> %v, splat (i32 1)
  %is2 = icmp eq <4 x i32> %v, splat (i32 2)
  %is3 = icmp eq <4 x i32> %v, splat (i32 3)
  %w3 = icmp eq <4 x i32> %w, splat (i32 3)
  %less = icmp ult <4 x i32> %v, splat (i32 3)
  %is1or3 = or <4 x i1> %is1, %is3
  %is2or3 = or <4 x i1> %is2, %is3
  %mixed = or <4 x i1> %is2, %w3
  %not1 = xor <4 x i1> %is1, splat (i1 true)
  %not2 = xor <4 x i1> %is2, splat (i1 true)
  %else1 = select <4 x i1> %mask, <4 x i1> %not1, <4 x i1> zeroinitializer
  %else2 = select <4 x i1> %else1, <4 x i1> %not2, <4 x i1> zeroinitializer
  %three = select <4 x i1> %else2, <4 x i1> %is3, <4 x i1> zeroinitializer
  %after1 = select <4 x i1> %else1, <4 x i1> %is2or3, <4 x i1> zeroinitializer
  %one.again = select <4 x i1> %else2, <4 x i1> %is1, <4 x i1> zeroinitializer
  %one.among = select <4 x i1> %else2, <4 x i1> %is1or3, <4 x i1> zeroinitializer
  %of.other.value = select <4 x i1> %else2, <4 x i1> %w3, <4 x i1> zeroinitializer
  %of.two.values = select <4 x i1> %else2, <4 x i1> %mixed, <4 x i1> zeroinitializer
  %by.order = select <4 x i1> %else2, <4 x i1> %less, <4 x i1> zeroinitializer
  %otherwise = select <4 x i1> %else2, <4 x i1> %is3, <4 x i1> splat (i1 true)
  %side2 = select <4 x i1> %mask, <4 x i1> %not2, <4 x i1> zeroinitializer
  %side2.one = select <4 x i1> %side2, <4 x i1> %is1, <4 x i1> zeroinitializer
  %side2.three = select <4 x i1> %side2, <4 x i1> %is3, <4 x i1> zeroinitializer
  %else1.two = select <4 x i1> %else1, <4 x i1> %is2, <4 x i1> zeroinitializer
  %elsewhere = select <4 x i1> %other, <4 x i1> %is3, <4 x i1> zeroinitializer
  ret <4 x i1> %three
}
)";

struct Case {
  const char* name;
  const char* mask; ///< that the lanes are taken from now
};

constexpr Case expected[] = {
    {"three", "mask"},           {"after1", "mask"},         {"one.again", "else2"}, // those lanes are gone
    {"one.among", "else2"},                                                          // some of them are
    {"of.other.value", "else2"}, {"of.two.values", "else2"}, {"by.order", "else2"},
    {"otherwise", "else2"},      {"side2.three", "mask"},    {"else1.two", "mask"},
    {"elsewhere", "other"},      {"else2", "else1"}, // a rest is not a choice
};

} // namespace

TEST_CASE("Exclusions: a lane that equals one number was not excluded for another", "[exclusions]") {
  const ModuleText module(text);
  Function& function = module.function("k");
  Exclusions exclusions;
  for (Instruction& instruction : instructions(function))
    exclusions.visit(instruction);
  for (const Case& each : expected) {
    CAPTURE(each.name);
    CHECK(instruction_named(function, each.name).getOperand(0)->getName().str() == each.mask);
  }
}

TEST_CASE("Exclusions: what simplifies a mask never changes it", "[exclusions]") {
  // Each mask, for every value that a lane may have, before and after.
  const ModuleText module(text);
  Function& function = module.function("k");
  const auto evaluate = [&](unsigned v, unsigned w, bool mask, bool other) {
    std::map<const Value*, bool> known{{&value_named(function, "mask"), mask},
                                       {&value_named(function, "other"), other}};
    std::vector<bool> results;
    for (Instruction& i : instructions(function)) {
      const auto at = [&](unsigned operand) {
        const auto* constant = dyn_cast<Constant>(i.getOperand(operand));
        return constant ? !constant->isNullValue() : known.at(i.getOperand(operand));
      };
      if (const auto* compare = dyn_cast<ICmpInst>(&i)) {
        const unsigned left = compare->getOperand(0) == &value_named(function, "v") ? v : w;
        const auto right = static_cast<unsigned>(
            cast<ConstantInt>(cast<Constant>(compare->getOperand(1))->getSplatValue())->getZExtValue());
        known[&i] = compare->isEquality() ? left == right : left < right;
      } else if (isa<SelectInst>(i)) {
        known[&i] = at(0) ? at(1) : at(2);
      } else if (i.isBinaryOp()) {
        known[&i] = i.getOpcode() == Instruction::Or ? at(0) || at(1) : at(0) != at(1);
      } else {
        break;
      }
      results.push_back(known[&i]);
    }
    return results;
  };
  std::vector<std::vector<bool>> before, after;
  const auto all = [&](std::vector<std::vector<bool>>& results) {
    for (unsigned v = 0; v < 5; ++v)
      for (unsigned w = 2; w < 4; ++w)
        for (const bool mask : {false, true})
          for (const bool other : {false, true})
            results.push_back(evaluate(v, w, mask, other));
  };
  all(before);
  Exclusions exclusions;
  for (Instruction& instruction : instructions(function))
    exclusions.visit(instruction);
  all(after);
  CHECK(before == after);
  CHECK(before.front().size() > 20);
}
