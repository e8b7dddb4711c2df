// Records whether a kernel's work-groups can be run again in another order, on copies of its buffers, and where the
// kernel writes to its buffers (HOSTCL_CHECK=order). The result is a constant abi::OrderProperties, which the host
// finds by its symbol.
//
//   before:  store i32 %v, ptr addrspace(1) %p          of the parameter a
//
//   after:   the same, and
//            @__hostcl_order.places = [ptr @site, ...]    the site of the last write by each parameter, or null
//            @__hostcl_order = { "", @__hostcl_order.places }
//
// A kernel cannot be run again if it prints, enqueues kernels or may trap, accesses shared memory other than through
// its pointer parameters, or keeps addresses of buffers. The first string of the constant then says why.
//
// In:  kernels in SSA form whose calls are inlined, before accesses are checked for bounds and races.
// Test: tests/passes/checks/order_properties.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/order.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"
#include "compiler/values/source_places.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

class OrderProperties {
public:
  explicit OrderProperties(Function& kernel)
      : kernel_(kernel), last_writes_(kernel.arg_size()), accesses_(kernel.arg_size(), abi::Access::write) {}

  void find() {
    for (Instruction& instruction : instructions(kernel_))
      note(instruction);
  }
  void leave() const;

private:
  void note(Instruction& instruction);
  void note_call(const CallBase& call);
  void note_access(const MemoryAccess& access);
  void refuse(StringRef reason) {
    if (reason_.empty()) reason_ = reason;
  }

  Function& kernel_;
  StringRef reason_; ///< see abi::OrderProperties
  SmallVector<Instruction*, 8> last_writes_;
  SmallVector<abi::Access, 8> accesses_; ///< how last_writes_ access memory
};

/// Whether the memory belongs to a work-item or a group, or is constant.
bool is_own(const Value& root) {
  if (const auto* variable = dyn_cast<GlobalVariable>(&root))
    return variable->isConstant() || variable->getAddressSpace() == local_space;
  return isa<AllocaInst, ConstantPointerNull, UndefValue>(root) ||
         is_call_of(root, Intrinsic::group_scratch) || is_call_of(root, Intrinsic::local_base);
}

void OrderProperties::note_access(const MemoryAccess& access) {
  if (is_in_shadow(*access.pointer())) return;
  SmallVector<const Value*, 4> roots;
  getUnderlyingObjects(access.pointer(), roots);
  for (const Value* root : roots) {
    if (is_own(*root)) continue;
    const auto* parameter = dyn_cast<Argument>(root);
    if (!parameter) return refuse("it accesses memory that the compiler cannot trace to an argument");
    if (!access.writes() || parameter->getType()->getPointerAddressSpace() == local_space) continue;
    last_writes_[parameter->getArgNo()] = access.instruction;
    accesses_[parameter->getArgNo()] = access.kind;
  }
}

void OrderProperties::note_call(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return refuse("it calls functions through pointers");
  if (callee->isIntrinsic() || callee->doesNotAccessMemory() || called_intrinsic(call) || is_report(call))
    return;
  refuse("it calls the host, such as for printf or enqueue_kernel");
}

void OrderProperties::note(Instruction& instruction) {
  for (const MemoryAccess& access : memory_accesses(instruction))
    note_access(access);
  if (const auto* store = dyn_cast<StoreInst>(&instruction);
      store && store->getValueOperand()->getType()->isPtrOrPtrVectorTy() &&
      !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
    refuse("it stores pointers in memory");
  if (isa<PtrToIntInst>(instruction) && !is_checked_address(instruction))
    refuse("it converts a pointer to an integer and computes with it");
  if (const auto* call = dyn_cast<CallBase>(&instruction)) note_call(*call);
}

void OrderProperties::leave() const {
  Module& module = *kernel_.getParent();
  auto* pointer =
      PointerType::get(module.getContext(), module.getDataLayout().getDefaultGlobalsAddressSpace());
  SmallVector<Constant*, 8> places;
  for (const auto& [argument, write] : enumerate(last_writes_))
    places.push_back(write ? site_of(*write, {.check = Check::order,
                                              .root = kernel_.getArg(static_cast<unsigned>(argument)),
                                              .access = accesses_[argument]})
                           : ConstantPointerNull::get(pointer));
  auto constant = [&](Constant* value, GlobalValue::LinkageTypes linkage, StringRef name) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true, linkage, value, name);
  };
  Constant* all = ConstantArray::get(ArrayType::get(pointer, places.size()), places);
  Constant* table = constant(all, GlobalValue::InternalLinkage, (Twine(abi::order_symbol) + ".places").str());
  static_assert(sizeof(abi::OrderProperties) == 16);
  constant(ConstantStruct::getAnon({text_in(module, reason_), table}), GlobalValue::ExternalLinkage,
           abi::order_symbol);
}

} // namespace

PreservedAnalyses order_properties_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  OrderProperties properties(function);
  properties.find();
  properties.leave();
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
