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
// Tests: tests/passes/1_kernel/query_arguments.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/parameters.hpp"
#include "compiler/passes/1_kernel/constant_dimensions.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A work-item intrinsic and its dimension; the dimension is 0 if the intrinsic has none.
using Query = std::pair<Function*, unsigned>;
using Queries = SetVector<Query>;

std::optional<Query> query_of(const Instruction& instruction) {
  if (!is_dimension_query(instruction) && !is_call_of(instruction, Intrinsic::work_dim)) return std::nullopt;
  const auto& call = cast<CallBase>(instruction);
  return Query(call.getCalledFunction(), call.arg_size() ? dimension_of(call) : 0);
}

CallInst* ask(IRBuilder<>& builder, const Query& query) {
  SmallVector<Value*, 1> dimension;
  if (query.first->arg_size()) dimension.push_back(builder.getInt32(query.second));
  return builder.CreateCall(query.first, dimension);
}

class Rewriter {
public:
  explicit Rewriter(Module& module) : module_(module) {}
  bool run();

private:
  /// `function` replaces `old`, and has the answers of `queries` as further arguments.
  struct Extended {
    Function *old, *function;
    const Queries& queries;
  };

  void collect();
  bool add_those_of_callees(Function& function, Queries& queries);

  Module& module_;
  MapVector<Function*, Queries> queries_; ///< of functions that are not kernels
};

/// Collects the queries of each function, including the queries of the functions that it calls.
void Rewriter::collect() {
  for (Function& function : module_) {
    if (function.isDeclaration() || is_kernel_body(function)) continue;
    make_dimensions_constant(function);
    Queries& queries = queries_[&function];
    for (const Instruction& instruction : instructions(function))
      if (auto query = query_of(instruction)) queries.insert(*query);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& [function, queries] : queries_)
      changed |= add_those_of_callees(*function, queries);
  }
  queries_.remove_if([](const auto& entry) { return entry.second.empty(); });
}

bool Rewriter::add_those_of_callees(Function& function, Queries& queries) {
  const std::size_t before = queries.size();
  for (const Instruction& instruction : instructions(function)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const auto callee = call ? queries_.find(call->getCalledFunction()) : queries_.end();
    if (callee != queries_.end() && callee->first != &function) queries.insert_range(callee->second);
  }
  return queries.size() != before;
}

/// Makes the queries before the call and passes the answers. If the caller is extended as well, take_answers() then
/// replaces these queries by the caller's own arguments.
void pass_answers(CallBase& call, Function& callee, const Queries& queries) {
  IRBuilder<> builder(&call);
  SmallVector<Value*, 8> answers;
  for (const Query& query : queries)
    answers.push_back(ask(builder, query));
  with_arguments(call, callee, answers);
}

void take_answers(Function& function, std::size_t own_arguments, const Queries& queries) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (auto query = query_of(instruction)) {
      const auto position = static_cast<std::size_t>(find(queries, *query) - queries.begin());
      instruction.replaceAllUsesWith(function.getArg(static_cast<unsigned>(own_arguments + position)));
      instruction.eraseFromParent();
    }
}

bool Rewriter::run() {
  collect();
  SmallVector<Extended, 8> all;
  for (const auto& [function, queries] : queries_) {
    const auto types =
        map_to_vector<8>(queries, [](const Query& query) { return query.first->getReturnType(); });
    all.push_back({function, &with_parameters(*function, types), queries});
  }
  for (const Extended& one : all)
    for (User* user : make_early_inc_range(one.old->users()))
      pass_answers(cast<CallBase>(*user), *one.function, one.queries);
  for (const Extended& one : all) {
    take_answers(*one.function, one.old->arg_size(), one.queries);
    one.old->eraseFromParent();
  }
  return !all.empty();
}

} // namespace

PreservedAnalyses query_arguments_pass(Module& module, ModuleAnalysisManager&) {
  return Rewriter(module).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
