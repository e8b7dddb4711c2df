#pragma once

// Prints results of analyses, for people and for tests: `hostclc --passes='print<shapes>' FILE.ll` writes them to
// standard error, a line for each value. The function is not changed, and neither are the numbers of its unnamed
// values. A printer is a function here and a row of passes.def.
//
//   print<acquired-reads>    reads after an acquire, values/acquired_reads.hpp
//   print<group-uniformity>  which values are uniform over a group, values/group_uniformity.hpp
//   print<group-visibility>  whether the kernel can tell its groups, values/group_visibility.hpp
//   print<linear-forms>      addresses of accesses, values/linear_forms.hpp
//   print<plan>              how a vector of eight work-items is written, 2_vector/plan/plan.hpp
//   print<provenance>            object bounds of accesses, checks/provenance.hpp
//   print<shapes>            values of a vector of eight work-items, 2_vector/shapes/shapes.hpp
//
// Tests: tests/passes/values/print_*.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace hostcl::compiler {

void print_acquired_reads(llvm::raw_ostream& stream, llvm::Function& function);
void print_group_uniformity(llvm::raw_ostream& stream, llvm::Function& function);
void print_group_visibility(llvm::raw_ostream& stream, llvm::Function& function);
void print_linear_forms(llvm::raw_ostream& stream, llvm::Function& function);
void print_plan(llvm::raw_ostream& stream, llvm::Function& function);
void print_provenance(llvm::raw_ostream& stream, llvm::Function& function);
void print_shapes(llvm::raw_ostream& stream, llvm::Function& function);

/// Calls a printer for each function.
class PrinterPass : public llvm::PassInfoMixin<PrinterPass> {
public:
  using Print = void (*)(llvm::raw_ostream& stream, llvm::Function& function);
  explicit PrinterPass(Print print) : print_(print) {}
  /// Runs the printer on a copy, because an analysis may first canonicalise the function.
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  Print print_;
};

} // namespace hostcl::compiler
