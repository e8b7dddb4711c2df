#pragma once

// What analyses find of a function, for people and for tests: `hostclc --passes='print<shapes>' FILE.ll` writes it to
// standard error, a line for each value. The function stays as it is, and so do its unnamed values' numbers.
// A printer is a function here and a row of passes.def.
//
//   print<acquired-reads>    reads after an acquire, analysis/acquired_reads.hpp
//   print<group-uniformity>  values that differ in a group, analysis/group_uniformity.hpp
//   print<group-visibility>  whether groups show, analysis/group_visibility.hpp
//   print<linear-forms>      addresses of accesses, analysis/linear_forms.hpp
//   print<places>            objects that accesses are in, checks/places.hpp
//   print<shapes>            values of a vector of eight work-items, vectorise/shapes/shapes.hpp
//
// Tests: tests/passes/analysis/print_*.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace hostcl::compiler {

void print_acquired_reads(llvm::raw_ostream& stream, llvm::Function& function);
void print_group_uniformity(llvm::raw_ostream& stream, llvm::Function& function);
void print_group_visibility(llvm::raw_ostream& stream, llvm::Function& function);
void print_linear_forms(llvm::raw_ostream& stream, llvm::Function& function);
void print_places(llvm::raw_ostream& stream, llvm::Function& function);
void print_shapes(llvm::raw_ostream& stream, llvm::Function& function);

/// Calls a printer for each function.
class PrinterPass : public llvm::PassInfoMixin<PrinterPass> {
public:
  using Print = void (*)(llvm::raw_ostream& stream, llvm::Function& function);
  explicit PrinterPass(Print print) : print_(print) {}
  /// It works on a copy: analyses may bring the function into a form that they understand.
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  Print print_;
};

} // namespace hostcl::compiler
