// Lowers the calls that count executions to additions (instrumentation.hpp).
//
// Each thread has its own counters, so that no atomic operation is needed. The kernel's entry function counts in
// private variables, which become SSA values, so that LLVM computes the counts of most loops from their trip counts. At
// its end, and before a trap ends the launch, the function adds the variables to the thread's counters, whose address
// it gets from the host:
//
//   %counters = call ptr @__hostcl_coverage_counters(ptr @hostcl.coverage)      in the block after the first one
//   ...
//   call void @__hostcl_coverage_count(i32 3, i64 8)
//   becomes   store i64 (load i64, ptr %count3) + 8, ptr %count3
//   ...
//   store i64 (load i64, ptr (%counters + 24)) + (load i64, ptr %count3), ptr (%counters + 24)
//
// The variable @hostcl.coverage has an abi::CoverageProfile. If a kernel has more than 100 counters and
// words of bitmaps, only 100 of them, those in the most deeply nested loops, have variables; the others are updated in
// memory at once. Metadata (alias scopes) says that no other load, store or atomic of the entry function accesses the
// counters.
//
// In:  kernel-entry has run. Out: no call of the two intrinsics is left.
// Tests: tests/passes/coverage/

#include "compiler/abi/coverage.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/4_range/host_callbacks.hpp"
#include "compiler/passes/coverage/instrumentation.hpp"
#include "compiler/passes/passes.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

constexpr unsigned word_bytes = coverage_word_bits / 8;

/// The kernel's counters and bitmaps, without counts, in LLVM's raw profile format.
struct RawProfile {
  std::string bytes;
  unsigned counters_begin = 0, counters = 0;
};

void append(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

RawProfile raw_profile(ArrayRef<CoveredFunction> functions) {
  using Data = RawInstrProf::ProfileData<std::uint64_t>;
  std::vector<std::string> names;
  std::uint64_t counters = 0, words = 0;
  for (const CoveredFunction& function : functions) {
    names.push_back(function.name);
    counters += function.counters;
    words += function.words();
  }
  std::string all_names;
  cantFail(collectGlobalObjectNameStrings(names, /*doCompression=*/false, all_names));
  const std::uint64_t data_bytes = functions.size() * sizeof(Data);
  const std::uint64_t counter_bytes = counters * word_bytes, bitmap_bytes = words * word_bytes;
  const RawInstrProf::Header header{.Magic = RawInstrProf::getMagic<std::uint64_t>(),
                                    .Version = RawInstrProf::Version,
                                    .BinaryIdsSize = 0,
                                    .NumData = functions.size(),
                                    .PaddingBytesBeforeCounters = 0,
                                    .NumCounters = counters,
                                    .PaddingBytesAfterCounters = 0,
                                    .NumBitmapBytes = bitmap_bytes,
                                    .PaddingBytesAfterBitmapBytes = 0,
                                    .NamesSize = all_names.size(),
                                    .CountersDelta = data_bytes,
                                    .BitmapDelta = data_bytes + counter_bytes,
                                    .NamesDelta = 0,
                                    .NumVTables = 0,
                                    .VNamesSize = 0,
                                    .ValueKindLast = IPVK_Last};
  RawProfile profile;
  append(profile.bytes, &header, sizeof header);
  // Each function's entry has the distances from the entry to the function's counters and to its bitmap.
  std::uint64_t entry = 0, counter = data_bytes, bitmap = data_bytes + counter_bytes;
  for (const CoveredFunction& function : functions) {
    const Data data{.NameRef = IndexedInstrProf::ComputeHash(function.name),
                    .FuncHash = function.hash,
                    .CounterPtr = counter - entry,
                    .BitmapPtr = bitmap - entry,
                    .FunctionPointer = 0,
                    .Values = 0,
                    .NumCounters = function.counters,
                    .NumValueSites = {},
                    .NumBitmapBytes = static_cast<std::uint32_t>(divideCeil(function.bits, 8))};
    append(profile.bytes, &data, sizeof data);
    entry += sizeof data;
    counter += std::uint64_t{function.counters} * word_bytes;
    bitmap += std::uint64_t{function.words()} * word_bytes;
  }
  profile.counters_begin = static_cast<unsigned>(profile.bytes.size());
  profile.counters = static_cast<unsigned>(counters);
  profile.bytes.append(counter_bytes + bitmap_bytes, '\0');
  profile.bytes += all_names;
  profile.bytes.resize(alignTo(profile.bytes.size(), word_bytes), '\0');
  return profile;
}

Constant* profile_variable(Module& module, const RawProfile& profile) {
  std::string rest;
  const auto size = static_cast<std::uint32_t>(profile.bytes.size());
  append(rest, &size, sizeof size);
  append(rest, &profile.counters_begin, sizeof profile.counters_begin);
  rest += profile.bytes;
  const std::uint64_t key = xxh3_64bits(rest);
  std::string bytes;
  append(bytes, &key, sizeof key);
  static_assert(offsetof(abi::CoverageProfile, bytes) == sizeof key);
  static_assert(offsetof(abi::CoverageProfile, profile) == sizeof key + 2 * sizeof(std::uint32_t));
  Constant* value = ConstantDataArray::getString(module.getContext(), bytes + rest, /*AddNull=*/false);
  auto* variable =
      new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, value,
                         metadata::coverage, nullptr, GlobalValue::NotThreadLocal, 0);
  variable->setAlignment(Align(word_bytes));
  return variable;
}

/// Replaces the calls in an entry function.
class CounterLowering {
public:
  CounterLowering(Function& entry, const RawProfile& profile, Constant& variable)
      : entry_(entry), profile_(profile), variable_(variable) {}

  void run() {
    SmallVector<CallInst*, 32> calls;
    SmallVector<Instruction*, 64> others;
    for (Instruction& instruction : instructions(entry_)) {
      if (counts_executions(instruction))
        calls.push_back(cast<CallInst>(&instruction));
      else if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, IntrinsicInst>(instruction) &&
               instruction.mayReadOrWriteMemory())
        others.push_back(&instruction);
    }
    if (calls.empty()) return;
    MDBuilder metadata(entry_.getContext());
    MDNode* scope =
        metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain(), "coverage");
    scopes_ = MDNode::get(entry_.getContext(), {scope});
    for (Instruction* other : others)
      other->setMetadata(LLVMContext::MD_noalias,
                         MDNode::concatenate(other->getMetadata(LLVMContext::MD_noalias), scopes_));
    ask();
    choose_variables(calls);
    for (CallInst* call : calls) {
      lower(*call);
      call->eraseFromParent();
    }
    flush();
    lower_host_callbacks(*entry_.getArg(launch));
  }

private:
  using Key = std::pair<unsigned, Type*>; ///< place_of() a call, and the type of what the call adds

  /// Asks the host for the counters, in the block that loads the kernel's arguments.
  void ask() {
    BasicBlock& start = *entry_.getEntryBlock().getTerminator()->getSuccessor(0);
    IRBuilder<> build(&start, start.getFirstInsertionPt());
    FunctionCallee callee = entry_.getParent()->getOrInsertFunction("__hostcl_coverage_counters",
                                                                    build.getPtrTy(), build.getPtrTy());
    counters_ = build.CreateCall(callee, {&variable_}, "counters");
    counters_->setDoesNotThrow();
    counters_->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  }

  /// The index of the call's counter or word: the kernel's counters come first, then the words of its bitmaps.
  unsigned place_of(const CallInst& call) const {
    const auto index = static_cast<unsigned>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
    return is_call_of(call, HostclIntrinsic::coverage_count) ? index : profile_.counters + index;
  }

  Key key_of(const CallInst& call) const { return {place_of(call), call.getArgOperand(1)->getType()}; }

  /// Makes variables for the counters, first for the counters of inner loops.
  void choose_variables(ArrayRef<CallInst*> calls) {
    // A kernel that is compiled for debuggers counts in memory at once, so that a crash does not lose its counts.
    const std::size_t most_variables = entry_.getParent()->getModuleFlag(metadata::debug_form) ? 0 : 100;
    DominatorTree dominators(entry_);
    const LoopInfo loops(dominators);
    MapVector<Key, unsigned> depths;
    for (const CallInst* call : calls) {
      unsigned& depth = depths[key_of(*call)];
      depth = std::max(depth, loops.getLoopDepth(call->getParent()));
    }
    auto order = depths.takeVector();
    std::ranges::stable_sort(order, std::greater(), &std::pair<Key, unsigned>::second);
    if (order.size() > most_variables) order.resize(most_variables);
    IRBuilder<> build(&entry_.getEntryBlock(), entry_.getEntryBlock().begin());
    for (const auto& [key, depth] : order) {
      variables_[key] = build.CreateAlloca(key.second, nullptr, "count");
      build.CreateStore(Constant::getNullValue(key.second), variables_[key]);
    }
  }

  Value* address_of(IRBuilder<>& build, unsigned place) {
    return build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), counters_, place);
  }

  void lower(CallInst& call) {
    IRBuilder<> build(&call);
    const unsigned place = place_of(call);
    if (const auto* variable = variables_.find(key_of(call)); variable != variables_.end())
      update(build, place, variable->second, call.getArgOperand(1));
    else
      update_counter(build, place, call.getArgOperand(1));
  }

  Instruction* update(IRBuilder<>& build, unsigned place, Value* address, Value* operand) {
    Value* old = build.CreateAlignedLoad(operand->getType(), address, Align(word_bytes));
    return build.CreateAlignedStore(place < profile_.counters ? build.CreateAdd(old, operand)
                                                              : build.CreateOr(old, operand),
                                    address, Align(word_bytes));
  }

  /// @param operand may be a vector with the bits of each lane
  void update_counter(IRBuilder<>& build, unsigned place, Value* operand) {
    if (operand->getType()->isVectorTy())
      operand = build.CreateZExt(build.CreateOrReduce(operand), build.getInt64Ty());
    auto* store = cast<StoreInst>(update(build, place, address_of(build, place), operand));
    store->setMetadata(LLVMContext::MD_alias_scope, scopes_);
    auto* load = cast<LoadInst>(cast<Instruction>(store->getValueOperand())->getOperand(0));
    load->setMetadata(LLVMContext::MD_alias_scope, scopes_);
  }

  /// Adds the variables to the counters where the function returns, and before calls that do not return.
  void flush() {
    SmallVector<Instruction*, 4> ends;
    for (Instruction& instruction : instructions(entry_))
      if (const auto* call = dyn_cast<CallInst>(&instruction); call && call->doesNotReturn())
        ends.push_back(&instruction);
    BasicBlock& first = entry_.getEntryBlock();
    BasicBlock* last = first.getTerminator()->getSuccessor(1); // also reached without any group
    SmallVector<BasicBlock*, 2> after_groups(
        make_filter_range(predecessors(last), [&](BasicBlock* block) { return block != &first; }));
    ends.push_back(SplitBlockPredecessors(last, after_groups, ".counted")->getTerminator());
    for (Instruction* end : ends) {
      IRBuilder<> build(end);
      for (const auto& [key, variable] : variables_)
        update_counter(build, key.first, build.CreateLoad(key.second, variable));
    }
  }

  Function& entry_;
  const RawProfile& profile_;
  Constant& variable_;
  MDNode* scopes_ = nullptr;
  CallInst* counters_ = nullptr;
  MapVector<Key, AllocaInst*> variables_;
};

} // namespace

PreservedAnalyses coverage_counters_pass(Module& module, ModuleAnalysisManager&) {
  NamedMDNode* list = module.getNamedMetadata(metadata::covered_functions);
  if (!list) return PreservedAnalyses::all();
  const RawProfile profile = raw_profile(covered_functions(*list));
  Constant* variable = profile_variable(module, profile);
  for (Function& function : module)
    if (function.hasFnAttribute(metadata::entry)) CounterLowering(function, profile, *variable).run();
  list->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
