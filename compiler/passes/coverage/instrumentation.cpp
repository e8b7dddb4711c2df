// Lowers clang's coverage instrumentation, as instrumentation.hpp says. This happens before all other passes, so that
// each counter is added to as often as the source's statements run, whatever passes do to the code around them:
//
//   before:  call void @llvm.instrprof.increment(ptr @__profn_f, i64 hash, i32 4, i32 1)
//   after:   call void @__hostcl_coverage_count(i32 <first counter of f> + 1, i64 1)
//
// Test vectors of MC/DC have bits in a bitmap. clang collects the number of a decision's test vector in a private
// variable:
//
//   before:  call void @llvm.instrprof.mcdc.tvbitmap.update(ptr @__profn_f, i64 hash, i32 70, ptr %vector)
//   after:   %n = load i32, ptr %vector
//            call void @__hostcl_coverage_mark(i32 <first word of f> + 1, i64 (1 << %n) << 6)
//
// Tests: tests/passes/coverage/

#include "compiler/passes/coverage/instrumentation.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

constexpr unsigned word_bits = coverage_word_bits, narrow_bits = 32;
constexpr std::uint64_t most_counters = 1 << 20; ///< of a function; more are in damaged binaries only

SmallVector<InstrProfInstBase*, 32> instrumentation_of(Module& module) {
  SmallVector<InstrProfInstBase*, 32> calls;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<InstrProfInstBase>(&instruction)) calls.push_back(call);
  return calls;
}

class InstrumentationLowering {
public:
  explicit InstrumentationLowering(Module& module) : module_(module) {}

  void run() {
    const SmallVector<InstrProfInstBase*, 32> calls = instrumentation_of(module_);
    if (calls.empty()) return;
    for (const InstrProfInstBase* call : calls)
      if (name_of(*call)) add(*call);
    number();
    for (InstrProfInstBase* call : calls) {
      if (name_of(*call)) lower(*call);
      call->eraseFromParent();
    }
    record();
  }

private:
  struct Covered : CoveredFunction {
    unsigned first_counter = 0, first_word = 0; ///< numbers in the kernel
  };

  /// The variable with the function's name; null in a binary that is damaged.
  static const GlobalVariable* name_of(const InstrProfInstBase& call) {
    const auto* name = dyn_cast<GlobalVariable>(call.getNameValue()->stripPointerCasts());
    return name && name->hasInitializer() && isa<ConstantDataArray>(name->getInitializer()) ? name : nullptr;
  }

  void add(const InstrProfInstBase& call) {
    const GlobalVariable* name = name_of(call);
    Covered& covered = functions_[name];
    covered.name = cast<ConstantDataArray>(name->getInitializer())->getRawDataValues();
    covered.hash = call.getHash()->getZExtValue();
    const auto raise = [](unsigned& number, const ConstantInt& wanted) {
      if (wanted.getZExtValue() <= most_counters)
        number = std::max(number, static_cast<unsigned>(wanted.getZExtValue()));
    };
    if (const auto* counted = dyn_cast<InstrProfCntrInstBase>(&call))
      raise(covered.counters, *counted->getNumCounters());
    if (const auto* parameters = dyn_cast<InstrProfMCDCBitmapParameters>(&call))
      raise(covered.bits, *parameters->getNumBitmapBits());
  }

  void number() {
    unsigned counters = 0, words = 0;
    for (auto& [name, covered] : functions_) {
      covered.first_counter = counters;
      covered.first_word = words;
      counters += covered.counters;
      words += covered.words();
    }
  }

  void lower(InstrProfInstBase& call) {
    const Covered& covered = functions_.find(name_of(call))->second;
    IRBuilder<> build(&call);
    if (auto* update = dyn_cast<InstrProfMCDCTVBitmapUpdate>(&call)) return mark(build, *update, covered);
    auto* increment = dyn_cast<InstrProfIncrementInst>(&call);
    if (!increment) return;
    const auto index = static_cast<unsigned>(increment->getIndex()->getZExtValue());
    if (index >= covered.counters) return; // in a binary that is damaged
    build.CreateCall(declare_coverage_intrinsic(module_, HostclIntrinsic::coverage_count, build.getInt64Ty()),
                     {build.getInt32(covered.first_counter + index), increment->getStep()});
  }

  void mark(IRBuilder<>& build, InstrProfMCDCTVBitmapUpdate& update, const Covered& covered) {
    const auto first = static_cast<unsigned>(update.getBitmapIndex()->getZExtValue());
    if (first >= covered.bits) return;
    const unsigned word = first / word_bits, shift = first % word_bits;
    Value* vector = build.CreateLoad(build.getInt32Ty(), update.getMCDCCondBitmapAddr());
    Function* callee =
        declare_coverage_intrinsic(module_, HostclIntrinsic::coverage_mark, build.getInt64Ty());
    if (covered.bits <= narrow_bits) { // vectors of narrow numbers take fewer registers
      Value* bit = build.CreateShl(build.getInt32(1), build.CreateAdd(vector, build.getInt32(first)));
      build.CreateCall(callee,
                       {build.getInt32(covered.first_word), build.CreateZExt(bit, build.getInt64Ty())});
      return;
    }
    Value* bit = build.CreateShl(build.getInt64(1), build.CreateZExt(vector, build.getInt64Ty()));
    build.CreateCall(callee, {build.getInt32(covered.first_word + word), build.CreateShl(bit, shift)});
    if (shift != 0 && covered.bits > (word + 1) * word_bits)
      build.CreateCall(
          callee, {build.getInt32(covered.first_word + word + 1), build.CreateLShr(bit, word_bits - shift)});
  }

  void record() {
    LLVMContext& context = module_.getContext();
    NamedMDNode* list = module_.getOrInsertNamedMetadata(metadata::covered_functions);
    auto number = [&](unsigned bits, std::uint64_t value) -> Metadata* {
      return ConstantAsMetadata::get(ConstantInt::get(Type::getIntNTy(context, bits), value));
    };
    for (const auto& [name, covered] : functions_)
      list->addOperand(MDNode::get(context, {MDString::get(context, covered.name), number(64, covered.hash),
                                             number(32, covered.counters), number(32, covered.bits)}));
  }

  Module& module_;
  MapVector<const GlobalVariable*, Covered> functions_;
};

void drop_data(Module& module) {
  if (NamedMDNode* data = module.getNamedMetadata(metadata::coverage_data)) data->eraseFromParent();
}

} // namespace

void lower_instrumentation(Module& module) {
  drop_data(module);
  InstrumentationLowering(module).run();
}

std::vector<CoveredFunction> covered_functions(const NamedMDNode& list) {
  std::vector<CoveredFunction> functions;
  for (const MDNode* node : list.operands()) {
    auto number = [&](unsigned i) {
      return mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue();
    };
    functions.push_back({cast<MDString>(node->getOperand(0))->getString().str(), number(1),
                         static_cast<unsigned>(number(2)), static_cast<unsigned>(number(3))});
  }
  return functions;
}

void drop_instrumentation(Module& module) {
  drop_data(module);
  for (InstrProfInstBase* call : instrumentation_of(module))
    call->eraseFromParent();
}

} // namespace hostcl::compiler
