#pragma once

// Passes work-item ids and sizes as arguments to functions that are still called after inlining. Only the kernel can
// answer the queries, because only the kernel is later turned into code that runs a known work-item.
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
// Runs right after inlining. The functions that are left are those that would make the kernel too large if they were
// inlined. A function gets an argument for each query that it, or a function that it calls, makes.
//
// Tests: tests/passes/prepare/query_arguments.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct QueryArgumentsPass : llvm::PassInfoMixin<QueryArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
