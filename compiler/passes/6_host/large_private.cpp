#include "compiler/passes/6_host/large_private.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/parameters.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// If the entry and the functions that it calls need more stack than this, variables are moved. The limit is below the
/// 24 KB that a thread has for a kernel's variables (runtime/support/stack.hpp).
constexpr std::uint64_t most_on_stack = 16 << 10;
/// Variables below this size stay on the stack, unless they alone exceed `most_on_stack`.
constexpr std::uint64_t small_variable = 64;
/// Allowance for a call: return address, saved registers, padding.
constexpr std::uint64_t call_bytes = 128;

std::uint64_t size_of(const AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  return size && !size->isScalable() ? size->getFixedValue() : 0;
}

/// The functions that are called directly and have a body, each once.
SmallSetVector<Function*, 8> callees_of(const Function& function) {
  SmallSetVector<Function*, 8> callees;
  for (const Instruction& instruction : instructions(function))
    if (const auto* call = dyn_cast<CallBase>(&instruction))
      if (Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
        callees.insert(callee);
  return callees;
}

/// Removes lifetime markers: they are valid for allocas only.
void forget_lifetime(AllocaInst& variable) {
  for (User* user : make_early_inc_range(variable.users()))
    if (auto* call = dyn_cast<LifetimeIntrinsic>(user)) call->eraseFromParent();
}

/// The bytes that a variable takes, including padding for its alignment, if it is placed at a multiple of
/// abi::scratch_alignment.
std::uint64_t room_for(const AllocaInst& variable) {
  const std::uint64_t alignment = variable.getAlign().value();
  const std::uint64_t padding = alignment > abi::scratch_alignment ? alignment - abi::scratch_alignment : 0;
  return alignTo(SaturatingAdd(size_of(variable), padding), abi::scratch_alignment);
}

Value* place(IRBuilder<>& build, Value& memory, const AllocaInst& variable, std::uint64_t offset) {
  const std::uint64_t alignment = variable.getAlign().value();
  Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), &memory, offset);
  if (alignment <= abi::scratch_alignment) return address;
  address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), address, alignment - 1);
  return build.CreateIntrinsic(Intrinsic::ptrmask, {address->getType(), build.getInt64Ty()},
                               {address, build.getInt64(-alignment)});
}

/// Computes the stack depth of the deepest chain of direct calls, in which a recursive function counts once.
class StackDepth {
public:
  /// @param least_moved variables of this many bytes or more do not count, because they are moved
  explicit StackDepth(std::uint64_t least_moved) : least_moved_(least_moved) {}

  std::uint64_t of(const Function& function) {
    auto [known, is_new] = depths_.try_emplace(&function, 0);
    if (!is_new) return known->second;
    std::uint64_t bytes = call_bytes, below = 0;
    for (const Instruction& instruction : instructions(function))
      if (const auto* variable = dyn_cast<AllocaInst>(&instruction);
          variable && size_of(*variable) < least_moved_)
        bytes = SaturatingAdd(bytes, SaturatingAdd(size_of(*variable), variable->getAlign().value()));
    for (const Function* callee : callees_of(function))
      below = std::max(below, of(*callee));
    return depths_[&function] = SaturatingAdd(bytes, below);
  }

private:
  std::uint64_t least_moved_;
  DenseMap<const Function*, std::uint64_t> depths_;
};

/// Moves variables of an entry, and of the functions that it calls and whose variables can be moved (find_movable()).
class Mover {
public:
  Mover(Function& entry, std::uint64_t least_moved) : entry_(entry), least_moved_(least_moved) {}
  void run();

private:
  /// The part of the context's memory that a function needs.
  struct Frame {
    Function* function;
    SmallVector<AllocaInst*, 8> variables;
    /// `own`: bytes of `variables`, with padding; `all`: `own` plus the largest `all` of a callee.
    std::uint64_t own = 0, all = 0;
    Value* memory = nullptr; ///< address of the function's part
  };

  void find_movable();
  std::uint64_t measure(Function& function);
  void extend(Frame& frame);
  void move(Frame& frame);
  void pass_memory(const Frame& callee);

  Function& entry_;
  std::uint64_t least_moved_;
  /// The entry and the functions whose variables can be moved: functions that are called only directly, only by
  /// functions in this set, and that are not recursive.
  SetVector<Function*> movable_;
  MapVector<Function*, Frame> frames_; ///< callees before their callers
  /// By caller: the address behind the memory of the caller's own variables. The caller passes it to its callees.
  DenseMap<const Function*, Value*> after_own_;
};

/// Whether a call of the function may lead to another call of the function before the first one has returned.
bool is_recursive(Function& function) {
  SetVector<Function*> called;
  called.insert_range(callees_of(function));
  for (std::size_t i = 0; i < called.size(); ++i)
    called.insert_range(callees_of(*called[i]));
  return called.contains(&function);
}

/// Finds the functions whose variables can be moved. A caller passes the address of the callee's part of the context as
/// an additional argument, so all calls must be direct, and all callers must be in the set. A recursive function keeps
/// its variables on the stack, because each of its calls needs variables of its own.
void Mover::find_movable() {
  movable_.insert(&entry_);
  for (std::size_t i = 0; i < movable_.size(); ++i)
    movable_.insert_range(callees_of(*movable_[i]));
  const auto stays = [&](Function* function) {
    const auto is_called_outside = [&](User* user) {
      return !movable_.contains(cast<Instruction>(user)->getFunction());
    };
    return function != &entry_ && (function->hasAddressTaken() || is_recursive(*function) ||
                                   any_of(function->users(), is_called_outside));
  };
  while (movable_.remove_if(stays))
    continue;
}

/// Computes the frames of a function and its callees. @returns the bytes that they need
std::uint64_t Mover::measure(Function& function) {
  if (!movable_.contains(&function)) return 0;
  if (const auto known = frames_.find(&function); known != frames_.end()) return known->second.all;
  Frame frame{&function, {}};
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && size_of(*variable) >= least_moved_) {
      frame.variables.push_back(variable);
      frame.own = SaturatingAdd(frame.own, room_for(*variable));
    }
  std::uint64_t below = 0;
  for (Function* callee : callees_of(function))
    below = std::max(below, measure(*callee));
  frame.all = SaturatingAdd(frame.own, below);
  frames_[&function] = frame;
  return frame.all;
}

/// Adds the parameter for the memory to a function.
void Mover::extend(Frame& frame) {
  Function& old = *frame.function;
  Type* pointer = PointerType::getUnqual(old.getContext());
  Function& function = with_parameters(old, pointer);
  const auto number = static_cast<unsigned>(function.arg_size() - 1);
  function.addParamAttr(number, Attribute::NoAlias);
  function.addParamAttr(number, Attribute::NoUndef);
  function.addParamAttr(number, Attribute::getWithAlignment(old.getContext(), Align(abi::scratch_alignment)));
  function.removeFnAttr(Attribute::Memory); // accesses of moved variables now count as effects
  frame.memory = function.getArg(number);
  frame.function = &function;
  // The callers have no such memory yet. They pass poison, which pass_memory() replaces when all functions are extended.
  for (User* user : make_early_inc_range(old.users()))
    with_arguments(cast<CallBase>(*user), function, PoisonValue::get(pointer))
        .removeFnAttr(Attribute::Memory);
  old.eraseFromParent();
}

void Mover::move(Frame& frame) {
  Function& function = *frame.function;
  IRBuilder<> build(&*function.getEntryBlock().getFirstInsertionPt());
  if (&function == &entry_) {
    Argument* memory = function.getArg(context);
    frame.memory = memory;
    Value* behind = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), memory, frame.all);
    memory->replaceUsesWithIf(behind, [&](const Use& use) { return use.getUser() != behind; });
  }
  if (frame.all > frame.own)
    after_own_[&function] = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), frame.memory, frame.own);
  std::uint64_t offset = 0;
  for (AllocaInst* variable : frame.variables) {
    forget_lifetime(*variable);
    variable->replaceAllUsesWith(place(build, *frame.memory, *variable, offset));
    offset += room_for(*variable);
  }
  for (AllocaInst* variable : frame.variables) // only now: the builder inserts before one of them
    variable->eraseFromParent();
}

void Mover::pass_memory(const Frame& callee) {
  for (User* user : callee.function->users()) {
    auto& call = cast<CallBase>(*user);
    call.setArgOperand(call.arg_size() - 1, after_own_[call.getFunction()]);
  }
}

void Mover::run() {
  find_movable();
  const std::uint64_t all = measure(entry_);
  for (auto& [unused, frame] : frames_) {
    if (frame.all == 0) continue;
    if (frame.function != &entry_) extend(frame);
    move(frame);
  }
  for (const auto& [unused, frame] : frames_)
    if (frame.function != &entry_ && frame.all > 0) pass_memory(frame);
  entry_.addFnAttr(metadata::private_bytes, std::to_string(all));
}

bool is_entry(const Function& function) {
  return function.hasFnAttribute(metadata::entry) && !function.hasLocalLinkage();
}

bool move_private_memory(Function& entry) {
  if (stack_bytes(entry) <= most_on_stack) return false;
  const bool small_ones_fit = StackDepth(small_variable).of(entry) <= most_on_stack;
  Mover(entry, small_ones_fit ? small_variable : 1).run();
  return true;
}

} // namespace

std::uint64_t stack_bytes(const Function& function) {
  return StackDepth(std::numeric_limits<std::uint64_t>::max()).of(function);
}

std::uint64_t moved_private_bytes(const Function& entry) {
  return entry.getFnAttributeAsParsedInteger(metadata::private_bytes);
}

PreservedAnalyses large_private_pass(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*, 1> entries;
  for (Function& function : module)
    if (is_entry(function)) entries.push_back(&function);
  bool changed = false;
  for (Function* entry : entries)
    changed |= move_private_memory(*entry);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
