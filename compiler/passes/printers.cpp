#include "compiler/passes/printers.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/passes/2_vector/vectorise.hpp"
#include "compiler/passes/checks/provenance.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/acquired_reads.hpp"
#include "compiler/values/addresses.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/group_visibility.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/STLExtras.h"
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

  void term(const Term& term) {
    stream_ << term.factor;
    for (const Value* leaf : term.leaves) {
      stream_ << " * ";
      leaf_of(*leaf);
    }
  }

private:
  /// Writes a leaf. A query is written with its arguments, because one call stands for all calls of the same query.
  void leaf_of(const Value& leaf) {
    const auto* call = dyn_cast<CallBase>(&leaf);
    if (!call || !called_intrinsic(leaf)) {
      operand(leaf);
      return;
    }
    stream_ << call->getCalledFunction()->getName().substr(strlen("__hostcl_")) << '(';
    for (const Use& argument : call->args()) {
      if (argument.getOperandNo() != 0) stream_ << ", ";
      operand(*argument.get());
    }
    stream_ << ')';
  }

  raw_ostream& stream_;
  ModuleSlotTracker slots_;
};

/// Owns a copy of a function in the same module.
class Copy {
public:
  explicit Copy(Function& function) : copy_(*CloneFunction(&function, values_)) {}
  Copy(const Copy&) = delete;
  ~Copy() { copy_.eraseFromParent(); }
  Function& operator*() const { return copy_; }

private:
  ValueToValueMapTy values_;
  Function& copy_;
};

} // namespace

void print_acquired_reads(raw_ostream& stream, Function& function) {
  const AcquiredReads reads(function);
  Writer writer(stream, function);
  for (const Instruction& instruction : instructions(function))
    if (reads.contains(instruction)) writer.line(instruction) << "after an acquire\n";
}

void print_group_uniformity(raw_ostream& stream, Function& function) {
  const GroupUniformity uniformity(function);
  Writer writer(stream, function);
  for (const Instruction& instruction : instructions(function))
    if (!instruction.getType()->isVoidTy())
      writer.line(instruction) << (uniformity.is_uniform(instruction) ? "uniform\n" : "divergent\n");
  for (const BasicBlock& block : function)
    if (uniformity.has_divergent_branch(block)) {
      stream << "  ";
      writer.operand(block) << ": work-items leave it for different blocks\n";
    }
}

void print_group_visibility(raw_ostream& stream, Function& function) {
  stream << (sees_groups(function, Launches::of_one_dimension) ? "  it can tell groups\n"
                                                               : "  it cannot tell groups\n");
}

void print_linear_forms(raw_ostream& stream, Function& function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  LinearForms certain_forms(&loops, Wrapping::counts), forms_if_none_wraps(&loops, Wrapping::ignored);
  Writer writer(stream, function);
  for (const Instruction& instruction : instructions(function)) {
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    const LinearForm form = forms_if_none_wraps.of(*pointer, *instruction.getParent());
    writer.line(instruction);
    for (const Term& term : form.terms) {
      if (&term != form.terms.begin()) stream << " + ";
      writer.term(term);
    }
    if (const auto stride = form.stride(0)) stream << "; stride " << *stride;
    stream << (form.terms != certain_forms.of(*pointer, *instruction.getParent()).terms
                   ? "; unless an extension wraps\n"
                   : "\n");
  }
}

void print_plan(raw_ostream&, Function& function) {
  vectorise(function, {.width = 8, .print_plan = true});
}

void print_provenance(raw_ostream& stream, Function& function) {
  SmallVector<std::pair<Instruction*, Value*>> accesses;
  for (Instruction& instruction : instructions(function))
    if (Value* pointer = getLoadStorePointerOperand(&instruction))
      accesses.push_back({&instruction, pointer});
  ProvenanceAnalysis places(function);
  SmallVector<Provenance> found;
  for (const auto& [access, pointer] : accesses)
    found.push_back(places.of(*pointer));
  Writer writer(stream, function); // only now, because ProvenanceAnalysis has added values
  for (const auto& [access, place] : zip_equal(make_first_range(accesses), found)) {
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

void print_shapes(raw_ostream& stream, Function& function) {
  DominatorTree dominators;
  LoopInfo loops;
  if (Error error = canonicalise(function, dominators, loops)) {
    stream << "  " << toString(std::move(error)) << '\n';
    return;
  }
  const ForwardGraph graph(function, loops);
  if (!graph.valid()) {
    stream << "  irreducible control flow\n";
    return;
  }
  const Addresses addresses({.width = 8});
  const Shapes shapes(function, graph, loops, addresses, /*switches=*/{});
  Writer writer(stream, function);
  for (const Instruction& instruction : instructions(function)) {
    if (instruction.getType()->isVoidTy()) continue;
    const Shape shape = shapes.of(&instruction);
    writer.line(instruction);
    if (shape.is_affine())
      stream << "affine " << shape.stride()
             << (shape.is_checked() ? ", if a test at run time says so\n" : "\n");
    else
      stream << (shape.is_uniform() ? "uniform\n" : "varying\n");
  }
  for (unsigned block = 0; block < graph.size(); ++block)
    if (!shapes.branches_uniformly(block)) {
      stream << "  ";
      writer.operand(*graph.block(block)) << ": lanes leave it for different blocks\n";
    }
}

PreservedAnalyses PrinterPass::run(Function& function, FunctionAnalysisManager&) {
  if (function.isDeclaration()) return PreservedAnalyses::all();
  errs() << function.getName() << ":\n";
  const Copy copy(function);
  print_(errs(), *copy);
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
