#pragma once

// The lanes' values of one variable in a stack array. It is used where a lane number is known only at run time, because
// CPUs cannot extract a vector element by a variable number quickly, and to pass the values to functions.

#include "compiler/passes/2_vector/emission.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

class LaneArray {
public:
  LaneArray(Emission& e, llvm::Type* type) : e_(e), type_(type) {
    llvm::BasicBlock& entry = e.target.getEntryBlock();
    memory_ = new llvm::AllocaInst(e.wide(type), e.layout.getAllocaAddrSpace(), "lanes", entry.begin());
  }
  void set_all(llvm::Value* values) { e_.build.CreateStore(values, memory_); }
  llvm::Value* address() const { return memory_; }
  llvm::Value* all() { return e_.build.CreateLoad(memory_->getAllocatedType(), memory_); }
  void set(llvm::Value* lane, llvm::Value* value) { e_.build.CreateStore(value, place(lane)); }
  llvm::Value* get(llvm::Value* lane) { return e_.build.CreateLoad(type_, place(lane)); }

private:
  llvm::Value* place(llvm::Value* lane) { return e_.build.CreateInBoundsGEP(type_, memory_, lane); }

  Emission& e_;
  llvm::Type* type_;
  llvm::AllocaInst* memory_;
};

} // namespace hostcl::compiler
