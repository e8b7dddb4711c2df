#pragma once

// Reads the fields of abi::Launch in an entry function.

#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/IRBuilder.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace hostcl::compiler {

/// Writes the loads of the fields of abi::Launch into one block of the entry function. Each field is loaded once.
class LaunchReader {
public:
  LaunchReader(llvm::Function& entry, llvm::BasicBlock& block)
      : launch_(entry.getArg(launch)), block_(block) {}

  /// The launch's answer to a query that does not depend on the group. Sizes, offsets and counts are of one dimension.
  llvm::Value* answer(Intrinsic query, unsigned dimension = 0);
  /// A member of an argument's abi::CheckedObject.
  llvm::Value* object(std::size_t offset, llvm::Value* argument, llvm::Instruction& before);

private:
  llvm::Value* field(std::size_t offset, llvm::Type* type, const char* name, std::uint64_t limit = 0);

  llvm::Value* launch_;
  llvm::BasicBlock& block_;
  std::map<std::size_t, llvm::LoadInst*> fields_;
};

} // namespace hostcl::compiler
