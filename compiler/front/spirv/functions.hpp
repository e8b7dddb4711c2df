#pragma once

// Declarations of a module's functions.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// What the Linkage decoration of a function or variable says.
struct Linkage {
  std::string_view name; ///< empty: the id has none, it is known in its module only
  spv::LinkageType type = spv::LinkageTypeMax;

  bool is_import() const { return type == spv::LinkageTypeImport; }
};
Linkage linkage_of(Reader& reader, Id id);
llvm::GlobalValue::LinkageTypes ir_linkage(const Linkage& linkage);

/// The name that a function or variable without linkage has in IR; it meets none of the library's.
std::string internal_name(Reader& reader, Id id);

llvm::Function& declare_function(Reader& reader, Id id, const Type& type);

/// Whether modules may import that intrinsic of LLVM: any use of it is as good as an instruction, because it computes
/// from its operands alone, copies memory or traps.
bool is_importable(const llvm::Function& declaration);

/// The type as intrinsics have it, whose structures have no names.
llvm::FunctionType* intrinsic_type(llvm::FunctionType* type);

/// A structure of these members.
llvm::Value* together(Reader& reader, const Type& structure, llvm::ArrayRef<llvm::Value*> members);

/// The value of a call of an intrinsic for which LLVM would call the C library; null for all others.
llvm::Value* call_mathematics(Reader& reader, const llvm::Function& intrinsic, const Type& type,
                              llvm::ArrayRef<TypedValue> arguments);

/// Has a function trap where it comes to OpUnreachable: producers drop the trap in front of it, which SPIR-V has no
/// instruction for. Where no case of an OpSwitch applies, it stays what it is, a statement about the selector.
void trap_where_unreachable(llvm::Function& function);

} // namespace hostcl::compiler::spirv
