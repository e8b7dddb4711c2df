// The race check (HOSTCL_CHECK=races): accesses to global and local memory are recorded in shadow memory and compared
// with the accesses of other work-items; conflicting accesses that nothing orders are reported. Like ThreadSanitizer,
// it finds the races of the executed accesses.
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   %group = call ptr @__hostcl_race_group(i64 group ids x 3)          in the first block
//            %item = shl i64 %linear_local_id, 14                                 likewise
//            %record = or i64 %item, constant                                    compiler/abi/race.hpp
//            %odd = call i1 @hostcl.race.write.global.1(ptr %group, i64 %address, i64 %record)
//            if %odd: call void @__hostcl_race_access(ptr %group, i64 %address, i64 4, i64 %record, i32 %how,
//                                                     ptr %sites)
//            store float %x, ptr addrspace(1) %p
//
//   before:  call void @__hostcl_barrier(i32 1)
//   after:   store i32 1, %group.passed
//            call void @__hostcl_barrier(i32 1)
//            if %group.passed: call void @__hostcl_race_barrier(ptr %group)
//            call void @__hostcl_barrier(i32 0)
//
// The first work-item that continues after the program's barrier calls `__hostcl_race_barrier`, which clears
// %group.passed, so that only one work-item begins the new epoch. The second barrier keeps a fast work-item from
// storing the flags of its next barrier before all work-items have read %group.passed. A barrier without fence flags
// orders no memory, and is not changed.
//
// The functions hostcl.race.* (race_cells.hpp) record ordinary accesses for which they can exclude a race. For all
// others the host callback `__hostcl_race_access` decides, because it knows what atomic operations have ordered:
// `__hostcl_race_order` is called before operations that release, and after operations that acquire. In a kernel with
// fences, a relaxed atomic operation together with a fence may form a release or an acquire, so each atomic operation
// counts as both. A compare-exchange is recorded after it has run, because a failed one only reads.
//
// A plain read of global memory through a parameter through which the kernel does not write is recorded only if the
// parameter's object overlaps an object that the kernel writes through another parameter. The kernel's first block
// computes this condition. If the kernel also writes through pointers that may point to any buffer, all reads are
// recorded.
//
// Accesses between calls of `__hostcl_race_copy_begin` and `__hostcl_race_copy_end` (source/collectives.cpp) belong to
// an asynchronous copy.
//
// Private and constant memory, and generic pointers of unknown address space, are not recorded.
//
// In:  kernels in SSA form whose calls are inlined, before the vectoriser. Until here they have the attribute
//      sanitize_thread, so that no pass adds an access.
// Tests: tests/passes/checks/races/

#include "compiler/passes/passes.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/freedom/overlap.hpp"
#include "compiler/passes/checks/pointers.hpp"
#include "compiler/passes/checks/race_accesses.hpp"
#include "compiler/passes/checks/race_cells.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <bit>
#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An access, the number of its site, and values of the kernel that describe it to the host.
struct Recorded {
  const SharedAccess& access;
  unsigned site;
  Value *address, *record;
};

class RaceChecker {
public:
  explicit RaceChecker(Function& kernel);
  void write();

private:
  void tell(IRBuilder<>& builder, StringRef callback, ArrayRef<Value*> operands) {
    call_host(builder, callback, builder.getVoidTy(), operands, MemoryEffects::unknown());
  }
  Value* state(IRBuilder<>& builder, std::size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group_, offset);
  }
  void find_group();
  void find_item();
  Value* copier(unsigned site);
  void make_sites();
  void check(const SharedAccess& access, unsigned site);
  void check_exchange(const Recorded& recorded);
  void check_granules(IRBuilder<>& builder, const Recorded& recorded, std::uint64_t bytes);
  void find_written();
  void choose_granules();
  Argument* only_read(const SharedAccess& access) const;
  Value* may_be_written(const SharedAccess& access);
  void tell_access(IRBuilder<>& builder, const Recorded& recorded, Value* how);
  Value* how_of(IRBuilder<>& builder, const SharedAccess& access);
  void order(Instruction& instruction, Value* address, std::uint32_t what);
  void pass(CallBase& barrier);
  Value* fences_of(IRBuilder<>& builder, CallBase& barrier);

  Function& kernel_;
  Module& module_;
  IRBuilder<> entry_;
  SmallVector<SharedAccess, 32> accesses_;
  const bool has_fences_, has_atomics_;
  unsigned granule_shift_ = abi::race_word_shift;
  Value *group_ = nullptr, *item_ = nullptr, *linear_ = nullptr, *group_items_ = nullptr;
  SmallSetVector<Argument*, 8> written_; ///< parameters through which the kernel writes
  bool writes_elsewhere_ = false;        ///< whether a write may be to any buffer
  DenseMap<Argument*, Value*> may_be_written_;
  SmallVector<Constant*, 32> site_list_; ///< by number; number 0 stands for an unknown site
  GlobalVariable* sites_ = nullptr;
};

RaceChecker::RaceChecker(Function& kernel)
    : kernel_(kernel),
      module_(*kernel.getParent()),
      entry_(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
      accesses_(shared_accesses(kernel)),
      has_fences_(has_fences(kernel)),
      has_atomics_(any_of(accesses_, [](const SharedAccess& access) { return access.is_atomic(); })) {}

/// Writes the call that returns the group's state. It is declared to be without side effects, so that it can be hoisted
/// out of the loops over work-items: all work-items of a group get the same state.
void RaceChecker::find_group() {
  const SmallVector<Value*, 8> ids = work_item_ids(entry_);
  group_ = call_host(entry_, "__hostcl_race_group", entry_.getPtrTy(), ArrayRef(ids).drop_front(3),
                     MemoryEffects::none());
  group_->setName("group");
}

/// Writes the work-item's part of a record: its linear local id, as if the group had the enqueued size.
void RaceChecker::find_item() {
  linear_ = entry_.getInt64(0);
  group_items_ = entry_.getInt64(1);
  for (const unsigned dimension : {2U, 1U, 0U}) {
    Value* size = call_intrinsic(entry_, Intrinsic::enqueued_local_size, dimension);
    linear_ = entry_.CreateMul(linear_, size);
    linear_ = entry_.CreateAdd(linear_, call_intrinsic(entry_, Intrinsic::local_id, dimension));
    group_items_ = entry_.CreateMul(group_items_, size);
  }
  item_ = entry_.CreateShl(linear_, abi::race_item_shift, "item");
}

/// Writes the part of a record that identifies the copier of a work-item's part of an asynchronous copy
/// (compiler/abi/race.hpp). In a group of one work-item, or of more than race_copiers, the work-item itself is the
/// copier.
Value* RaceChecker::copier(unsigned site) {
  Value* moved = entry_.CreateAdd(linear_, entry_.getInt64(site % abi::race_sites * abi::race_copier_step));
  Value* id = entry_.CreateOr(entry_.CreateAnd(moved, abi::race_copiers - 1), abi::race_copiers);
  Value* has_copiers = entry_.CreateICmpULT(entry_.CreateSub(group_items_, entry_.getInt64(2)),
                                            entry_.getInt64(abi::race_copiers - 1));
  return entry_.CreateSelect(has_copiers, entry_.CreateShl(id, abi::race_item_shift), item_, "copier");
}

void RaceChecker::make_sites() {
  auto* pointer = entry_.getPtrTy(kernel_.getDataLayout().getDefaultGlobalsAddressSpace());
  SmallVector<Constant*, 32>& sites = site_list_;
  sites.push_back(ConstantPointerNull::get(pointer));
  for (const SharedAccess& access : accesses_)
    sites.push_back(site_of(access, Check::races));
  const auto numbered = ArrayRef(sites).take_front(abi::race_sites);
  auto* type = ArrayType::get(pointer, numbered.size());
  sites_ = new GlobalVariable(module_, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                              ConstantArray::get(type, numbered), metadata::sites);
}

/// Writes the description of an access for the host: bits of compiler/abi/race.hpp.
Value* RaceChecker::how_of(IRBuilder<>& builder, const SharedAccess& access) {
  Value* how =
      builder.getInt32((access.writes() ? abi::race_writes : 0) | (access.is_local() ? abi::race_local : 0) |
                       (abi::race_word_shift - granule_shift_) << abi::race_division_at);
  // What an asynchronous copy writes is not known beforehand.
  if (Value* same_value = access.is_copy ? nullptr : changes_nothing(builder, access))
    how = builder.CreateSelect(same_value, builder.CreateOr(how, abi::race_same_value), how);
  return how;
}

/// Writes the call of the host callback that records an access. @param how bits of compiler/abi/race.hpp
void RaceChecker::tell_access(IRBuilder<>& builder, const Recorded& recorded, Value* how) {
  const SharedAccess& access = recorded.access;
  if (has_position(access)) {
    Value* start = builder.CreatePtrToInt(getUnderlyingObject(access.pointer()), builder.getInt64Ty());
    builder.CreateStore(builder.CreateSub(recorded.address, start),
                        state(builder, offsetof(abi::RaceGroup, position)));
  }
  builder.CreateStore(site_list_[recorded.site], state(builder, offsetof(abi::RaceGroup, site)));
  tell(builder, "__hostcl_race_access",
       {group_, recorded.address, access.bytes(), recorded.record, how, sites_});
}

/// Records an access of `bytes` bytes: the fast path is called for all granules, up to four granules for each call. A
/// call that has found a possible race has recorded none of its granules, so the host callback has to.
void RaceChecker::check_granules(IRBuilder<>& builder, const Recorded& recorded, std::uint64_t bytes) {
  constexpr unsigned most = 4;
  Value* odd = builder.getFalse();
  for (std::uint64_t done = 0; done < bytes; done += std::uint64_t{most} << granule_shift_) {
    const auto granules =
        static_cast<unsigned>(std::min<std::uint64_t>(most, divideCeil(bytes - done, 1U << granule_shift_)));
    Function* function = cell_function(module_, {.writes = recorded.access.writes(),
                                                 .local = recorded.access.is_local(),
                                                 .beside_atomics = has_atomics_,
                                                 .granules = granules,
                                                 .granule_shift = granule_shift_});
    Value* place = builder.CreateAdd(recorded.address, builder.getInt64(done));
    Value* now = builder.CreateCall(function, {group_, place, recorded.record});
    odd = done ? builder.CreateOr(odd, now) : now;
  }
  builder.SetInsertPoint(
      SplitBlockAndInsertIfThen(odd, &*builder.GetInsertPoint(), /*Unreachable=*/false,
                                MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights()));
  tell_access(builder, recorded, how_of(builder, recorded.access));
}

void RaceChecker::check(const SharedAccess& access, unsigned site) {
  Instruction* place = access.instruction;
  if (Value* when = may_be_written(access)) {
    if (auto* known = dyn_cast<ConstantInt>(when); known && known->isZero()) return;
    place = SplitBlockAndInsertIfThen(when, place, /*Unreachable=*/false);
  }
  IRBuilder<> builder(place);
  Value* address = builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty());
  const std::uint64_t fixed = (access.is_atomic() ? abi::race_atomic : 0) |
                              (site < abi::race_sites ? std::uint64_t{site} << abi::race_site_shift : 0);
  Recorded recorded{access, site, address, builder.CreateOr(access.is_copy ? copier(site) : item_, fixed)};
  if (isa<AtomicCmpXchgInst>(access.instruction)) return check_exchange(recorded);
  const std::uint64_t bytes = access.known_bytes();
  constexpr std::uint64_t most_granules = 16;
  const std::uint64_t granule = std::uint64_t{1} << granule_shift_;
  const bool is_whole = bytes % granule == 0 && access.alignment >= granule;
  const bool is_part = bytes < granule && std::has_single_bit(bytes) && access.alignment >= bytes;
  if (bytes == 0 || bytes > most_granules * granule || !(is_whole || is_part) || access.is_atomic()) {
    if (match(access.bytes(), PatternMatch::m_Zero())) return;
    return tell_access(builder, recorded, how_of(builder, access));
  }
  Value* mask = builder.getInt64(abi::race_byte_mask);
  if (is_part)
    mask = builder.CreateShl(builder.getInt64((1U << bytes) - 1), builder.CreateAnd(address, granule - 1));
  recorded.record = builder.CreateOr(recorded.record, mask, "record");
  check_granules(builder, recorded, bytes);
}

/// Finds the parameters through which the kernel writes.
void RaceChecker::find_written() {
  for (const SharedAccess& access : accesses_) {
    if (!access.writes()) continue;
    Value* root = getUnderlyingObject(access.pointer());
    if (auto* parameter = dyn_cast<Argument>(root))
      written_.insert(parameter);
    else if (!access.is_local() && !isa<GlobalVariable>(root))
      writes_elsewhere_ = true;
  }
}

/// The parameter through which the access reads, if the kernel does not write through it; null if the access must
/// always be recorded.
Argument* RaceChecker::only_read(const SharedAccess& access) const {
  auto* parameter = dyn_cast<Argument>(getUnderlyingObject(access.pointer()));
  if (!parameter || access.writes() || access.is_atomic() || writes_elsewhere_ ||
      written_.contains(parameter) || parameter->getType()->getPointerAddressSpace() != global_space)
    return nullptr;
  return parameter;
}

/// Chooses the largest granule size that suits all accesses that are always recorded, except pixels, whose format is
/// unknown: larger granules cost less.
void RaceChecker::choose_granules() {
  std::uint64_t bits = std::uint64_t{1} << abi::race_word_shift;
  for (const SharedAccess& access : accesses_)
    if (!only_read(access) && !image_of(*access.pointer()))
      bits |= access.alignment.value() | access.known_bytes();
  granule_shift_ = static_cast<unsigned>(countr_zero(bits));
}

/// Writes, at the kernel's beginning, the condition that the object of a read may be written through another parameter.
/// Null if the access must always be recorded.
Value* RaceChecker::may_be_written(const SharedAccess& access) {
  Argument* parameter = only_read(access);
  if (!parameter) return nullptr;
  Value*& known = may_be_written_[parameter];
  if (known) return known;
  known = entry_.getFalse();
  for (Argument* other : written_)
    if (other->getType()->getPointerAddressSpace() == global_space)
      known = entry_.CreateOr(known, overlap(entry_, *parameter, *other), "may_be_written");
  return known;
}

/// Records a compare-exchange after it has run: it counts as a write only if it has succeeded.
void RaceChecker::check_exchange(const Recorded& recorded) {
  const SharedAccess& access = recorded.access;
  IRBuilder<> builder(access.instruction->getNextNode());
  Value* how = how_of(builder, access);
  if (order_of(access, has_fences_) & abi::race_release) how = builder.CreateOr(how, abi::race_has_released);
  Value* success = builder.CreateExtractValue(access.instruction, 1);
  how = builder.CreateSelect(success, how, builder.CreateAnd(how, std::uint64_t{~abi::race_writes}));
  tell_access(builder, recorded, how);
}

/// Writes the calls around an instruction after which the host knows what it has ordered.
/// @param address of the atomic object; 0 for a sub-group barrier
/// @param what bits of compiler/abi/race.hpp
void RaceChecker::order(Instruction& instruction, Value* address, std::uint32_t what) {
  auto call = [&](Instruction* before, std::uint32_t part) {
    IRBuilder<> builder(before);
    if (what & part) tell(builder, "__hostcl_race_order", {group_, address, item_, builder.getInt32(part)});
  };
  call(&instruction, abi::race_release);
  call(isa<FenceInst>(instruction) ? &instruction : instruction.getNextNode(), abi::race_acquire);
}

/// The flags of a barrier. Pixels are in global memory, so in kernels that access pixels an image fence counts as a
/// fence of global memory.
Value* RaceChecker::fences_of(IRBuilder<>& builder, CallBase& barrier) {
  constexpr unsigned global_fence = 2; // CLK_GLOBAL_MEM_FENCE; CLK_IMAGE_MEM_FENCE is the next bit
  Value* flags = barrier.getArgOperand(0);
  if (none_of(accesses_, [](const SharedAccess& access) { return image_of(*access.pointer()); }))
    return flags;
  return builder.CreateOr(flags, builder.CreateAnd(builder.CreateLShr(flags, 1), global_fence));
}

void RaceChecker::pass(CallBase& barrier) {
  const auto* flags = dyn_cast<ConstantInt>(barrier.getArgOperand(0));
  if (flags && flags->isZero()) return;
  IRBuilder<> builder(&barrier);
  Value* passed = state(builder, offsetof(abi::RaceGroup, passed));
  Value* fences = fences_of(builder, barrier);
  if (!flags) {
    // If the flags differ between work-items, the barrier orders only the memory that all of them name.
    fences = builder.CreateOr(fences, abi::race_passed);
    Value* others = builder.CreateLoad(builder.getInt32Ty(), passed);
    fences = builder.CreateSelect(builder.CreateIsNull(others), fences, builder.CreateAnd(others, fences));
  }
  builder.CreateStore(fences, passed);
  Instruction* next = barrier.getNextNode();
  builder.SetInsertPoint(next);
  Value* is_first = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt32Ty(), passed));
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_first, next, /*Unreachable=*/false));
  tell(builder, "__hostcl_race_barrier", {group_});
  builder.SetInsertPoint(next);
  call_intrinsic(builder, Intrinsic::barrier, 0);
}

void RaceChecker::write() {
  if (accesses_.empty()) return;
  find_group();
  find_item();
  make_sites();
  find_written();
  choose_granules();
  SmallVector<CallBase*, 8> barriers;
  SmallVector<Instruction*, 8> sub_group_fences;
  for (Instruction& instruction : instructions(kernel_)) {
    if (is_call_of(instruction, Intrinsic::barrier)) barriers.push_back(cast<CallBase>(&instruction));
    if (auto* fence = dyn_cast<FenceInst>(&instruction);
        fence && fence->getSyncScopeID() == SyncScope::SingleThread)
      sub_group_fences.push_back(fence);
  }
  for (const SharedAccess& access : accesses_)
    if (const std::uint32_t what = order_of(access, has_fences_)) {
      IRBuilder<> builder(access.instruction);
      order(*access.instruction, builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty()), what);
    }
  // All lanes of a sub-group release at a sub-group barrier before any lane acquires.
  if (uses_sub_groups(kernel_))
    for (Instruction* fence : sub_group_fences)
      order(*fence, entry_.getInt64(0), abi::race_release | abi::race_acquire);
  for (auto [index, access] : enumerate(accesses_))
    check(access, static_cast<unsigned>(index) + 1);
  for (CallBase* barrier : barriers)
    pass(*barrier);
}

} // namespace

PreservedAnalyses check_races_pass(Function& function, FunctionAnalysisManager&) {
  if (is_kernel_body(function) && !checked_form_of(function)) RaceChecker(function).write();
  erase_copy_calls(function);
  if (!is_kernel_body(function)) return PreservedAnalyses::none();
  function.removeFnAttr(Attribute::SanitizeThread);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
