#include "compiler/passes/4_range/disjoint_buffers.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Limit for the sets of arguments that has_gain_if_disjoint() compares with each other in a loop.
constexpr std::size_t most_sets = 16;

/// Whether the value is a buffer argument: launches check whether these overlap (runtime/launch/overlap.hpp).
bool is_buffer(const Value& object) {
  const auto* argument = dyn_cast<Argument>(&object);
  if (!argument || !argument->getType()->isPointerTy() || argument->hasByValAttr()) return false;
  const unsigned space = argument->getType()->getPointerAddressSpace();
  return space == global_space || space == constant_space;
}

/// A set of arguments, by number.
using Buffers = SmallBitVector;

/// Adds the arguments from which the address may be computed. @returns false if it may be computed from anything else
bool add_buffers(const Value& address, Buffers& buffers) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(&address, objects);
  for (const Value* object : objects) {
    if (!is_buffer(*object)) return false;
    buffers.set(cast<Argument>(object)->getArgNo());
  }
  return true;
}

/// The addresses of the memory that an instruction accesses; none if it may access other memory as well.
SmallVector<const Value*, 2> addresses_of(const Instruction& access) {
  if (const auto place = MemoryLocation::getOrNone(&access)) return {place->Ptr};
  const auto* call = dyn_cast<IntrinsicInst>(&access);
  if (!call) return {};
  if (call->getIntrinsicID() == Intrinsic::masked_gather) return {call->getArgOperand(0)};
  if (call->getIntrinsicID() == Intrinsic::masked_scatter) return {call->getArgOperand(1)};
  SmallVector<const Value*, 2> addresses;
  if (call->onlyAccessesArgMemory())
    for (const Value* argument : call->args())
      if (argument->getType()->isPtrOrPtrVectorTy()) addresses.push_back(argument);
  return addresses;
}

/// The buffers that an instruction may access; nothing if it may access other memory, or does not access memory.
std::optional<Buffers> buffers_of(const Instruction& access) {
  if (!access.mayReadOrWriteMemory()) return std::nullopt;
  Buffers buffers(access.getFunction()->arg_size());
  for (const Value* address : addresses_of(access))
    if (!add_buffers(*address, buffers)) return std::nullopt;
  if (buffers.none()) return std::nullopt;
  return buffers;
}

bool converts_pointers(const Instruction& instruction) {
  return isa<PtrToIntInst, PtrToAddrInst, IntToPtrInst>(instruction);
}

/// Whether the instruction compares pointers that may point into different buffers.
bool compares_buffers(const Instruction& instruction) {
  const auto* compare = dyn_cast<ICmpInst>(&instruction);
  if (!compare || !compare->getOperand(0)->getType()->isPtrOrPtrVectorTy()) return false;
  const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (isa<ConstantPointerNull>(left) || isa<ConstantPointerNull>(right)) return false;
  return getUnderlyingObject(left) != getUnderlyingObject(right);
}

/// The buffers that one outermost loop accesses and writes.
class LoopAccesses {
public:
  explicit LoopAccesses(const Function& kernel) : restricted_(kernel.arg_size()) {
    for (const Argument& argument : kernel.args())
      restricted_[argument.getArgNo()] = argument.hasNoAliasAttr();
  }

  void add(const Instruction& access) {
    const auto buffers = buffers_of(access);
    if (!buffers || !buffers->test(restricted_)) return;
    note(accessed_, *buffers);
    if (access.mayWriteToMemory()) note(written_, *buffers);
  }

  /// Whether a buffer is written while another one is accessed.
  bool gain_if_disjoint() const {
    return any_of(written_, [&](const Buffers& written) {
      return any_of(accessed_, [&](const Buffers& accessed) { return !written.anyCommon(accessed); });
    });
  }

private:
  static void note(SmallVectorImpl<Buffers>& sets, const Buffers& buffers) {
    if (sets.size() < most_sets && !is_contained(sets, buffers)) sets.push_back(buffers);
  }

  Buffers restricted_;
  SmallVector<Buffers, 4> written_, accessed_;
};

/// The alias scopes of one kernel's arguments.
class Scopes {
public:
  explicit Scopes(Function& kernel) : context_(kernel.getContext()) {
    MDBuilder build(context_);
    MDNode* domain = build.createAnonymousAliasScopeDomain("buffers");
    for (const Argument& argument : kernel.args())
      scopes_.push_back(is_buffer(argument) ? build.createAnonymousAliasScope(domain, argument.getName())
                                            : nullptr);
  }

  void give(Instruction& access, const Buffers& buffers) {
    SmallVector<Metadata*, 8> own, others;
    for (auto [number, scope] : enumerate(scopes_))
      if (scope) (buffers.test(number) ? own : others).push_back(scope);
    add(access, LLVMContext::MD_alias_scope, own);
    if (!others.empty()) add(access, LLVMContext::MD_noalias, others);
  }

private:
  void add(Instruction& access, unsigned kind, ArrayRef<Metadata*> scopes) {
    access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind), MDNode::get(context_, scopes)));
  }

  LLVMContext& context_;
  SmallVector<MDNode*, 8> scopes_;
};

} // namespace

void note_numbers_of_pointers(const Module& module, Function& kernel) {
  const bool converts = any_of(
      module, [](const Function& function) { return any_of(instructions(function), converts_pointers); });
  if (converts) kernel.addFnAttr(metadata::pointer_numbers, "true");
}

bool has_gain_if_disjoint(const Function& kernel) {
  if (kernel.hasFnAttribute(metadata::pointer_numbers)) return false;
  CycleInfo cycles;
  cycles.compute(const_cast<Function&>(kernel));
  for (const Cycle* cycle : cycles.toplevel_cycles()) {
    LoopAccesses accesses(kernel);
    for (const BasicBlock* block : cycle->blocks())
      for (const Instruction& instruction : *block)
        accesses.add(instruction);
    if (accesses.gain_if_disjoint())
      return none_of(instructions(kernel), [](const Instruction& instruction) {
        return converts_pointers(instruction) || compares_buffers(instruction);
      });
  }
  return false;
}

PreservedAnalyses disjoint_buffers_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function) || !kernel_shape(function).buffers_disjoint) return PreservedAnalyses::all();
  Scopes scopes(function);
  for (Instruction& instruction : instructions(function))
    if (const auto buffers = buffers_of(instruction)) {
      scopes.give(instruction, *buffers);
      note_change(Heuristic::disjoint_buffers);
    }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
