#pragma once

// What the values of a kernel are for one work-item: runs integers, addresses, branches and loops, without memory.

#include "compiler/ir/intrinsics.hpp"
#include "support/catch.hpp"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <array>
#include <cstdint>
#include <map>

namespace hostcl::compiler {

/// A group of a launch, with the arguments of the kernel in their order.
struct EvaluatedGroup {
  std::array<std::uint64_t, 3> group, size, offset, groups;
  std::array<std::uint64_t, 3> arguments;

  std::uint64_t answer(Intrinsic query, unsigned dimension, const std::array<std::uint64_t, 3>& local) const {
    switch (query) {
    case Intrinsic::local_id:
      return local[dimension];
    case Intrinsic::group_id:
      return group[dimension];
    case Intrinsic::local_size:
    case Intrinsic::enqueued_local_size:
      return size[dimension];
    case Intrinsic::global_size:
      return size[dimension] * groups[dimension];
    case Intrinsic::global_offset:
      return offset[dimension];
    default:
      FAIL("a query that the evaluation does not know");
      return 0;
    }
  }
};

class Evaluation {
public:
  using LocalId = std::array<std::uint64_t, 3>;
  /// What an instruction was in each iteration of a loop that the work-item made; iteration 0 outside of loops.
  using Trace = std::map<std::pair<const llvm::Value*, unsigned>, llvm::APInt>;

  Evaluation(const llvm::Function& kernel, const EvaluatedGroup& group, const LocalId& local)
      : group_(group), local_(local) {
    for (const llvm::Argument& argument : kernel.args())
      now_[&argument] = number_of(argument, group.arguments[argument.getArgNo()]);
    const llvm::BasicBlock *from = nullptr, *at = &kernel.getEntryBlock();
    while (at) {
      const llvm::BasicBlock* next = run(*at, from);
      from = at;
      at = next;
    }
  }

  const Trace& trace() const { return trace_; }

  /// The value of what does not change any more, and of constants.
  llvm::APInt of(const llvm::Value& value) const {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return number->getValue();
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return {64, 0};
    const auto known = now_.find(&value);
    if (known == now_.end()) FAIL("a value that was not computed");
    return known->second;
  }

  /// The value in an iteration, or the last one if the instruction is not of that iteration; null if it never ran.
  const llvm::APInt* in_iteration(const llvm::Value& value, unsigned iteration) const {
    if (const auto found = trace_.find({&value, iteration}); found != trace_.end()) return &found->second;
    const auto known = now_.find(&value);
    return known == now_.end() ? nullptr : &known->second;
  }

private:
  static unsigned bits_of(const llvm::Value& value) {
    return value.getType()->isPointerTy() ? 64 : value.getType()->getIntegerBitWidth();
  }

  /// The low bits of the number that the value has.
  static llvm::APInt number_of(const llvm::Value& value, std::uint64_t number) {
    return llvm::APInt(64, number).trunc(bits_of(value));
  }

  const llvm::BasicBlock* run(const llvm::BasicBlock& block, const llvm::BasicBlock* from) {
    const unsigned iteration = iterations_[&block]++;
    llvm::SmallVector<std::pair<const llvm::PHINode*, llvm::APInt>, 8> merged;
    for (const llvm::PHINode& phi : block.phis())
      merged.emplace_back(&phi, of(*phi.getIncomingValueForBlock(from)));
    for (const auto& [phi, value] : merged)
      note(*phi, iteration, value);
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
        return branch->getSuccessor(branch->isConditional() && of(*branch->getCondition()).isZero());
      if (instruction.isTerminator()) return nullptr;
      if (!instruction.getType()->isVoidTy()) note(instruction, iteration, compute(instruction));
    }
    return nullptr;
  }

  void note(const llvm::Instruction& instruction, unsigned iteration, const llvm::APInt& value) {
    now_[&instruction] = value;
    trace_[{&instruction, iteration}] = value;
  }

  llvm::APInt compute(const llvm::Instruction& instruction) const {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return of_call(*call);
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      return of_address(*address);
    const llvm::APInt a = of(*instruction.getOperand(0));
    if (llvm::isa<llvm::FreezeInst>(instruction)) return a;
    if (llvm::isa<llvm::SelectInst>(instruction)) return of(*instruction.getOperand(a.isZero() ? 2 : 1));
    if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
      return part->getIndices()[0] == 0 ? a.trunc(a.getBitWidth() - 1) : a.lshr(a.getBitWidth() - 1).trunc(1);
    if (llvm::isa<llvm::CastInst>(instruction))
      return llvm::isa<llvm::SExtInst>(instruction) ? a.sext(bits_of(instruction))
                                                    : a.zextOrTrunc(bits_of(instruction));
    const llvm::APInt b = of(*instruction.getOperand(1));
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      return {1, llvm::ICmpInst::compare(a, b, comparison->getPredicate())};
    return of_binary(instruction.getOpcode(), a, b);
  }

  static llvm::APInt of_binary(unsigned opcode, const llvm::APInt& a, const llvm::APInt& b) {
    switch (opcode) {
    case llvm::Instruction::Add:
      return a + b;
    case llvm::Instruction::Sub:
      return a - b;
    case llvm::Instruction::Mul:
      return a * b;
    case llvm::Instruction::And:
      return a & b;
    case llvm::Instruction::Or:
      return a | b;
    case llvm::Instruction::Xor:
      return a ^ b;
    case llvm::Instruction::Shl:
      return a.shl(b);
    case llvm::Instruction::LShr:
      return a.lshr(b);
    case llvm::Instruction::AShr:
      return a.ashr(b);
    case llvm::Instruction::UDiv:
      return a.udiv(b);
    case llvm::Instruction::URem:
      return a.urem(b);
    default:
      FAIL("an operation that the evaluation does not know");
      return a;
    }
  }

  /// By LLVM's own view of addresses.
  llvm::APInt of_address(const llvm::GetElementPtrInst& address) const {
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> factors;
    llvm::APInt result(64, 0);
    if (!address.collectOffset(address.getDataLayout(), 64, factors, result))
      FAIL("an address of unknown layout");
    for (const auto& [index, factor] : factors)
      result += of(*index).sextOrTrunc(64) * factor;
    return result + of(*address.getPointerOperand());
  }

  llvm::APInt of_call(const llvm::CallBase& call) const {
    if (const auto query = called_intrinsic(call))
      return number_of(call, group_.answer(*query, dimension_of(call), local_));
    const llvm::APInt a = of(*call.getArgOperand(0)), b = of(*call.getArgOperand(1));
    bool overflows = false;
    const auto checked = [&](const llvm::APInt& value) {
      const unsigned bits = value.getBitWidth();
      return value.zext(bits + 1) | llvm::APInt(bits + 1, overflows).shl(bits);
    };
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::smin:
      return a.slt(b) ? a : b;
    case llvm::Intrinsic::smax:
      return a.slt(b) ? b : a;
    case llvm::Intrinsic::umin:
      return a.ult(b) ? a : b;
    case llvm::Intrinsic::umax:
      return a.ult(b) ? b : a;
    case llvm::Intrinsic::sadd_with_overflow:
      return checked(a.sadd_ov(b, overflows));
    case llvm::Intrinsic::smul_with_overflow:
      return checked(a.smul_ov(b, overflows));
    default:
      FAIL("a call that the evaluation does not know");
      return a;
    }
  }

  const EvaluatedGroup& group_;
  LocalId local_;
  std::map<const llvm::BasicBlock*, unsigned> iterations_;
  std::map<const llvm::Value*, llvm::APInt> now_;
  Trace trace_;
};

} // namespace hostcl::compiler
