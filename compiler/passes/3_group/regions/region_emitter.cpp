#include "compiler/passes/3_group/regions/region_emitter.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/3_group/regions/group_frame.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <memory>

namespace hostcl::compiler {

using namespace llvm;

namespace {

class Emitter {
public:
  Emitter(unsigned number, const ChunkCode& code, GroupFrame& frame)
      : number_(number),
        region_(frame.graph.regions[number]),
        code_(code),
        frame_(frame),
        function_(*code.head->getParent()),
        head_(code.head) {
    inside_.insert(region_.blocks.begin(), region_.blocks.end());
    for (Instruction* value : frame.values.live_at(number))
      live_.insert(value);
  }

  void run() {
    if (number_ != 0 && frame_.chunks_may_part()) skip_chunks_elsewhere();
    begin_lifetimes();
    for (BasicBlock* block : region_.blocks)
      copy_block(*block);
    IRBuilder<>(head_).CreateBr(blocks_[region_.head]);
    store_addresses();
    for (BasicBlock* block : region_.blocks)
      connect_block(*block);
    rewrite_redefined_values();
    for (auto [edge, exit] : exits_)
      fill_exit(*edge.first, edge.second, *exit);
  }

private:
  void skip_chunks_elsewhere() {
    IRBuilder<> builder(head_);
    Value* next = load_element(builder, builder.getInt32Ty(), frame_.next_of_chunk);
    Value* here = frame_.graph.lockstep == Lockstep::until_return
                      ? builder.CreateICmpNE(next, builder.getInt32(frame_.finished()))
                      : builder.CreateICmpEQ(next, builder.getInt32(number_));
    BasicBlock* inner = BasicBlock::Create(builder.getContext(), "present", &function_);
    builder.CreateCondBr(here, inner, code_.latch);
    head_ = inner;
  }

  /// Adds lifetime markers to private variables on the stack: their contents do not survive from one work-item to the
  /// next. The markers help LLVM to promote the variables to registers.
  void begin_lifetimes() {
    IRBuilder<> builder(head_);
    for (const PrivateArray& array : frame_.arrays)
      if (array.place == PrivatePlace::stack && !array.has_lifetime)
        builder.CreateLifetimeStart(array.variable);
  }

  bool is_replaced(Instruction& instruction) {
    if (auto intrinsic = called_intrinsic(instruction)) {
      if (*intrinsic == Intrinsic::local_id)
        copies_[&instruction] = code_.local_id[dimension_of(cast<CallBase>(instruction))];
      else if (*intrinsic == Intrinsic::lane_mask)
        copies_[&instruction] = code_.mask;
      else
        return false;
      return true;
    }
    if (auto* lifetime = dyn_cast<LifetimeIntrinsic>(&instruction)) {
      auto* variable = dyn_cast<AllocaInst>(lifetime->getArgOperand(0));
      return variable && frame_.memory_of(*variable);
    }
    return false;
  }

  void mark_independent(Instruction& copy) {
    if (!frame_.access_group) return;
    const Value* address = getLoadStorePointerOperand(&copy);
    if (!address || copy.isAtomic() || copy.isVolatile()) return;
    const unsigned space = address->getType()->getPointerAddressSpace();
    if (space == global_space || space == constant_space || space == local_space) independent(&copy);
  }

  void copy_block(BasicBlock& block) {
    BasicBlock* copy = BasicBlock::Create(function_.getContext(), block.getName(), &function_);
    blocks_[&block] = copy;
    for (Instruction& instruction : block) {
      if (isa<PHINode>(instruction) && &block == region_.head) continue;
      if (is_replaced(instruction)) continue;
      Instruction* clone = instruction.clone();
      clone->insertInto(copy, copy->end());
      clone->setName(instruction.getName());
      mark_independent(*clone);
      copies_[&instruction] = clone;
    }
  }

  /// The instruction's copy in the copy of its block; null if it has none, such as a phi of the region's head.
  Instruction* own_copy(const Instruction& original) {
    auto* copy = dyn_cast_or_null<Instruction>(copies_.lookup(&original));
    return copy && copy->getParent() == blocks_.lookup(original.getParent()) ? copy : nullptr;
  }

  /// Stores the addresses of variables that are not on the stack, for debuggers (debug_places.hpp).
  void store_addresses() {
    for (const PrivateArray& array : frame_.arrays)
      if (AllocaInst* place = frame_.debug_places.address_of(*array.variable)) {
        Value* address = copy_of(array.variable);
        IRBuilder<>(head_->getTerminator()).CreateStore(address, place);
      }
  }

  void connect_block(BasicBlock& block) {
    for (Instruction& original : block) {
      Instruction* copy = own_copy(original);
      if (!copy) continue;
      if (auto* phi = dyn_cast<PHINode>(copy)) {
        connect_phi(*phi, cast<PHINode>(original));
        continue;
      }
      if (isa<ReturnInst>(copy)) {
        IRBuilder<>(copy).CreateBr(exit_from(block, nullptr));
        copy->eraseFromParent();
        break;
      }
      for (Use& operand : copy->operands()) {
        auto* target = dyn_cast<BasicBlock>(operand.get());
        operand.set(target ? successor_for(block, target) : copy_of(operand.get()));
      }
    }
  }

  void connect_phi(PHINode& copy, const PHINode& original) {
    copy.removeIncomingValueIf([](unsigned) { return true; }, false);
    for (unsigned i = 0; i < original.getNumIncomingValues(); ++i) {
      BasicBlock* from = original.getIncomingBlock(i);
      if (inside_.contains(from)) copy.addIncoming(copy_of(original.getIncomingValue(i)), blocks_[from]);
    }
  }

  /// Whether `value` was loaded from this very slot in this region, so that it need not be stored back.
  bool is_from_slot(Value* value, unsigned slot) {
    auto* phi = dyn_cast<PHINode>(value);
    if (phi && phi->getNumIncomingValues() == 1) value = phi->getIncomingValue(0);
    auto known = slot_of_load_.find(value);
    return known != slot_of_load_.end() && known->second == slot;
  }

  Value* copy_of(Value* original) {
    if (Value* known = copies_.lookup(original)) return known;
    if (auto* variable = dyn_cast<AllocaInst>(original)) {
      const ChunkArray* memory = frame_.memory_of(*variable);
      if (!memory) return original;
      IRBuilder<> builder(head_->getTerminator());
      return copies_[original] = element(*memory, builder);
    }
    auto* value = dyn_cast<Instruction>(original);
    return value && live_.contains(value) ? value_at_head(*value) : original;
  }

  BasicBlock* successor_for(BasicBlock& from, BasicBlock* to) {
    return frame_.graph.is_head(to) ? exit_from(from, to) : blocks_[to];
  }

  /// The block that leaves the region on an edge; `to` is null for a return.
  BasicBlock* exit_from(BasicBlock& from, BasicBlock* to) {
    BasicBlock*& exit = exits_[{&from, to}];
    if (!exit) exit = BasicBlock::Create(function_.getContext(), to ? "leave" : "done", &function_);
    return exit;
  }

  /// The value of an earlier region, loaded or recomputed at the region's head.
  Value* value_at_head(Instruction& value) {
    if (Value* known = at_head_.lookup(&value)) return known;
    Value* result = nullptr;
    switch (frame_.values.keep(value)) {
    case Keep::shared:
      result = new LoadInst(value.getType(), frame_.shared(value), value.getName(),
                            code_.before->getTerminator()->getIterator());
      break;
    case Keep::slot: {
      IRBuilder<> builder(head_->getTerminator());
      result = load_element(builder, value.getType(), frame_.slot(value), value.getName());
      slot_of_load_[result] = frame_.values.slot(value);
      break;
    }
    case Keep::recomputed: {
      if (is_replaced(value)) {
        result = copies_.lookup(&value);
        break;
      }
      Instruction* again = value.clone();
      for (Use& operand : again->operands()) {
        auto* instruction = dyn_cast<Instruction>(operand.get());
        const bool is_live = instruction && live_.contains(instruction);
        operand.set(is_live ? value_at_head(*instruction) : copy_of(operand.get()));
      }
      again->insertBefore(head_->getTerminator()->getIterator());
      again->setName(value.getName());
      result = again;
      break;
    }
    }
    return at_head_[&value] = result;
  }

  /// For a value that is live at the region's head and is also defined in the region (in a loop around barriers): the
  /// SSAUpdater that finds which of the two definitions reaches a use.
  SSAUpdater& updater(Instruction& value) {
    std::unique_ptr<SSAUpdater>& updater = updaters_[&value];
    if (!updater) {
      updater = std::make_unique<SSAUpdater>();
      updater->Initialize(value.getType(), value.getName());
      updater->AddAvailableValue(head_, value_at_head(value));
      updater->AddAvailableValue(blocks_[value.getParent()], copies_.lookup(&value));
    }
    return *updater;
  }

  void rewrite_redefined_values() {
    for (Instruction* value : frame_.values.live_at(number_)) {
      if (!is_redefined(*value)) continue;
      Instruction* copy = own_copy(*value);
      if (!copy) continue;
      SmallVector<Use*, 8> uses;
      for (Use& use : copy->uses()) {
        auto* user = cast<Instruction>(use.getUser());
        if (isa<PHINode>(user) || user->getParent() != copy->getParent()) uses.push_back(&use);
      }
      for (Use* use : uses)
        updater(*value).RewriteUse(*use);
    }
  }

  Value* value_at_end(Value* value, BasicBlock& block) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !is_redefined(*instruction) || !own_copy(*instruction)) return copy_of(value);
    return updater(*instruction).GetValueAtEndOfBlock(blocks_[&block]);
  }

  void fill_exit(BasicBlock& from, BasicBlock* to, BasicBlock& exit) {
    IRBuilder<> builder(&exit);
    unsigned next = to ? frame_.graph.region_at.lookup(to) : frame_.finished();
    if (to)
      for (Instruction* value : frame_.values.live_at(next)) {
        Keep keep = frame_.values.keep(*value);
        auto* phi = dyn_cast<PHINode>(value);
        bool merged = phi && phi->getParent() == to;
        if (keep == Keep::recomputed || (!merged && !inside_.contains(value->getParent()))) continue;
        Value* source = merged ? phi->getIncomingValueForBlock(&from) : value;
        Value* current = value_at_end(source, from);
        if (keep == Keep::shared) {
          if (!merged && current == at_head_.lookup(value)) continue;
          begin_shared(*value);
          builder.CreateStore(current, frame_.shared(*value));
          continue;
        }
        if (!is_from_slot(current, frame_.values.slot(*value)))
          store_element(builder, current, frame_.slot(*value));
      }
    leave_for(next, builder);
    for (const PrivateArray& array : frame_.arrays)
      if (array.place == PrivatePlace::stack && !array.has_lifetime)
        builder.CreateLifetimeEnd(array.variable);
    builder.CreateBr(code_.latch);
  }

  /// Stores poison to the variable of a shared value before the region, if the value is not live at the region's head.
  /// The variable is then not live in earlier regions, so that promoting it to SSA values takes less time and adds
  /// fewer phis.
  void begin_shared(Instruction& value) {
    if (live_.contains(&value) || !begun_.insert(&value).second) return;
    new StoreInst(PoisonValue::get(value.getType()), frame_.shared(value),
                  code_.before->getTerminator()->getIterator());
  }

  void leave_for(unsigned region, IRBuilder<>& builder) {
    if (frame_.graph.regions.size() == 1) return;
    bool ends = region == frame_.finished();
    bool group_decides = frame_.graph.lockstep != Lockstep::not_guaranteed;
    // A work-item that returns early must not set the group's next region: the work-items that continue set it.
    if (group_decides && !(ends && frame_.chunks_may_part()))
      builder.CreateStore(builder.getInt32(region), frame_.next_of_group);
    if (!frame_.chunks_may_part()) return;
    // If all chunks that have not returned take the same regions, the chunk's own next region only tells whether the
    // chunk has returned. It is enough that the first region and returns write it.
    bool needless = group_decides && (ends ? region_.next.empty() : number_ != 0);
    if (!needless) store_element(builder, builder.getInt32(region), frame_.next_of_chunk);
  }

  bool is_redefined(const Instruction& value) const {
    return live_.contains(&value) && inside_.contains(value.getParent()) &&
           !(isa<PHINode>(value) && value.getParent() == region_.head);
  }
  /// The address of this chunk's element.
  Value* element(const ChunkArray& array, IRBuilder<>& builder) {
    if (array.stride == 0) return array.base;
    Value* offset = builder.CreateMul(code_.chunk, builder.getInt64(array.stride), "", true, true);
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), array.base, offset);
  }
  /// The alignment of elements; arrays begin at multiples of abi::scratch_alignment.
  static Align alignment_of(const ChunkArray& array) { return commonAlignment(Align(64), array.stride); }
  Value* load_element(IRBuilder<>& builder, Type* type, const ChunkArray& array, const Twine& name = "") {
    return independent(builder.CreateAlignedLoad(type, element(array, builder), alignment_of(array), name));
  }
  void store_element(IRBuilder<>& builder, Value* value, const ChunkArray& array) {
    independent(builder.CreateAlignedStore(value, element(array, builder), alignment_of(array)));
  }
  Instruction* independent(Instruction* access) {
    if (frame_.access_group) access->setMetadata(LLVMContext::MD_access_group, frame_.access_group);
    return access;
  }

  unsigned number_;
  const Region& region_;
  const ChunkCode& code_;
  GroupFrame& frame_;
  Function& function_;
  BasicBlock* head_; ///< the block in which values of earlier regions are loaded or recomputed
  SmallPtrSet<const BasicBlock*, 16> inside_;
  SmallPtrSet<const Instruction*, 32> live_;
  SmallPtrSet<const Instruction*, 8> begun_; ///< shared values that are not live at the region's head
  DenseMap<const Value*, Value*> copies_;
  DenseMap<const BasicBlock*, BasicBlock*> blocks_;
  DenseMap<Instruction*, Value*> at_head_;
  DenseMap<Value*, unsigned> slot_of_load_;
  DenseMap<Instruction*, std::unique_ptr<SSAUpdater>> updaters_;
  MapVector<std::pair<BasicBlock*, BasicBlock*>, BasicBlock*> exits_; ///< by exit_from()'s arguments
};

} // namespace

void emit_region(unsigned region, const ChunkCode& code, GroupFrame& frame) {
  Emitter(region, code, frame).run();
}

} // namespace hostcl::compiler
