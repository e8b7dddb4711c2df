// Makes memory accesses of the calls that count executions (instrumentation.hpp).
//
// Each thread has its own counters, so that no atomic operation is needed. The kernel's entry function asks the host for
// the counters of its thread, once for each range of work-groups:
//
//   %counters = call ptr @__hostcl_coverage_counters(ptr @hostcl.coverage)      in the block after the first one
//   ...
//   call void @__hostcl_coverage_count(i32 3, i64 8)
//   becomes   %c = load i64, ptr (%counters + 24); store i64 (%c + 8), ptr (%counters + 24)
//
// The variable @hostcl.coverage has an abi::CoverageProfile. No other load, store or atomic of the entry function accesses
// the counters: metadata says so (alias scopes), so that LLVM adds up counts of a loop in a register. Host callbacks have
// no such metadata, so all counts are in memory when a callback ends the launch.
//
// In:  kernel-entry has run. Out: no call of the two intrinsics is left.
// Tests: tests/passes/coverage/*.ll

#include "compiler/abi/coverage.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/4_range/host_callbacks.hpp"
#include "compiler/passes/passes.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

constexpr unsigned word_bytes = 8, word_bits = 64;

/// A function of the source, as lower_instrumentation() has recorded it.
struct Covered {
  std::string name;
  std::uint64_t hash;
  unsigned counters, bits;
};

std::vector<Covered> covered_functions(const NamedMDNode& list) {
  std::vector<Covered> functions;
  for (const MDNode* node : list.operands()) {
    auto number = [&](unsigned i) { return mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue(); };
    functions.push_back({cast<MDString>(node->getOperand(0))->getString().str(), number(1),
                         static_cast<unsigned>(number(2)), static_cast<unsigned>(number(3))});
  }
  return functions;
}

/// The kernel's counters and bitmaps, without counts, in LLVM's raw profile format.
struct RawProfile {
  std::string bytes;
  unsigned counters_begin = 0, counters = 0;
};

void append(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

RawProfile raw_profile(ArrayRef<Covered> functions) {
  using Data = RawInstrProf::ProfileData<std::uint64_t>;
  std::vector<std::string> names;
  std::uint64_t counters = 0, words = 0;
  for (const Covered& function : functions) {
    names.push_back(function.name);
    counters += function.counters;
    words += divideCeil(function.bits, word_bits);
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
  for (const Covered& function : functions) {
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
    bitmap += divideCeil(function.bits, word_bits) * word_bytes;
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
  auto* variable = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage,
                                      value, metadata::coverage, nullptr, GlobalValue::NotThreadLocal, 0);
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
      if (is_call_of(instruction, HostclIntrinsic::coverage_count) ||
          is_call_of(instruction, HostclIntrinsic::coverage_mark))
        calls.push_back(cast<CallInst>(&instruction));
      else if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, IntrinsicInst>(instruction) &&
               instruction.mayReadOrWriteMemory())
        others.push_back(&instruction);
    }
    if (calls.empty()) return;
    MDBuilder metadata(entry_.getContext());
    MDNode* scope = metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain(), "coverage");
    scopes_ = MDNode::get(entry_.getContext(), {scope});
    for (Instruction* other : others)
      other->setMetadata(LLVMContext::MD_noalias,
                         MDNode::concatenate(other->getMetadata(LLVMContext::MD_noalias), scopes_));
    ask();
    for (CallInst* call : calls) {
      lower(*call);
      call->eraseFromParent();
    }
    lower_host_callbacks(*entry_.getArg(launch));
  }

private:
  /// Asks the host for the counters, in the block that loads the kernel's arguments.
  void ask() {
    BasicBlock& start = *entry_.getEntryBlock().getTerminator()->getSuccessor(0);
    IRBuilder<> build(&start, start.getFirstInsertionPt());
    FunctionCallee callee = entry_.getParent()->getOrInsertFunction("__hostcl_coverage_counters",
                                                                    build.getPtrTy(), build.getPtrTy());
    CallInst* call = build.CreateCall(callee, {&variable_}, "counters");
    call->setDoesNotThrow();
    call->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
    // The call is replaced by another one with lower_host_callbacks(), so its users must not be cached.
    counters_ = call;
  }

  void lower(CallInst& call) {
    IRBuilder<> build(&call);
    const auto index = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    const bool is_count = is_call_of(call, HostclIntrinsic::coverage_count);
    Value* address = build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), counters_,
                                                      is_count ? index : profile_.counters + index);
    LoadInst* old = build.CreateAlignedLoad(build.getInt64Ty(), address, Align(word_bytes));
    Value* added = call.getArgOperand(1);
    StoreInst* store = build.CreateAlignedStore(is_count ? build.CreateAdd(old, added) : build.CreateOr(old, added),
                                                address, Align(word_bytes));
    old->setMetadata(LLVMContext::MD_alias_scope, scopes_);
    store->setMetadata(LLVMContext::MD_alias_scope, scopes_);
  }

  Function& entry_;
  const RawProfile& profile_;
  Constant& variable_;
  MDNode* scopes_ = nullptr;
  Value* counters_ = nullptr;
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
