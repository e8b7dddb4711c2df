#pragma once

// Kernels of random index arithmetic with a guard and a loop. Constants lie close to where numbers of their types
// wrap more often than chance would have it.

#include "compiler/ir/intrinsics.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/NoFolder.h"

#include <array>
#include <cstdint>
#include <map>
#include <random>

namespace hostcl::compiler {

class RandomKernel {
public:
  explicit RandomKernel(std::uint64_t seed)
      : random_(seed), build_(&function_.getEntryBlock(), function_.getEntryBlock().begin()) {
    write();
  }
  llvm::Function& function() { return function_; }

private:
  using Known = std::map<llvm::Type*, llvm::SmallVector<llvm::Value*, 32>>;

  void write() {
    write_ids();
    write_some(20);
    llvm::BasicBlock *entry = build_.GetInsertBlock(), *guarded = block("guarded"), *join = block("join");
    build_.CreateCondBr(condition(), guarded, join);
    const Known before = known_;
    build_.SetInsertPoint(guarded);
    write_some(8);
    write_loop();
    write_some(4);
    llvm::Value* inside = any(*build_.getInt64Ty());
    llvm::BasicBlock* last = build_.GetInsertBlock();
    build_.CreateBr(join);
    known_ = before;
    build_.SetInsertPoint(join);
    llvm::PHINode* merged = build_.CreatePHI(build_.getInt64Ty(), 2);
    merged->addIncoming(inside, last);
    merged->addIncoming(any(*build_.getInt64Ty()), entry);
    note(merged);
    write_some(6);
    build_.CreateRetVoid();
    function_.back().moveAfter(last);
  }

  void write_ids() {
    for (llvm::Argument& argument : function_.args())
      note(&argument);
    for (std::uint32_t dimension : {0u, 1u, 2u, 0u}) {
      auto ask = [&](Intrinsic query) {
        return note(build_.CreateCall(declare_intrinsic(*text_.module, query), {build_.getInt32(dimension)}));
      };
      llvm::Value *group = ask(Intrinsic::group_id), *local = ask(Intrinsic::local_id),
                  *size = ask(below(2) ? Intrinsic::local_size : Intrinsic::enqueued_local_size),
                  *offset = ask(Intrinsic::global_offset), *all = ask(Intrinsic::global_size);
      llvm::Value* start = note(below(2) ? build_.CreateMul(group, size) : build_.CreateMul(size, group));
      llvm::Value* id = note(build_.CreateAdd(start, local));
      if (below(2)) id = note(build_.CreateAdd(offset, id));
      note(build_.CreateTrunc(id, build_.getInt32Ty()));
      if (below(4) == 0) note(build_.CreateAdd(id, all));
    }
  }

  void write_some(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      note(write_one());
  }

  /// A loop of one block that work-items may leave at different times.
  void write_loop() {
    llvm::BasicBlock *before = build_.GetInsertBlock(), *loop = block("loop"), *after = block("after");
    llvm::Type* type = any_type();
    llvm::Value *start = any(*type), *step = constant(*type),
                *most = build_.CreateAnd(any(*build_.getInt64Ty()), std::uint64_t{3});
    llvm::Value *base = any(*build_.getPtrTy(1)), *move = constant(*build_.getInt64Ty());
    build_.CreateBr(loop);
    build_.SetInsertPoint(loop);
    llvm::PHINode *iteration = build_.CreatePHI(build_.getInt64Ty(), 2), *counter = build_.CreatePHI(type, 2),
                  *pointer = build_.CreatePHI(build_.getPtrTy(1), 2);
    iteration->addIncoming(build_.getInt64(0), before);
    counter->addIncoming(start, before);
    pointer->addIncoming(base, before);
    for (llvm::PHINode* phi : {iteration, counter, pointer})
      note(phi);
    write_some(10);
    llvm::Value* next = build_.CreateAdd(iteration, build_.getInt64(1));
    iteration->addIncoming(next, loop);
    counter->addIncoming(build_.CreateAdd(counter, step), loop);
    pointer->addIncoming(build_.CreateGEP(build_.getInt32Ty(), pointer, move), loop);
    build_.CreateCondBr(build_.CreateICmpULE(next, most), loop, after);
    build_.SetInsertPoint(after);
  }

  llvm::Value* write_one() {
    llvm::IntegerType& type = *any_type();
    switch (below(10)) {
    case 0:
    case 1: {
      llvm::Value* wide = any(*any_type());
      return below(2) ? build_.CreateZExtOrTrunc(wide, &type) : build_.CreateSExtOrTrunc(wide, &type);
    }
    case 2:
    case 3:
      return write_address();
    case 4:
      return below(2) ? build_.CreatePtrToInt(any(*build_.getPtrTy(1)), build_.getInt64Ty())
                      : build_.CreateIntToPtr(any(*build_.getInt64Ty()), build_.getPtrTy(1));
    case 5:
      return below(2) ? build_.CreateFreeze(any(type))
                      : build_.CreateSelect(condition(), any(type), any(type));
    default:
      return write_binary(type);
    }
  }

  llvm::Value* write_binary(llvm::IntegerType& type) {
    llvm::Value *left = any(type), *right = below(2) ? any(type) : constant(type);
    const unsigned bits = type.getBitWidth();
    llvm::Value* amount = llvm::ConstantInt::get(&type, below(bits));
    switch (below(14)) {
    case 0:
    case 1:
    case 2:
      return build_.CreateAdd(left, right);
    case 3:
      return build_.CreateSub(left, right);
    case 4:
    case 5:
      return build_.CreateMul(left, right);
    case 6:
      return build_.CreateAnd(left, right);
    case 7:
      return build_.CreateOr(left, right);
    case 8:
      return build_.CreateXor(left, below(2) ? right : llvm::ConstantInt::getAllOnesValue(&type));
    case 9:
      return build_.CreateShl(left, amount);
    case 10:
      return below(2) ? build_.CreateLShr(left, amount) : build_.CreateAShr(left, amount);
    case 11: {
      llvm::Value* divisor = llvm::ConstantInt::get(&type, 1 + below(100));
      return below(2) ? build_.CreateUDiv(left, divisor) : build_.CreateURem(left, divisor);
    }
    case 12: { // without bits in common
      const unsigned count = below(bits);
      llvm::Value* low =
          build_.CreateAnd(right, llvm::ConstantInt::get(&type, (std::uint64_t{1} << count) - 1));
      return build_.CreateOr(build_.CreateShl(left, llvm::ConstantInt::get(&type, count)), low, "", true);
    }
    default: {
      constexpr llvm::Intrinsic::ID extremes[] = {llvm::Intrinsic::smin, llvm::Intrinsic::smax,
                                                  llvm::Intrinsic::umin, llvm::Intrinsic::umax};
      return build_.CreateBinaryIntrinsic(extremes[below(4)], left, right);
    }
    }
  }

  llvm::Value* write_address() {
    llvm::Type *i8 = build_.getInt8Ty(), *i16 = build_.getInt16Ty(), *i32 = build_.getInt32Ty();
    llvm::Type* row = llvm::ArrayType::get(i16, 4);
    llvm::Type* record = llvm::StructType::get(text_.context, {i32, row, build_.getInt64Ty()});
    llvm::Value *base = any(*build_.getPtrTy(1)), *index = any(*(below(4) ? build_.getInt64Ty() : i32));
    switch (below(4)) {
    case 0:
      return build_.CreateGEP(record, base,
                              {index, build_.getInt32(1), below(2) ? build_.getInt32(3) : any(*i32)});
    case 1:
      return build_.CreateGEP(row, base, {index, any(*build_.getInt64Ty())});
    case 2:
      return build_.CreateGEP(i8, base, index);
    default:
      return build_.CreateGEP(i32, base, index);
    }
  }

  llvm::Value* constant(llvm::Type& type) {
    const unsigned bits = type.getIntegerBitWidth();
    const llvm::APInt edge = llvm::APInt::getOneBitSet(bits, below(bits));
    const std::uint64_t few = below(17);
    switch (below(4)) {
    case 0:
      return llvm::ConstantInt::get(&type, edge - few % 3);
    case 1:
      return llvm::ConstantInt::get(&type, -edge + few % 3);
    default:
      return llvm::ConstantInt::get(&type, few - 3, true, true);
    }
  }

  llvm::Value* any(llvm::Type& type) {
    auto& values = known_[&type];
    if (values.empty()) return note(build_.CreateTrunc(any(*build_.getInt64Ty()), &type));
    // The latest are taken more often, so that expressions become deep.
    const auto count = static_cast<unsigned>(values.size());
    return below(2) ? values[count - 1 - below(std::min(count, 6u))] : values[below(count)];
  }

  llvm::Value* condition() {
    llvm::Type& type = *any_type();
    constexpr llvm::CmpInst::Predicate predicates[] = {llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_NE,
                                                       llvm::CmpInst::ICMP_ULT, llvm::CmpInst::ICMP_SGT};
    return build_.CreateICmp(predicates[below(4)], any(type), below(2) ? any(type) : constant(type));
  }

  llvm::IntegerType* any_type() {
    constexpr unsigned bits[] = {64, 64, 64, 32, 32, 32, 16, 8};
    return build_.getIntNTy(bits[below(8)]);
  }

  llvm::Value* note(llvm::Value* value) {
    if (!llvm::isa<llvm::Constant>(value)) known_[value->getType()].push_back(value);
    return value;
  }
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(text_.context, name, &function_);
  }
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

  ModuleText text_{
      "define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i32 %m) {\nentry:\n  unreachable\n}\n"};
  llvm::Function& function_ = start_of(text_);
  std::mt19937_64 random_;
  llvm::IRBuilder<llvm::NoFolder> build_;
  Known known_; ///< what may be used where code is written

  static llvm::Function& start_of(const ModuleText& text) {
    llvm::Function& kernel = text.function("k");
    kernel.getEntryBlock().getTerminator()->eraseFromParent();
    return kernel;
  }
};

} // namespace hostcl::compiler
