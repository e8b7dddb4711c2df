#include "compiler/passes/checks/races.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/race_cells.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"
#include "compiler/passes/marks.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/passes/sub_group_operation.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <bit>
#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An access to memory that work-items share.
struct SharedAccess {
  Instruction* instruction;
  Value* pointer;
  Value* bytes; ///< i64
  Align alignment;
  Value* written = nullptr; ///< the value of a plain store
  bool writes = false, is_atomic = false;
};

bool is_shared(const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space != global_space && space != local_space) return false;
  // Scratch of work-group functions is changed in ways that docs/kernel-ir.md allows.
  return !is_call_of(*getUnderlyingObject(&pointer), Intrinsic::group_scratch);
}

class Accesses {
public:
  explicit Accesses(Function& kernel) : layout_(kernel.getDataLayout()) {
    for (Instruction& instruction : instructions(kernel))
      note(instruction);
  }
  SmallVector<SharedAccess, 32> found;

private:
  void note(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->hasMetadata(LLVMContext::MD_invariant_load))
        add(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), nullptr, false,
            load->isAtomic());
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      Value* value = store->getValueOperand();
      add(instruction, store->getPointerOperand(), value->getType(), store->getAlign(), value, true,
          store->isAtomic());
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), update->getType(), update->getAlign(), nullptr, true,
          true);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          exchange->getAlign(), nullptr, true, true);
    } else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
      add_range(instruction, memory->getRawDest(), memory->getLength(), true);
      if (auto* copy = dyn_cast<MemTransferInst>(memory))
        add_range(instruction, copy->getRawSource(), copy->getLength(), false);
    }
  }

  void add(Instruction& instruction, Value* pointer, Type* type, Align alignment, Value* written, bool writes,
           bool is_atomic) {
    if (!is_shared(*pointer) || is_in_shadow(*pointer)) return;
    Value* bytes = ConstantInt::get(Type::getInt64Ty(type->getContext()),
                                    layout_.getTypeStoreSize(type).getFixedValue());
    found.push_back({&instruction, pointer, bytes, alignment, written, writes, is_atomic});
  }

  void add_range(Instruction& instruction, Value* pointer, Value* bytes, bool writes) {
    if (is_shared(*pointer) && !is_in_shadow(*pointer))
      found.push_back({&instruction, pointer, bytes, Align(1), nullptr, writes, false});
  }

  const DataLayout& layout_;
};

/// The parameter or variable that is accessed, if there is one.
const Value* named_root(const SharedAccess& access) {
  const Value* root = getUnderlyingObject(access.pointer);
  return isa<Argument, GlobalVariable>(root) ? root : nullptr;
}

bool has_fences(Function& kernel) {
  return any_of(instructions(kernel),
                [](const Instruction& instruction) { return isa<FenceInst>(instruction); });
}

Value& atomic_object(Instruction& instruction) {
  return *instruction.getOperand(isa<StoreInst>(instruction) ? 1 : 0);
}

/// What an atomic operation may order, in a kernel with fences or without: bits of race_abi.hpp.
std::uint32_t order_of(const Instruction& instruction, bool has_fences) {
  auto bits = [&](AtomicOrdering order, bool reads, bool writes) {
    std::uint32_t what = 0;
    if (writes && (has_fences || isReleaseOrStronger(order))) what |= abi::race_release;
    if (reads && (has_fences || isAcquireOrStronger(order))) what |= abi::race_acquire;
    return what;
  };
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isAtomic() ? bits(load->getOrdering(), true, false) : 0;
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isAtomic() ? bits(store->getOrdering(), false, true) : 0;
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return bits(update->getOrdering(), true, true);
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return bits(exchange->getMergedOrdering(), true, true);
  return 0;
}

class RaceChecker {
public:
  explicit RaceChecker(Function& kernel);
  void write();

private:
  CallInst* call_service(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> operands,
                         MemoryEffects effects = MemoryEffects::unknown());
  Value* state(IRBuilder<>& builder, std::size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group_, offset);
  }
  void find_group();
  void find_item();
  Constant* table_of_sites();
  void check(const SharedAccess& access, unsigned site);
  void check_granules(const SharedAccess& access, Value* record, Value* address, std::uint64_t bytes);
  Value* odd_in_granules(IRBuilder<>& builder, const SharedAccess& access, Value* record, Value* address,
                         std::uint64_t bytes);
  void call_access(IRBuilder<>& builder, const SharedAccess& access, Value* address, Value* record,
                   Value* same_value);
  void order(Instruction& instruction, std::uint32_t what);
  void order_sub_group(Instruction& fence);
  void pass(CallBase& barrier);

  Function& kernel_;
  Module& module_;
  IRBuilder<> entry_;
  SmallVector<SharedAccess, 32> accesses_;
  Value *group_ = nullptr, *item_ = nullptr;
  GlobalVariable* sites_ = nullptr;
};

RaceChecker::RaceChecker(Function& kernel)
    : kernel_(kernel),
      module_(*kernel.getParent()),
      entry_(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
      accesses_(Accesses(kernel).found) {}

CallInst* RaceChecker::call_service(IRBuilder<>& builder, StringRef name, Type* result,
                                    ArrayRef<Value*> operands, MemoryEffects effects) {
  SmallVector<Type*, 8> types;
  for (const Value* operand : operands)
    types.push_back(operand->getType());
  FunctionCallee service = module_.getOrInsertFunction(name, FunctionType::get(result, types, false));
  auto* function = cast<Function>(service.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(effects);
  return builder.CreateCall(service, operands);
}

/// All work-items of a group get one state, so the call is marked as one that only reads.
void RaceChecker::find_group() {
  const SmallVector<Value*, 8> ids = work_item_ids(entry_);
  group_ = call_service(entry_, "__hostcl_race_group", entry_.getPtrTy(), ArrayRef(ids).drop_front(3),
                        MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  group_->setName("group");
}

/// The work-item's linear id in groups of the enqueued size, where records have it.
void RaceChecker::find_item() {
  Value* linear = entry_.getInt64(0);
  for (const unsigned dimension : {2U, 1U, 0U}) {
    auto ask = [&](Intrinsic id) {
      return entry_.CreateCall(declare_intrinsic(module_, id), {entry_.getInt32(dimension)});
    };
    if (dimension < 2) linear = entry_.CreateMul(linear, ask(Intrinsic::enqueued_local_size));
    linear = entry_.CreateAdd(linear, ask(Intrinsic::local_id));
  }
  item_ = entry_.CreateShl(linear, abi::race_item_shift, "item");
}

/// Place 0 is unknown.
Constant* RaceChecker::table_of_sites() {
  auto* pointer = entry_.getPtrTy(kernel_.getDataLayout().getDefaultGlobalsAddressSpace());
  SmallVector<Constant*, 32> sites{ConstantPointerNull::get(pointer)};
  for (const SharedAccess& access : accesses_) {
    if (sites.size() == abi::race_sites) break;
    const auto* bytes = dyn_cast<ConstantInt>(access.bytes);
    const auto kind = !access.writes                        ? abi::Access::read
                      : access.is_atomic && !access.written ? abi::Access::update
                                                            : abi::Access::write;
    const Value* root = named_root(access);
    sites.push_back(site_of(*access.instruction, {.check = Check::races,
                                                  .root = root,
                                                  .bytes = bytes ? bytes->getZExtValue() : 0,
                                                  .access = kind,
                                                  .tells_position = root != nullptr}));
  }
  auto* type = ArrayType::get(pointer, sites.size());
  return new GlobalVariable(module_, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(type, sites), marks::sites);
}

void RaceChecker::call_access(IRBuilder<>& builder, const SharedAccess& access, Value* address, Value* record,
                              Value* same_value) {
  if (const Value* root = named_root(access)) {
    Value* start = builder.CreatePtrToInt(const_cast<Value*>(root), builder.getInt64Ty());
    builder.CreateStore(builder.CreateSub(address, start),
                        state(builder, offsetof(abi::RaceGroup, position)));
  }
  const bool is_local = access.pointer->getType()->getPointerAddressSpace() == local_space;
  Value* how = builder.getInt32((access.writes ? abi::race_writes : 0) | (is_local ? abi::race_local : 0));
  if (same_value) how = builder.CreateSelect(same_value, builder.CreateOr(how, abi::race_same_value), how);
  call_service(builder, "__hostcl_race_access", builder.getVoidTy(),
               {group_, address, access.bytes, record, how, sites_});
}

/// Whether any of the granules is not recorded yet.
Value* RaceChecker::odd_in_granules(IRBuilder<>& builder, const SharedAccess& access, Value* record,
                                    Value* address, std::uint64_t bytes) {
  constexpr unsigned most = 4;
  const bool is_local = access.pointer->getType()->getPointerAddressSpace() == local_space;
  Value* odd = nullptr;
  for (std::uint64_t done = 0; done < bytes; done += std::uint64_t{4} * most) {
    const auto granules = static_cast<unsigned>(std::min<std::uint64_t>(most, (bytes - done + 3) / 4));
    Function* function =
        cell_function(module_, {.writes = access.writes, .local = is_local, .granules = granules});
    Value* place = builder.CreateAdd(address, builder.getInt64(done));
    Value* now = builder.CreateCall(function, {group_, place, record});
    odd = odd ? builder.CreateOr(odd, now) : now;
  }
  return odd;
}

/// Whether a store changes nothing.
Value* changes_nothing(IRBuilder<>& builder, const SharedAccess& access) {
  if (!access.written || access.is_atomic) return nullptr;
  Type* type = access.written->getType();
  const TypeSize bits = builder.GetInsertBlock()->getDataLayout().getTypeSizeInBits(type);
  if (!type->isSingleValueType() || bits.getFixedValue() % 8 != 0) return nullptr;
  Type* integer = builder.getIntNTy(static_cast<unsigned>(bits.getFixedValue()));
  Value* now = builder.CreateAlignedLoad(type, access.pointer, access.alignment);
  auto number = [&](Value* value) -> Value* {
    if (type->isPtrOrPtrVectorTy())
      value = builder.CreatePtrToInt(value, builder.getIntPtrTy(builder.GetInsertBlock()->getDataLayout()));
    return builder.CreateBitCast(value, integer);
  };
  if (type->isVectorTy() && type->isPtrOrPtrVectorTy()) return nullptr;
  return builder.CreateICmpEQ(number(now), number(builder.CreateFreeze(access.written)));
}

void RaceChecker::check(const SharedAccess& access, unsigned site) {
  IRBuilder<> builder(access.instruction);
  Value* address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
  const std::uint64_t fixed = (access.is_atomic ? abi::race_atomic : 0) |
                              (site < abi::race_sites ? std::uint64_t{site} << abi::race_site_shift : 0);
  Value* record = builder.CreateOr(item_, fixed);
  const auto* constant = dyn_cast<ConstantInt>(access.bytes);
  const std::uint64_t bytes = constant ? constant->getZExtValue() : 0;
  constexpr std::uint64_t most_bytes = 64;
  const bool is_word = bytes % 4 == 0 && access.alignment >= 4;
  const bool is_part = bytes < 4 && std::has_single_bit(bytes) && access.alignment >= bytes;
  if (bytes == 0 || bytes > most_bytes || !(is_word || is_part)) {
    if (constant && bytes == 0) return;
    return call_access(builder, access, address, record, changes_nothing(builder, access));
  }
  Value* mask = builder.getInt64(abi::race_byte_mask);
  if (is_part)
    mask =
        builder.CreateShl(builder.getInt64((1U << bytes) - 1), builder.CreateAnd(address, std::uint64_t{3}));
  check_granules(access, builder.CreateOr(record, mask, "record"), address, bytes);
}

void RaceChecker::check_granules(const SharedAccess& access, Value* record, Value* address,
                                 std::uint64_t bytes) {
  IRBuilder<> builder(access.instruction);
  Value* odd = odd_in_granules(builder, access, record, address, bytes);
  Instruction* then =
      SplitBlockAndInsertIfThen(odd, access.instruction, /*Unreachable=*/false,
                                MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  call_access(builder, access, address, record, changes_nothing(builder, access));
}

void RaceChecker::order(Instruction& instruction, std::uint32_t what) {
  IRBuilder<> builder(&instruction);
  Value* address = builder.CreatePtrToInt(&atomic_object(instruction), builder.getInt64Ty());
  auto call = [&](std::uint32_t part) {
    if (what & part)
      call_service(builder, "__hostcl_race_order", builder.getVoidTy(),
                   {group_, address, item_, builder.getInt32(part)});
  };
  call(abi::race_release);
  builder.SetInsertPoint(instruction.getNextNode());
  call(abi::race_acquire);
}

/// The lanes of a sub-group pass a barrier of theirs together: all release before any acquires.
void RaceChecker::order_sub_group(Instruction& fence) {
  IRBuilder<> builder(&fence);
  for (const std::uint32_t part : {abi::race_release, abi::race_acquire})
    call_service(builder, "__hostcl_race_order", builder.getVoidTy(),
                 {group_, builder.getInt64(0), item_, builder.getInt32(part)});
}

void RaceChecker::pass(CallBase& barrier) {
  const auto* flags = dyn_cast<ConstantInt>(barrier.getArgOperand(0));
  if (flags && flags->isZero()) return;
  IRBuilder<> builder(&barrier);
  Value* passed = state(builder, offsetof(abi::RaceGroup, passed));
  builder.CreateStore(barrier.getArgOperand(0), passed);
  Instruction* next = barrier.getNextNode();
  builder.SetInsertPoint(next);
  Value* is_first = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt32Ty(), passed));
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_first, next, /*Unreachable=*/false));
  call_service(builder, "__hostcl_race_barrier", builder.getVoidTy(), {group_});
  // No work-item notes the next barrier before all have passed this one.
  builder.SetInsertPoint(next);
  builder.CreateCall(declare_intrinsic(module_, Intrinsic::barrier), {builder.getInt32(0)});
}

void RaceChecker::write() {
  if (accesses_.empty()) return;
  find_group();
  find_item();
  sites_ = cast<GlobalVariable>(table_of_sites());
  const bool fences = has_fences(kernel_);
  SmallVector<CallBase*, 8> barriers;
  SmallVector<Instruction*, 8> sub_group_fences, atomics;
  for (Instruction& instruction : instructions(kernel_)) {
    if (is_call_of(instruction, Intrinsic::barrier)) barriers.push_back(cast<CallBase>(&instruction));
    if (auto* fence = dyn_cast<FenceInst>(&instruction);
        fence && fence->getSyncScopeID() == SyncScope::SingleThread)
      sub_group_fences.push_back(fence);
    if (order_of(instruction, fences)) atomics.push_back(&instruction);
  }
  for (Instruction* atomic : atomics)
    if (is_shared(atomic_object(*atomic))) order(*atomic, order_of(*atomic, fences));
  if (uses_sub_groups(kernel_))
    for (Instruction* fence : sub_group_fences)
      order_sub_group(*fence);
  for (auto [index, access] : enumerate(accesses_))
    check(access, static_cast<unsigned>(index) + 1);
  for (CallBase* barrier : barriers)
    pass(*barrier);
}

} // namespace

PreservedAnalyses CheckRacesPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  RaceChecker(function).write();
  function.removeFnAttr(Attribute::SanitizeThread);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
