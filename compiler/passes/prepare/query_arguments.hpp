#pragma once

// Functions that stay calls get the ids and sizes that they ask for as arguments, because only the kernel knows its
// work-item. Runs right after inlining: what is left but the kernel are functions that would make it too large.
//
//   before:  define spir_kernel void @k(…) {
//              %x = call i64 @f(i32 1)
//            define internal i64 @f(i32 %n) {
//              %id = call i64 @__hostcl_local_id(i32 0)
//   after:   define spir_kernel void @k(…) {
//              %id = call i64 @__hostcl_local_id(i32 0)
//              %x = call i64 @f(i32 1, i64 %id)
//            define internal i64 @f(i32 %n, i64 %id) {
//
// Tests: tests/passes/prepare/query_arguments.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct QueryArgumentsPass : llvm::PassInfoMixin<QueryArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
