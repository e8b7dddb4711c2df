#pragma once

// What checks write into kernels: places of findings, and reports of them.
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
#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// What is known of a finding before the kernel runs.
struct SiteFacts {
  Check check = Check::bounds;
  const llvm::Value* root = nullptr; ///< of the place that is accessed, if there is one
  std::uint64_t bytes = 0;
  abi::Access access = abi::Access::read;
  bool tells_position = true;
  llvm::StringRef sentence = {};          ///< as abi::CheckSite has it
  bool has_to_agree = false;              ///< likewise
  const llvm::Function* kernel = nullptr; ///< that of the instruction's function unless it is given
  llvm::Constant* other = nullptr;        ///< another place that belongs to the finding
};

/// The name that the programmer gave: clang puts the function in front of a local variable's name, and LLVM appends
/// numbers.
llvm::StringRef written_name(const llvm::Value& value);

/// The constant abi::CheckSite for what an instruction does.
llvm::Constant* site_of(const llvm::Instruction& instruction, const SiteFacts& facts);

/// The kernel that a module is compiled for, before the library is linked; null if there is none.
llvm::Function* kernel_in(llvm::Module& module);
/// The instructions of the functions that a module defines, as they are now.
llvm::SmallVector<llvm::Instruction*, 0> instructions_in(llvm::Module& module);

/// Writes what asks for the work-item's local and group id, three i64 each.
llvm::SmallVector<llvm::Value*, 8> work_item_ids(llvm::IRBuilder<>& builder);

/// Writes a call of the service that reports a finding.
void report(llvm::IRBuilder<>& builder, llvm::Value* what, llvm::Constant* site);
/// Whether a value's user is such a call.
bool is_report(const llvm::User& user);

/// Whether the branch is one of a check, to its report.
bool leads_to_report(const llvm::BranchInst& branch);

/// Reports a finding in front of the instruction if `wrong`.
void report_if(llvm::Value* wrong, llvm::Instruction& instruction, llvm::Constant* site);

/// Performs the instruction only if `right`, and reports a finding otherwise; it is zero then.
/// @param what of the finding, i64
void perform_if(llvm::Value* right, llvm::Instruction& instruction,
                llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&)> what, llvm::Constant* site);

} // namespace hostcl::compiler
