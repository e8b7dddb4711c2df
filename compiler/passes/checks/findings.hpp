#pragma once

// Functions that write reports of findings into kernels.
//
//   before:  %x = load float, ptr addrspace(1) %p
//
//   after:   br i1 %right, label %access, label %report
//          access:
//            %x.now = load float, ptr addrspace(1) %p
//            br label %next
//          report:
//            call void @__hostcl_report(i64 %what, i64 local ids x 3, i64 group ids x 3, ptr @site)
//            br label %next
//          next:
//            %x = phi float [ %x.now, %access ], [ 0.0, %report ]

#include "compiler/abi/check.hpp"
#include "compiler/settings/checks.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The properties of a finding that are known at compile time (abi::CheckSite).
struct SiteProperties {
  Check check = Check::bounds;
  const llvm::Value* root = nullptr; ///< the accessed parameter or variable; null if unknown
  std::uint64_t bytes = 0;
  abi::Access access = abi::Access::read;
  bool tells_position = true;
  llvm::StringRef sentence = {};   ///< see abi::CheckSite
  bool must_be_uniform = false;    ///< see abi::CheckSite
  llvm::Constant* other = nullptr; ///< the site of another instruction that belongs to the finding
};

/// The value's name in the source. clang prefixes the function's name to a local variable, and LLVM appends numbers;
/// both are removed.
llvm::StringRef written_name(const llvm::Value& value);

/// Creates the constant abi::CheckSite for an instruction.
llvm::Constant* site_of(const llvm::Instruction& instruction, const SiteProperties& properties);

/// The same for a finding that the sentence describes.
llvm::Constant* site_of(const llvm::Instruction& instruction, Check check, const llvm::Twine& sentence,
                        bool must_be_uniform = false);

/// All instructions of the module's functions, as a list that stays valid while code is inserted.
llvm::SmallVector<llvm::Instruction*, 0> instructions_in(llvm::Module& module);
/// Calls `check`, which inserts code, with all instructions of a module that has a kernel.
llvm::PreservedAnalyses check_instructions(llvm::Module& module,
                                           llvm::function_ref<void(llvm::Instruction&)> check);

/// Writes the queries of the work-item's local and group ids, three i64 each.
llvm::SmallVector<llvm::Value*, 8> work_item_ids(llvm::IRBuilder<>& builder);

/// Writes the bitwise or of all lanes of a vector.
llvm::Value* or_of_lanes(llvm::IRBuilder<>& builder, llvm::Value* value);

/// Writes a call of the host callback that reports a finding.
void report(llvm::IRBuilder<>& builder, llvm::Value* what, llvm::Constant* site);
/// Whether the user is a call that reports a finding.
bool is_report(const llvm::User& user);

/// Whether the branch was written by a check: one successor reports a finding.
bool leads_to_report(const llvm::BranchInst& branch);

/// Writes code before the instruction that reports a finding if `wrong`.
void report_if(llvm::Value* wrong, llvm::Instruction& instruction, llvm::Constant* site);

/// Guards the instruction: it is performed only if `right`; otherwise a finding is reported, and the result is zero.
/// @param what writes the value that the finding reports, i64
/// @returns the phi of the instruction's result (incoming value 0) and of zero (incoming value 1); null if the
/// instruction has no result
llvm::PHINode* perform_if(llvm::Value* right, llvm::Instruction& instruction,
                          llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> what, llvm::Constant* site);

} // namespace hostcl::compiler
