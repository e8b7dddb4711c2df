// Signatures of kernels: kinds and places of arguments, attributes, and what the functions that they call need.

#include "compiler/signature.hpp"

#include "compiler/tests/module_text.hpp"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

const char* const text = R"(
%S = type { i64, i8 }
@tile = internal addrspace(3) global [10 x i32] undef, align 4
@byte = internal addrspace(3) global i8 undef, align 1
@wide = internal addrspace(3) global double undef, align 8
@others = internal addrspace(3) global [1000 x i32] undef, align 4

define spir_kernel void @arguments(i8 %c, ptr addrspace(1) %g, ptr addrspace(2) %k, ptr addrspace(3) align 16 %l,
    ptr addrspace(3) %unknown, ptr byval(%S) align 8 %s, <3 x float> %v, target("spirv.Sampler") %sampler)
    !kernel_arg_name !0 !kernel_arg_type !1 !kernel_arg_base_type !1 !kernel_arg_addr_space !2
    !kernel_arg_type_qual !3 !kernel_arg_access_qual !4 {
  ret void
}
define spir_kernel void @calls() !reqd_work_group_size !10 !work_group_size_hint !11 !vec_type_hint !12 !intel_reqd_sub_group_size !13 {
  %own = alloca [5 x i32]
  store i8 1, ptr addrspace(3) @byte
  call spir_func void @helper(i32 3)
  ret void
}
define spir_func void @helper(i32 %n) {
  %more = alloca i64
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 4)
  store double 1.0, ptr addrspace(3) @wide
  %again = icmp eq i32 %n, 0
  br i1 %again, label %call, label %end
call:
  call spir_func void @helper(i32 1)
  br label %end
end:
  ret void
}
define spir_kernel void @other() {
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @others, i32 8)
  ret void
}
define spir_kernel void @_GLOBAL__sub_I_k() { ret void }
declare spir_kernel void @declared()

!0 = !{!"c", !"g", !"k", !"l", !"unknown", !"s", !"v", !"sampler"}
!1 = !{!"char", !"int*", !"int*", !"int*", !"int*", !"struct S", !"float3", !"sampler_t"}
!2 = !{i32 0, i32 1, i32 2, i32 3, i32 3, i32 0, i32 0, i32 0}
!3 = !{!"", !"restrict const volatile", !"", !"", !"", !"", !"", !""}
!4 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!10 = !{i32 8, i32 4, i32 2}
!11 = !{i32 16, i32 1, i32 1}
!12 = !{<4 x i16> undef, i32 0}
!13 = !{i32 8}
)";

struct Case {
  const char* name;
  ArgumentKind kind;
  std::uint32_t offset, size, alignment;
};

constexpr Case expected[] = {
    {"c", ArgumentKind::value, 0, 1, 1},
    {"g", ArgumentKind::global_pointer, 8, 8, 8},
    {"k", ArgumentKind::constant_pointer, 16, 8, 8},
    {"l", ArgumentKind::local_pointer, 24, 8, 16},
    {"unknown", ArgumentKind::local_pointer, 32, 8, 128}, // of the largest built-in type
    {"s", ArgumentKind::value, 40, 16, 8},
    {"v", ArgumentKind::value, 64, 16, 16},
    {"sampler", ArgumentKind::sampler, 80, 8, 8},
};

} // namespace

TEST_CASE("Signature: arguments have their kinds and places", "[signature]") {
  const ModuleText module(text);
  const KernelSignature signature = read_signature(module.function("arguments"));
  REQUIRE(signature.arguments.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const KernelArgument& argument = signature.arguments[i];
    CAPTURE(expected[i].name);
    CHECK(argument.name == expected[i].name);
    CHECK(argument.kind == expected[i].kind);
    CHECK(argument.offset == expected[i].offset);
    CHECK(argument.size == expected[i].size);
    CHECK(argument.alignment == expected[i].alignment);
  }
  CHECK(signature.argument_bytes == 88);
  CHECK(signature.arguments[1].type_qualifier == 7);
  CHECK(signature.arguments[2].type_qualifier == 1); // constant memory is const
  CHECK(signature.arguments[1].address_qualifier == 0x119B);
  CHECK(signature.arguments[5].type_name == "struct S");
  CHECK_FALSE(signature.has_argument_info);
}

TEST_CASE(
    "Signature: local and private memory of called functions count, once each, and none of other kernels",
    "[signature]") {
  const ModuleText module(text);
  const KernelSignature calls = read_signature(module.function("calls"));
  CHECK(calls.static_local_bytes == 56); // 40, 1, and a double at the next multiple of 8
  CHECK(calls.private_bytes == 28);
  CHECK(calls.instructions == 12);
  CHECK(read_signature(module.function("other")).static_local_bytes == 4000);
  CHECK(read_signature(module.function("arguments")).static_local_bytes == 0);
}

TEST_CASE("Signature: the time is linear in constant expressions that share operands", "[signature]") {
  const ModuleText module(text);
  const Function& calls = module.function("calls");
  // "calls" uses neither the variable nor the expressions, so that all uses are looked at.
  Type* const type = Type::getInt64Ty(calls.getContext());
  auto* const variable = const_cast<GlobalVariable*>(calls.getParent()->getNamedGlobal("others"));
  Constant* last = ConstantExpr::getPtrToInt(variable, type);
  for (int i = 1; i <= 60; ++i)
    last = ConstantExpr::getSub(ConstantExpr::getXor(last, ConstantInt::get(type, i)), last);
  CHECK(read_signature(calls).static_local_bytes == 56);
}

TEST_CASE("Signature: attributes are spelt as in the program", "[signature]") {
  const ModuleText module(text);
  const KernelSignature calls = read_signature(module.function("calls"));
  CHECK(calls.required_local_size == std::array<std::uint64_t, 3>{8, 4, 2});
  CHECK(calls.required_sub_group_size == 8);
  CHECK(calls.attributes == "reqd_work_group_size(8,4,2) work_group_size_hint(16,1,1) vec_type_hint(ushort4) "
                            "intel_reqd_sub_group_size(8)");
  CHECK(read_signature(module.function("other")).attributes.empty());
}

TEST_CASE("Signature: constructors and declarations are no kernels of the application", "[signature]") {
  const ModuleText module(text);
  CHECK(is_api_kernel(module.function("calls")));
  for (const char* name : {"helper", "_GLOBAL__sub_I_k", "declared"})
    CHECK_FALSE(is_api_kernel(module.function(name)));
}

TEST_CASE("Signature: kernels of blocks are none of the application, and who enqueues is known",
          "[signature]") {
  const ModuleText module(R"(
declare spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue"), i32, ptr, ptr addrspace(4), ptr addrspace(4))
declare spir_func target("spirv.Queue") @_Z17get_default_queuev()
define spir_kernel void @k() {
  call void @helper()
  ret void
}
define void @helper() {
  %q = call spir_func target("spirv.Queue") @_Z17get_default_queuev()
  %r = call spir_func i32 @__enqueue_kernel_basic(target("spirv.Queue") %q, i32 0, ptr null,
      ptr addrspace(4) addrspacecast (ptr @block to ptr addrspace(4)), ptr addrspace(4) null)
  ret void
}
define internal spir_kernel void @block(ptr addrspace(4) %literal, ptr addrspace(3) %l) "hostcl.block_kernel"="true" {
  ret void
})");
  CHECK(is_api_kernel(module.function("k")));
  CHECK(read_signature(module.function("k")).enqueues);
  llvm::Function& block = module.function("block");
  CHECK_FALSE(is_api_kernel(block));
  CHECK(is_block_kernel(block));
  const KernelSignature signature = read_signature(block);
  CHECK_FALSE(signature.enqueues);
  CHECK_FALSE(signature.names_enqueue_errors);
  CHECK(signature.arguments.at(1).kind == ArgumentKind::local_pointer);
}

TEST_CASE("Signature: flags of the module are properties of its kernels", "[signature]") {
  const ModuleText module(std::string(text) + R"(
!llvm.module.flags = !{!20, !21, !22}
!20 = !{i32 7, !"hostcl.argument_info", i32 1}
!21 = !{i32 7, !"hostcl.uniform_groups", i32 1}
!22 = !{i32 7, !"hostcl.enqueue_errors", i32 1}
)");
  const KernelSignature signature = read_signature(module.function("other"));
  CHECK(signature.has_argument_info);
  CHECK(signature.uniform_groups);
  CHECK(signature.names_enqueue_errors);
}
