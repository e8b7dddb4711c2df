#include "compiler/passes/2_vector/memory/nontemporal_stores.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Outputs of this many bytes or more do not stay in the caches anyway.
constexpr std::int64_t large_output = 32 << 20;
constexpr std::int64_t cache_line = 64;

/// The kernel argument, a buffer or an image, from which an address in global memory is computed; null if the argument
/// is unknown.
const Value* buffer_of(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  unsigned space = global_space;
  if (const auto* load = dyn_cast<LoadInst>(object);
      load && load->getPointerAddressSpace() == constant_space) {
    // An image argument points to a descriptor, from which the address of the texels is loaded.
    object = getUnderlyingObject(load->getPointerOperand(), 0);
    space = constant_space;
  }
  return isa<Argument>(object) && object->getType()->getPointerAddressSpace() == space ? object : nullptr;
}

/// Whether the next group along x does not continue writing where this group ends: the address contains a product of a
/// group id and a value other than the local size.
bool groups_jump(const StoreInst& store, LinearForms& forms) {
  return any_of(forms.of(*store.getPointerOperand(), *store.getParent()).terms, [](const Term& term) {
    return any_of(term.leaves, [](const Value* leaf) { return is_call_of(*leaf, Intrinsic::group_id); }) &&
           (term.dependence & on_group_id) && any_of(term.leaves, [](const Value* leaf) {
             return !is_call_of(*leaf, Intrinsic::group_id) && !is_call_of(*leaf, Intrinsic::local_size) &&
                    !is_call_of(*leaf, Intrinsic::enqueued_local_size);
           });
  });
}

Value* launch_items(Emission& e) {
  Function* query = declare_intrinsic(*e.target.getParent(), Intrinsic::global_size);
  Value* items = nullptr;
  for (unsigned dimension : {0u, 1u, 2u}) {
    Value* size = e.build.CreateCall(query, {e.build.getInt32(dimension)});
    items = items ? e.build.CreateMul(items, size) : size;
  }
  return items;
}

Value* is_launch_large(Emission& e, std::int64_t item_bytes) {
  IRBuilderBase::InsertPointGuard guard(e.build);
  e.build.SetInsertPoint(e.target.getEntryBlock().getTerminator());
  return e.build.CreateICmpUGE(launch_items(e), e.build.getInt64(large_output / item_bytes));
}

/// The stores of a kernel that may be non-temporal. Stores that continue where the last group ended are only included
/// if the CPU gains by them.
SmallPtrSet<const StoreInst*, 8> find_stores(const Emission& e) {
  const LoopInfo& loops = e.plan.loops;
  if (!e.switches.is_on(Heuristic::nontemporal_stores)) return {};
  LinearForms forms(&loops, Wrapping::ignored);
  SmallPtrSet<const Value*, 8> read;
  SmallPtrSet<const StoreInst*, 8> stores;
  for (const Instruction& instruction : instructions(e.plan.kernel())) {
    if (instruction.isAtomic()) return {};
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (const unsigned space = load->getPointerAddressSpace();
          space != global_space && space != generic_space)
        continue;
      const Value* buffer = buffer_of(load->getPointerOperand());
      if (!buffer) return {};
      read.insert(buffer);
    } else if (const auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (store->isSimple() && !loops.getLoopFor(store->getParent()) &&
          buffer_of(store->getPointerOperand()) && (e.cpu.fetches_overwritten || groups_jump(*store, forms)))
        stores.insert(store);
    }
  }
  for (const StoreInst* store : SmallVector<const StoreInst*, 8>(stores.begin(), stores.end()))
    if (read.contains(buffer_of(store->getPointerOperand()))) stores.erase(store);
  return stores;
}

} // namespace

NontemporalStores::NontemporalStores(Emission& e) : e_(e), stores_(find_stores(e)) {}

void NontemporalStores::write(const StoreInst& store, Value* values, Value* first, std::int64_t stride,
                              function_ref<void()> ordinary) {
  const std::int64_t size = bytes_of(store);
  if (!stores_.contains(&store) || stride != size || size * e_.width % cache_line != 0) return ordinary();
  note_change(Heuristic::nontemporal_stores);
  auto& build = e_.build;
  Value* low = build.CreateAnd(build.CreatePtrToInt(first, build.getInt64Ty()), cache_line - 1);
  Value* fits = build.CreateAnd(build.CreateIsNull(low), e_.all(e_.mask));
  const auto stream = [&]() -> Value* {
    auto* now = build.CreateAlignedStore(values, first, Align(cache_line));
    now->setMetadata(LLVMContext::MD_nontemporal,
                     MDNode::get(build.getContext(), ConstantAsMetadata::get(build.getInt32(1))));
    return nullptr;
  };
  e_.either(build.CreateAnd(is_launch_large(e_, size), fits), {"stream", stream},
            {"store", [&] { return ordinary(), nullptr; }});
}

} // namespace hostcl::compiler
