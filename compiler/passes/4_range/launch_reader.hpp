#pragma once

// Reads the fields of abi::Launch in an entry function.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/passes/passes.hpp"

#include "llvm/IR/IRBuilder.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace hostcl::compiler {

/// Writes the loads of the fields of abi::Launch into one block of the entry function. Each field is loaded once.
class LaunchReader {
public:
  LaunchReader(llvm::Function& entry, llvm::BasicBlock& block)
      : launch_(entry.getArg(launch)), block_(block), builder_(&block) {}

  llvm::Value* sizes(std::size_t offset, unsigned dimension, const char* name, std::uint64_t limit = 0) {
    return field(offset + dimension * sizeof(std::uint64_t), builder_.getInt64Ty(), name, limit);
  }
  llvm::Value* global_size(unsigned d) {
    return sizes(offsetof(abi::Launch, range.global_size), d, "global_size");
  }
  llvm::Value* local_size(unsigned d) {
    return sizes(offsetof(abi::Launch, range.local_size), d, "enqueued_size", abi::max_group_items + 1);
  }
  llvm::Value* global_offset(unsigned d) {
    return sizes(offsetof(abi::Launch, range.global_offset), d, "global_offset");
  }
  llvm::Value* group_count(unsigned d) {
    return sizes(offsetof(abi::Launch, range.group_count), d, "group_count");
  }
  llvm::Value* work_dim() {
    return field(offsetof(abi::Launch, range.work_dim), builder_.getInt32Ty(), "work_dim", 4);
  }
  /// A member of an argument's abi::CheckedObject.
  llvm::Value* object(std::size_t offset, llvm::Value* argument, llvm::Instruction& before) {
    llvm::Value* objects = field(offsetof(abi::Launch, objects), builder_.getPtrTy(), "objects", 0);
    llvm::IRBuilder<> builder(&before);
    llvm::Value* place = builder.CreateMul(builder.CreateZExt(argument, builder.getInt64Ty()),
                                           builder.getInt64(sizeof(abi::CheckedObject)));
    place = builder.CreatePtrAdd(objects, builder.CreateAdd(place, builder.getInt64(offset)));
    llvm::LoadInst* load = builder.CreateLoad(builder.getInt64Ty(), place);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
    return load;
  }
  llvm::Value* default_queue() {
    return field(offsetof(abi::Launch, default_queue), builder_.getInt64Ty(), "default_queue", 0);
  }

private:
  llvm::Value* field(std::size_t offset, llvm::Type* type, const char* name, std::uint64_t limit);

  llvm::Value* launch_;
  llvm::BasicBlock& block_;
  llvm::IRBuilder<> builder_;
  std::map<std::size_t, llvm::LoadInst*> fields_;
};

} // namespace hostcl::compiler
