// Kernels of blocks and block literals, as clang leaves them.

#include "compiler/front/clang/blocks.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/tests/module_text.hpp"

namespace hostcl::compiler {

TEST_CASE("Blocks: their kernels are internal and marked, and literals have no addresses of functions",
          "[blocks]") {
  const ModuleText module(R"(
@__block_literal_global = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8,
    ptr addrspace(4) addrspacecast (ptr @__f_block_invoke_2 to ptr addrspace(4)) }
declare i32 @__enqueue_kernel_basic(target("spirv.Queue"), i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare i32 @__get_kernel_work_group_size_impl(ptr addrspace(4), ptr addrspace(4))
define void @f(target("spirv.Queue") %q, ptr %n, ptr %literal) {
  store ptr addrspace(4) addrspacecast (ptr @__f_block_invoke to ptr addrspace(4)), ptr %literal
  %l = addrspacecast ptr %literal to ptr addrspace(4)
  %r = call i32 @__enqueue_kernel_basic(target("spirv.Queue") %q, i32 0, ptr %n,
      ptr addrspace(4) addrspacecast (ptr @__f_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) %l)
  %s = call i32 @__get_kernel_work_group_size_impl(
      ptr addrspace(4) addrspacecast (ptr @__f_block_invoke_2_kernel to ptr addrspace(4)),
      ptr addrspace(4) addrspacecast (ptr addrspace(1) @__block_literal_global to ptr addrspace(4)))
  call void @__f_block_invoke(ptr addrspace(4) %l)
  ret void
}
define internal void @__f_block_invoke(ptr addrspace(4) %literal) {
  ret void
}
define internal void @__f_block_invoke_2(ptr addrspace(4) %literal) {
  ret void
}
define spir_kernel void @__f_block_invoke_kernel(ptr addrspace(4) %literal) {
  call void @__f_block_invoke(ptr addrspace(4) %literal)
  ret void
}
define spir_kernel void @__f_block_invoke_2_kernel(ptr addrspace(4) %literal) {
  call void @__f_block_invoke_2(ptr addrspace(4) %literal)
  ret void
}
define spir_kernel void @other() {
  ret void
}
)");
  prepare_blocks(*module.module);
  for (const char* name : {"__f_block_invoke_kernel", "__f_block_invoke_2_kernel"}) {
    CHECK(module.function(name).hasFnAttribute(metadata::block_kernel));
    CHECK(module.function(name).hasInternalLinkage());
  }
  CHECK_FALSE(module.function("other").hasFnAttribute(metadata::block_kernel));
  CHECK(module.function("other").hasExternalLinkage());
  CHECK(module.module->global_empty());
  // Calls stay, and nothing else.
  for (const char* name : {"__f_block_invoke", "__f_block_invoke_2"})
    for (const llvm::User* user : module.function(name).users())
      CHECK(llvm::isa<llvm::CallInst>(user));
  CHECK(module.function("__f_block_invoke").getNumUses() == 2);
  CHECK(module.function("__f_block_invoke_2").getNumUses() == 1);
}

} // namespace hostcl::compiler
