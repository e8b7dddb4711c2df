#pragma once

// A kernel of random blocks: what front ends write, and what they may write. Blocks that nothing reaches, loops of one
// block without an end, switches without cases, several edges between two blocks, loops with two entries.

#include "instructions.hpp"

#include <memory>

namespace random_ir {

class RandomKernel {
public:
  RandomKernel(llvm::LLVMContext& context, std::uint64_t seed);

  llvm::Function& kernel() { return *kernel_; }
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

private:
  void write_entry();
  void write_phis();
  void write_block(llvm::BasicBlock& block);
  void write_end(llvm::BasicBlock& block, unsigned number);
  llvm::BasicBlock* next_of(unsigned number);
  void fill_phis(llvm::BasicBlock& block);

  std::unique_ptr<llvm::Module> module_;
  Random random_;
  Instructions write_;
  llvm::Function* kernel_ = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_; ///< all but the entry
  std::map<llvm::BasicBlock*, Instructions::Known> known_at_end_;
};

} // namespace random_ir
