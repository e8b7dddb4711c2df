#include "compiler/passes/printers.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/passes/2_vector/vectorise.hpp"
#include "compiler/passes/checks/provenance.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/acquired_reads.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/group_visibility.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstring>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Writes values as operands. The numbers of unnamed values are computed once for the function.
class Writer {
public:
  Writer(raw_ostream& stream, const Function& function)
      : stream_(stream), slots_(function.getParent(), /*ShouldInitializeAllMetadata=*/false) {
    slots_.incorporateFunction(function);
  }

  raw_ostream& operand(const Value& value) {
    value.printAsOperand(stream_, /*PrintType=*/false, slots_);
    return stream_;
  }

  /// The beginning of a line about a block.
  raw_ostream& line(const BasicBlock& block) {
    stream_ << "  ";
    return operand(block) << ": ";
  }

  /// The beginning of a line about an instruction.
  raw_ostream& line(const Instruction& instruction) {
    stream_ << "  ";
    if (!instruction.getType()->isVoidTy()) return operand(instruction) << ": ";
    stream_ << instruction.getOpcodeName();
    for (const Use& use : instruction.operands()) {
      stream_ << (use.getOperandNo() == 0 ? " " : ", ");
      operand(*use.get());
    }
    return stream_ << ": ";
  }

  void shape(Shape shape) {
    if (shape.is_affine())
      stream_ << "affine " << shape.stride() << (shape.is_checked() ? ", if a test at run time says so" : "");
    else
      stream_ << (shape.is_uniform() ? "uniform" : shape.is_varying() ? "varying" : "unknown");
  }

  /// Prints the form; prints nothing if the form is the value itself. @param certain the form with Wrapping::counts, in
  /// which extended sums are leaves
  void form(const Value& value, const LinearForm& form, const LinearForm& certain) {
    if (form.as_leaf() == &value) return;
    stream_ << "; " << (form.terms.empty() ? "0" : "");
    for (const Term& term : form.terms) {
      stream_ << (&term == form.terms.begin() ? "" : " + ") << term.factor;
      SmallVector<std::string> leaves = to_vector_of<std::string>(
          map_range(term.leaves, [&](const Value* leaf) { return leaf_text(*leaf); }));
      sort(leaves); // the term sorts its leaves by address, so their order differs from run to run
      for (const std::string& leaf : leaves)
        stream_ << " * " << leaf;
    }
    if (form.terms != certain.terms) stream_ << " unless an extension wraps";
  }

  void range(const Value& value, const Ranges& ranges) {
    if (!value.getType()->isIntegerTy()) return;
    if (const ConstantRange range = ranges.of(value); !range.getUnsignedMax().isAllOnes())
      stream_ << "; " << toString(range.getUnsignedMin(), 10, /*Signed=*/false) << " to "
              << toString(range.getUnsignedMax(), 10, /*Signed=*/false);
    if (const unsigned zeros = ranges.zero_bits_of_first_lane(value))
      stream_ << "; first lane a multiple of 2^" << zeros;
  }

private:
  /// A query is written with its arguments, because one call stands for all calls of the same query.
  std::string leaf_text(const Value& leaf) {
    std::string text;
    raw_string_ostream stream(text);
    if (is_dimension_query(leaf))
      stream << cast<CallBase>(leaf).getCalledFunction()->getName().substr(strlen("__hostcl_")) << '('
             << dimension_of(cast<CallBase>(leaf)) << ')';
    else
      leaf.printAsOperand(stream, /*PrintType=*/false, slots_);
    return text;
  }

  raw_ostream& stream_;
  ModuleSlotTracker slots_;
};

void print_provenance_of(raw_ostream& stream, Function& function) {
  ProvenanceAnalysis places(function);
  SmallVector<std::pair<const Instruction*, Provenance>> found;
  for (Instruction& instruction : instructions(function))
    if (Value* pointer = getLoadStorePointerOperand(&instruction))
      found.push_back({&instruction, places.of(*pointer)});
  Writer writer(stream, function); // only now, because ProvenanceAnalysis has added values
  for (const auto& [access, place] : found) {
    writer.line(*access) << "in ";
    if (place.root)
      writer.operand(*place.root);
    else
      stream << "one of several";
    for (const auto& [name, value] :
         {std::pair("from", place.low), {"size", place.size}, {"at", place.offset}}) {
      stream << ", " << name << ' ';
      writer.operand(*value);
    }
    stream << '\n';
  }
}

void print_values_of(raw_ostream& stream, Function& function) {
  DominatorTree dominators;
  LoopInfo loops;
  if (Error error = canonicalise(function, dominators, loops)) {
    stream << "  " << toString(std::move(error)) << '\n';
    return;
  }
  const GroupUniformity uniformity(function); // may split headers of loops
  dominators.recalculate(function);
  loops.releaseMemory();
  loops.analyze(dominators);
  const ForwardGraph graph(function, loops);
  if (!graph.valid()) {
    stream << "  irreducible control flow\n";
    return;
  }
  const AcquiredReads reads(function);
  const Ranges ranges({.width = 8});
  const Shapes shapes(function, graph, loops, ranges, /*switches=*/{});
  LinearForms certain_forms(&loops, Wrapping::counts), forms_if_none_wraps(&loops, Wrapping::ignored);
  Writer writer(stream, function);
  for (const Instruction& instruction : instructions(function)) {
    const bool is_value = !instruction.getType()->isVoidTy(), is_acquired = reads.contains(instruction);
    if (!is_value && !is_acquired) continue;
    writer.line(instruction);
    if (is_value) {
      writer.shape(shapes.of(&instruction));
      const auto form_in = [&](LinearForms& forms) {
        return forms.of(instruction, *instruction.getParent());
      };
      writer.form(instruction, form_in(forms_if_none_wraps), form_in(certain_forms));
      writer.range(instruction, ranges);
      stream << (uniformity.is_uniform(instruction) ? "; group-uniform" : "; group-divergent");
    }
    stream << (!is_acquired ? "\n" : is_value ? "; after an acquire\n" : "after an acquire\n");
  }
  for (unsigned block = 0; block < graph.size(); ++block) {
    if (!shapes.branches_uniformly(block))
      writer.line(*graph.block(block)) << "lanes leave it for different blocks\n";
    if (uniformity.has_divergent_branch(*graph.block(block)))
      writer.line(*graph.block(block)) << "work-items leave it for different blocks\n";
  }
  stream << (sees_groups(function, Launches::of_one_dimension) ? "  it can tell groups\n"
                                                               : "  it cannot tell groups\n");
}

/// Writes the function's name, and what `print` says of a copy of the function. A copy is needed because `print` may
/// canonicalise its function; so neither the function nor the numbers of its unnamed values change.
void print_about(raw_ostream& stream, Function& function, void (*print)(raw_ostream&, Function&)) {
  if (function.isDeclaration()) return;
  stream << function.getName() << ":\n";
  ValueToValueMapTy values;
  Function* copy = CloneFunction(&function, values);
  print(stream, *copy);
  copy->eraseFromParent();
}

} // namespace

void print_values(raw_ostream& stream, Function& function) {
  print_about(stream, function, print_values_of);
}

PreservedAnalyses print_values_pass(Function& function, FunctionAnalysisManager&) {
  print_values(errs(), function);
  return PreservedAnalyses::all();
}

PreservedAnalyses print_plan_pass(Function& function, FunctionAnalysisManager&) {
  print_about(errs(), function,
              [](raw_ostream&, Function& copy) { vectorise(copy, {.width = 8, .print_plan = true}); });
  return PreservedAnalyses::all();
}

PreservedAnalyses print_provenance_pass(Function& function, FunctionAnalysisManager&) {
  print_about(errs(), function, print_provenance_of);
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
