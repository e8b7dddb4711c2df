#pragma once

// Small modules from text, for tests of analyses.

#include "support/catch.hpp"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace hostcl::compiler {

/// Queries of work-items and a barrier, as docs/kernel-ir.md has them.
constexpr const char* declarations = R"(
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
declare i64 @__hostcl_local_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_group_id(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_enqueued_local_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_size(i32) nounwind willreturn speculatable memory(none)
declare i64 @__hostcl_global_offset(i32) nounwind willreturn speculatable memory(none)
declare i32 @__hostcl_sub_group_lane() nounwind willreturn speculatable memory(none)
declare void @__hostcl_barrier(i32) convergent nounwind
)";

/// A module and its context; the declarations above come before the text.
struct ModuleText {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  explicit ModuleText(const std::string& text) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(declarations + text, error, context);
    INFO(error.getMessage().str() << ": " << error.getLineContents().str());
    REQUIRE(module);
  }

  llvm::Function& function(const char* name) const {
    llvm::Function* found = module->getFunction(name);
    REQUIRE(found);
    return *found;
  }
};

/// The argument, block or instruction that has the name.
inline llvm::Value& value_named(llvm::Function& function, llvm::StringRef name) {
  llvm::Value* found = function.getValueSymbolTable()->lookup(name);
  INFO("no value is named " << name.str());
  REQUIRE(found);
  return *found;
}

inline llvm::Instruction& instruction_named(llvm::Function& function, llvm::StringRef name) {
  return llvm::cast<llvm::Instruction>(value_named(function, name));
}

inline llvm::BasicBlock& block_named(llvm::Function& function, llvm::StringRef name) {
  return llvm::cast<llvm::BasicBlock>(value_named(function, name));
}

} // namespace hostcl::compiler
