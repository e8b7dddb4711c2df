#pragma once

// Declares the functions of a module.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

/// The Linkage decoration of a function or variable.
struct Linkage {
  std::string_view name; ///< empty if there is no decoration, so that the id is local to its module
  spv::LinkageType type = spv::LinkageTypeMax;

  bool is_import() const { return type == spv::LinkageTypeImport; }
};
Linkage linkage_of(Reader& reader, Id id);
llvm::GlobalValue::LinkageTypes ir_linkage(const Linkage& linkage);

/// Refuses a name that is reserved for the compiler: a name that begins with `__hostcl_`, and a name that
/// begins with `llvm.` unless `may_be_llvm` is true.
void check_name(llvm::StringRef name, bool may_be_llvm);

/// The name in IR of a function or variable without linkage. It is different from all names of the built-in
/// library.
std::string internal_name(Reader& reader, Id id);

llvm::Function& declare_function(Reader& reader, Id id, const Type& type);

/// Reads the arguments of a call of a function of this type. Refuses arguments that do not have the
/// parameters' types, and another result type than the function's.
llvm::SmallVector<llvm::Value*, 8> read_arguments(Reader& reader, const Type& function, const Type& result,
                                                  Operands& in);

/// Whether a module may import this intrinsic of LLVM: each use must be as safe as an instruction. The
/// intrinsic must compute its result from its operands, copy or fill memory, or trap.
bool is_importable(const llvm::Function& declaration);

/// The function type with unnamed structures, as the types of intrinsics have them.
llvm::FunctionType* intrinsic_type(llvm::FunctionType* type);

/// Replaces a call of an intrinsic for which LLVM's code generator would call the C library, or for which its
/// code is wrong or missing on some CPUs. Returns the result; null for all other intrinsics, which are called
/// as they are.
/// @param function type of the function
llvm::Value* call_mathematics(Reader& reader, const llvm::Function& intrinsic, const Type& function,
                              llvm::ArrayRef<llvm::Value*> values);

/// Makes a function trap where it reaches OpUnreachable: SPIR-V has no trap instruction, so producers lose
/// the trap that was there. The default case of an OpSwitch stays unreachable, because it only says something
/// about the selector.
void trap_where_unreachable(llvm::Function& function);

} // namespace hostcl::compiler::spirv
