// make_unsupported_finder(), which compiler/front/clang/visitors.hpp declares.

#include "compiler/front/clang/visitors.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Builtins.h"

#include <set>

namespace hostcl::compiler {

using namespace clang;

namespace {

/// Builtins that become instructions on all hosts, without the prefix `__builtin_`. Those for floats also
/// exist with the suffixes f and f16.
constexpr llvm::StringLiteral supported[] = {
    // Integers
    "abs", "labs", "llabs", "align_up", "align_down", "is_aligned", "nondeterministic_value",
    // Facts for the compiler
    "assume", "assume_aligned", "assume_dereferenceable", "assume_separate_storage", "addressof",
    "classify_type", "constant_p", "dynamic_object_size", "expect", "expect_with_probability",
    "is_constant_evaluated", "launder", "object_size", "prefetch", "unpredictable", "unreachable",
    // The end of the launch
    "trap", "verbose_trap", "debugtrap",
    // Memory
    "bcopy", "bzero", "load_half", "load_halff", "memcpy", "memcpy_inline", "memmove", "memset",
    "memset_inline", "nontemporal_load", "nontemporal_store", "store_half", "store_halff",
    // Floats
    "complex", "flt_rounds", "fpclassify", "isfinite", "isfpclass", "isgreater", "isgreaterequal", "isinf",
    "isinf_sign", "isless", "islessequal", "islessgreater", "isnan", "isnormal", "issignaling", "issubnormal",
    "isunordered", "iszero", "signbit",
    // Vectors
    "elementwise_abs", "elementwise_add_sat", "elementwise_bitreverse", "elementwise_canonicalize",
    "elementwise_ceil", "elementwise_clzg", "elementwise_copysign", "elementwise_ctzg", "elementwise_floor",
    "elementwise_fma", "elementwise_fshl", "elementwise_fshr", "elementwise_max", "elementwise_maximum",
    "elementwise_maximumnum", "elementwise_maxnum", "elementwise_min", "elementwise_minimum",
    "elementwise_minimumnum", "elementwise_minnum", "elementwise_popcount", "elementwise_rint",
    "elementwise_round", "elementwise_roundeven", "elementwise_sqrt", "elementwise_sub_sat",
    "elementwise_trunc"};
constexpr llvm::StringLiteral supported_of_floats[] = {"canonicalize", "ceil", "copysign", "fabs", "floor",
                                                       "fma",          "fmax", "fmin",     "rint", "round",
                                                       "roundeven",    "sqrt", "trunc"};
/// These have suffixes for types.
constexpr llvm::StringLiteral supported_families[] = {
    "addc",   "bitreverse", "bswap",   "clrsb",      "clz",         "ctz",  "ffs",
    "parity", "popcount",   "reduce_", "rotateleft", "rotateright", "subc", "signbit"};
/// Builtins without the prefix `__builtin_`.
constexpr llvm::StringLiteral supported_others[] = {
    "__arithmetic_fence", "to_global", "to_local", "to_private",
    // Pipes
    "read_pipe", "write_pipe", "reserve_read_pipe", "reserve_write_pipe", "commit_read_pipe",
    "commit_write_pipe", "work_group_reserve_read_pipe", "work_group_reserve_write_pipe",
    "work_group_commit_read_pipe", "work_group_commit_write_pipe", "sub_group_reserve_read_pipe",
    "sub_group_reserve_write_pipe", "sub_group_commit_read_pipe", "sub_group_commit_write_pipe",
    "get_pipe_num_packets", "get_pipe_max_packets",
    // Enqueueing from kernels
    "enqueue_kernel", "get_kernel_work_group_size", "get_kernel_preferred_work_group_size_multiple",
    "get_kernel_max_sub_group_size_for_ndrange", "get_kernel_sub_group_count_for_ndrange"};

/// In templates, atomic operations are calls; in their instances they are atomic expressions, which
/// VisitAtomicExpr() checks.
constexpr llvm::StringLiteral atomic_families[] = {"__opencl_atomic_", "__c11_atomic_", "__scoped_atomic_",
                                                   "__atomic_"};

bool is_supported(llvm::StringRef name) {
  if (llvm::any_of(atomic_families, [&](llvm::StringRef family) { return name.starts_with(family); }))
    return true;
  if (!name.consume_front("__builtin_")) return llvm::is_contained(supported_others, name);
  if (llvm::is_contained(supported, name) || name.ends_with("_overflow")) return true;
  if (llvm::any_of(supported_families, [&](llvm::StringRef family) { return name.starts_with(family); }))
    return true;
  return llvm::any_of(supported_of_floats, [&](llvm::StringRef family) {
    llvm::StringRef suffix = name;
    return suffix.consume_front(family) && (suffix.empty() || suffix == "f" || suffix == "f16");
  });
}

class Finder final : public Visitor {
public:
  explicit Finder(CompilerInstance& compiler) : Visitor(compiler) {}

  bool VisitFunctionDecl(FunctionDecl* function) override {
    reject<NakedAttr>(*function, "functions are inlined into the kernels that call them");
    reject<AliasAttr>(*function, "a function cannot have a second name");
    reject<IFuncAttr>(*function, "the body of a function cannot be chosen when the program is loaded");
    reject<WeakRefAttr>(*function, "a function cannot have a second name");
    reject<ConstructorAttr>(*function, "no function runs before the program's kernels");
    reject<DestructorAttr>(*function, "no function runs after the program's kernels");
    if (function->hasAttr<DeviceKernelAttr>() && function->isThisDeclarationADefinition() &&
        !function->isExternallyVisible())
      error(function->getLocation(),
            "kernel %0 has internal linkage (static, or an unnamed namespace), so the host cannot find it")
          << function;
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) override {
    reject<AliasAttr>(*variable, "a variable cannot have a second name");
    check_alignment(*variable);
    return true;
  }

  bool VisitCallExpr(CallExpr* call) override {
    const unsigned builtin = call->getBuiltinCallee();
    if (builtin == 0) return true;
    const std::string name = context_.BuiltinInfo.getName(builtin);
    if (llvm::StringRef(name).starts_with("__sync_")) {
      check_sync(*call, name);
    } else if (!is_supported(name) && !is_constant(*call)) {
      error(call->getExprLoc(), "'%0' is not supported in OpenCL programs") << name;
    }
    return true;
  }

  bool VisitAtomicExpr(AtomicExpr* expression) override {
    const QualType type = expression->getValueType();
    if (type->isDependentType()) return true;
    const auto bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    if (!llvm::isPowerOf2_64(bytes) || bytes > 8)
      error(expression->getExprLoc(), "atomic operation on an object of %0 bytes; it must have 1, 2, 4 or 8")
          << static_cast<unsigned>(bytes);
    return true;
  }

  bool VisitVAArgExpr(VAArgExpr* expression) override {
    error(expression->getExprLoc(), "functions with variable arguments are not supported in OpenCL programs");
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt* statement) override {
    if (!statement->getAsmString().empty()) reject_assembly(statement->getAsmLoc());
    return true;
  }
  bool VisitMSAsmStmt(MSAsmStmt* statement) override {
    reject_assembly(statement->getAsmLoc());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl* declaration) override {
    reject_assembly(declaration->getAsmLoc());
    return true;
  }

  bool VisitAddrLabelExpr(AddrLabelExpr* expression) override {
    error(expression->getExprLoc(), "the address of a label is not supported in OpenCL programs");
    return true;
  }

  bool VisitBuiltinTypeLoc(BuiltinTypeLoc location) override {
    check_number(location.getTypePtr(), location.getBeginLoc());
    return true;
  }
  bool VisitFloatingLiteral(FloatingLiteral* literal) override {
    check_number(literal->getType()->getAs<BuiltinType>(), literal->getLocation());
    return true;
  }

private:
  template <unsigned N>
  DiagnosticBuilder error(SourceLocation where, const char (&text)[N]) {
    // Code in a template is visited again in each instance, so each location is reported once.
    const bool is_new = reported_.insert(where.getRawEncoding()).second;
    return Visitor::error(where, text, is_new ? DiagnosticsEngine::Error : DiagnosticsEngine::Ignored);
  }

  template <class Attribute>
  void reject(const Decl& declaration, llvm::StringRef reason) {
    if (const auto* attribute = declaration.getAttr<Attribute>(); attribute && !attribute->isInherited())
      error(attribute->getLocation(), "attribute '%0' is not supported in OpenCL programs: %1")
          << attribute->getSpelling() << reason;
  }

  void check_alignment(const VarDecl& variable) {
    constexpr std::int64_t most = 1 << 16;
    if (variable.getType()->isDependentType() || variable.isInvalidDecl()) return;
    if (variable.getType()->isIncompleteType() || variable.hasDependentAlignment()) return;
    const std::int64_t bytes = context_.getDeclAlign(&variable).getQuantity();
    if (bytes > most)
      error(variable.getLocation(), "%0 is aligned to %1 bytes; the largest alignment is 65536")
          << &variable << static_cast<unsigned>(bytes);
  }

  void reject_assembly(SourceLocation where) { error(where, "assembly is not supported in OpenCL programs"); }

  void check_number(const BuiltinType* type, SourceLocation where) {
    if (type && (type->getKind() == BuiltinType::LongDouble || type->getKind() == BuiltinType::BFloat16))
      error(where, "type %0 is not supported in OpenCL programs") << QualType(type, 0);
  }

  /// Whether clang replaces the call by a number.
  bool is_constant(const CallExpr& call) const {
    Expr::EvalResult result;
    return !call.isValueDependent() && call.EvaluateAsRValue(result, context_) && !result.hasSideEffects() &&
           (result.Val.isInt() || result.Val.isFloat());
  }

  void check_sync(const CallExpr& call, llvm::StringRef name) {
    constexpr std::uint64_t largest_bits = 64;
    if (call.getNumArgs() == 0) return;
    const QualType object = call.getArg(0)->getType()->getPointeeType();
    if (!object.isNull() && !object->isDependentType() && context_.getTypeSize(object) > largest_bits)
      error(call.getExprLoc(), "'%0' on an object of type %1, which has more than 64 bits") << name << object;
  }

  std::set<unsigned> reported_;
};

} // namespace

std::unique_ptr<Visitor> make_unsupported_finder(CompilerInstance& compiler) {
  return std::make_unique<Finder>(compiler);
}

} // namespace hostcl::compiler
