#include "compiler/front/clang/blocks.hpp"

#include "compiler/ir/metadata.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether clang passes an enqueued block to the function, as two arguments: the block's kernel and the block
/// literal.
bool takes_block(const Function& function) {
  const StringRef name = function.getName();
  return name.starts_with("__enqueue_kernel_") ||
         (name.starts_with("__get_kernel_") && name.ends_with("_impl"));
}

void mark_block_kernels(llvm::Module& module) {
  for (Function& taker : module) {
    if (!taker.isDeclaration() || !takes_block(taker)) continue;
    for (User* user : taker.users())
      if (auto* call = dyn_cast<CallBase>(user))
        for (Use& argument : call->args())
          if (auto* kernel = dyn_cast<Function>(argument->stripPointerCasts())) {
            kernel->addFnAttr(metadata::block_kernel, "true");
            kernel->setLinkage(GlobalValue::InternalLinkage);
          }
  }
}

/// Replaces all addresses of blocks' functions by null, except in calls of these functions. Only block
/// literals have these addresses, and nothing reads them there, because clang calls blocks directly.
void drop_invoke_pointers(llvm::Module& module) {
  for (Function& function : module)
    if (function.getName().contains("_block_invoke") && !function.hasFnAttribute(metadata::block_kernel))
      function.replaceUsesWithIf(ConstantPointerNull::get(function.getType()), [&](Use& use) {
        const auto* call = dyn_cast<CallBase>(use.getUser());
        return !call || !call->isCallee(&use);
      });
}

void drop_literals(llvm::Module& module) {
  for (GlobalVariable& variable : make_early_inc_range(module.globals()))
    if (variable.getName().starts_with("__block_literal_global") && variable.hasLocalLinkage()) {
      variable.replaceAllUsesWith(ConstantPointerNull::get(variable.getType()));
      variable.eraseFromParent();
    }
}

} // namespace

void prepare_blocks(llvm::Module& module) {
  mark_block_kernels(module);
  drop_invoke_pointers(module);
  drop_literals(module);
}

} // namespace hostcl::compiler
