#include "compiler/passes/6_host/large_private.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/parameters.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CallGraph.h"
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

/// Computes the bytes that functions need along the deepest chain of direct calls, for a function and its callees: the
/// bytes of the function itself, and those of the callee that needs the most. Functions that call each other
/// recursively count once each, and together.
DenseMap<const Function*, std::uint64_t>
bytes_with_callees(const Function& first, function_ref<std::uint64_t(const Function&)> own_bytes) {
  CallGraph graph(const_cast<Module&>(*first.getParent()));
  DenseMap<const Function*, std::uint64_t> all;
  for (auto component = scc_begin(graph[&first]); !component.isAtEnd(); ++component) {
    std::uint64_t own = 0, below = 0;
    for (const CallGraphNode* node : *component) {
      if (node->getFunction() && !node->getFunction()->isDeclaration())
        own = SaturatingAdd(own, own_bytes(*node->getFunction()));
      for (const auto& [call, callee] : *node)
        below = std::max(below, all.lookup(callee->getFunction()));
    }
    for (const CallGraphNode* node : *component)
      all[node->getFunction()] = SaturatingAdd(own, below);
  }
  return all;
}

/// The stack that the function needs if variables of `least_moved` bytes or more are not on the stack.
std::uint64_t stack_without(const Function& function, std::uint64_t least_moved) {
  const auto own_bytes = [&](const Function& each) {
    std::uint64_t bytes = call_bytes;
    for (const Instruction& instruction : instructions(each))
      if (const auto* variable = dyn_cast<AllocaInst>(&instruction);
          variable && size_of(*variable) < least_moved)
        bytes = SaturatingAdd(bytes, SaturatingAdd(size_of(*variable), variable->getAlign().value()));
    return bytes;
  };
  return bytes_with_callees(function, own_bytes)[&function];
}

/// The entry and the functions whose variables can be moved, callees before their callers. A caller passes the address
/// of the callee's part of the context as an additional argument, so all calls must be direct, and all callers must be
/// in the set. A recursive function keeps its variables on the stack, because each of its calls needs variables of its
/// own.
SetVector<Function*> find_movable(Function& entry) {
  CallGraph graph(*entry.getParent());
  SetVector<Function*> movable;
  for (auto component = scc_begin(graph[&entry]); !component.isAtEnd(); ++component)
    if (Function* function = component->front()->getFunction();
        function && !function->isDeclaration() && !component.hasCycle())
      movable.insert(function);
  const auto stays = [&](Function* function) {
    const auto is_called_outside = [&](User* user) {
      return !movable.contains(cast<Instruction>(user)->getFunction());
    };
    return function != &entry &&
           (function->hasAddressTaken() || any_of(function->users(), is_called_outside));
  };
  while (movable.remove_if(stays))
    continue;
  return movable;
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

/// The part of the context's memory that a function needs for variables that are moved.
struct Frame {
  Function* function;
  SmallVector<AllocaInst*, 8> variables;
  std::uint64_t own; ///< bytes of `variables`, with padding
  std::uint64_t all; ///< `own` plus the largest `all` of a callee
};

Frame frame_of(Function& function, std::uint64_t least_moved) {
  Frame frame{&function, {}, 0, 0};
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && size_of(*variable) >= least_moved) {
      frame.variables.push_back(variable);
      frame.own = SaturatingAdd(frame.own, room_for(*variable));
    }
  return frame;
}

/// Adds the parameter for the memory to a function.
void extend(Frame& frame) {
  Function& old = *frame.function;
  Type* pointer = PointerType::getUnqual(old.getContext());
  Function& function = with_parameters(old, pointer);
  const auto number = static_cast<unsigned>(function.arg_size() - 1);
  function.addParamAttr(number, Attribute::NoAlias);
  function.addParamAttr(number, Attribute::NoUndef);
  function.addParamAttr(number, Attribute::getWithAlignment(old.getContext(), Align(abi::scratch_alignment)));
  function.removeFnAttr(Attribute::Memory); // accesses of moved variables now count as effects
  frame.function = &function;
  // The callers have no such memory yet. They pass poison, which move_variables() replaces.
  for (User* user : make_early_inc_range(old.users()))
    with_arguments(cast<CallBase>(*user), function, PoisonValue::get(pointer))
        .removeFnAttr(Attribute::Memory);
  old.eraseFromParent();
}

/// Moves the variables of a frame to the memory at the address.
void place_variables(IRBuilder<>& build, const Frame& frame, Value& memory) {
  std::uint64_t offset = 0;
  for (AllocaInst* variable : frame.variables) {
    for (User* user : make_early_inc_range(variable->users())) // lifetime markers are valid for allocas only
      if (auto* marker = dyn_cast<LifetimeIntrinsic>(user)) marker->eraseFromParent();
    variable->replaceAllUsesWith(place(build, memory, *variable, offset));
    offset += room_for(*variable);
  }
  for (AllocaInst* variable : frame.variables) // only now: the builder inserts before one of them
    variable->eraseFromParent();
}

/// Moves the variables of the entry, and of the functions that it calls and whose variables can be moved.
void move_variables(Function& entry, std::uint64_t least_moved) {
  SmallVector<Frame, 4> frames;
  DenseMap<const Function*, std::uint64_t> own;
  for (Function* function : find_movable(entry)) {
    frames.push_back(frame_of(*function, least_moved));
    own[function] = frames.back().own;
  }
  const auto own_bytes = [&](const Function& function) { return own.lookup(&function); };
  const auto all = bytes_with_callees(entry, own_bytes);
  for (Frame& frame : frames)
    frame.all = all.lookup(frame.function);
  entry.addFnAttr(metadata::private_bytes, std::to_string(all.lookup(&entry)));
  erase_if(frames, [](const Frame& frame) { return frame.all == 0; });
  for (Frame& frame : frames)
    if (frame.function != &entry) extend(frame);
  // By caller: the address behind the memory of the caller's own variables. The caller passes it to its callees.
  DenseMap<const Function*, Value*> after_own;
  for (const Frame& frame : frames) {
    Function& function = *frame.function;
    IRBuilder<> build(&*function.getEntryBlock().getFirstInsertionPt());
    const auto at = [&](Value* memory, std::uint64_t offset) {
      return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), memory, offset);
    };
    Argument* memory = function.getArg(&function == &entry ? context : function.arg_size() - 1);
    if (&function == &entry) {
      Value* behind = at(memory, frame.all);
      memory->replaceUsesWithIf(behind, [&](const Use& use) { return use.getUser() != behind; });
    }
    if (frame.all > frame.own) after_own[&function] = at(memory, frame.own);
    place_variables(build, frame, *memory);
  }
  for (const Frame& frame : frames)
    if (frame.function != &entry)
      for (User* user : frame.function->users()) {
        auto& call = cast<CallBase>(*user);
        call.setArgOperand(call.arg_size() - 1, after_own[call.getFunction()]);
      }
}

} // namespace

std::uint64_t stack_bytes(const Function& function) {
  return stack_without(function, std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t moved_private_bytes(const Function& entry) {
  return entry.getFnAttributeAsParsedInteger(metadata::private_bytes);
}

PreservedAnalyses large_private_pass(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*, 1> entries;
  for (Function& function : module)
    if (function.hasFnAttribute(metadata::entry) && !function.hasLocalLinkage() &&
        stack_bytes(function) > most_on_stack)
      entries.push_back(&function);
  for (Function* entry : entries) {
    const bool small_ones_fit = stack_without(*entry, small_variable) <= most_on_stack;
    move_variables(*entry, small_ones_fit ? small_variable : 1);
  }
  return entries.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hostcl::compiler
