// make_missing_finder(), which compiler/front/clang/visitors.hpp declares.

#include "compiler/front/clang/visitors.hpp"

#include "clang/AST/ASTContext.h"

#include <set>
#include <string>
#include <utility>

namespace hostcl::compiler {

using namespace clang;

namespace {

constexpr unsigned first_with_atomic_orders = 200, first_with_depth_images = 200, first_with_features = 300;

/// Whether a type of this name in opencl-c-base.h is a 64-bit integer or a vector of 64-bit integers. Types such as
/// size_t do not need __opencl_c_int64: they have the width of the device's addresses.
bool names_long(llvm::StringRef name) {
  name.consume_front("u");
  return name.consume_front("long") && name.find_first_not_of("0123456789") == name.npos;
}

/// Whether the function of OpenCL C with this name returns a 64-bit integer for arguments of other types.
bool makes_long(llvm::StringRef name) {
  return (name.consume_front("convert_") || name.consume_front("as_")) &&
         (name.starts_with("long") || name.starts_with("ulong"));
}

bool is_depth_image(const BuiltinType& type) {
  switch (type.getKind()) {
#define IMAGE_TYPE(name, id, singleton, access, suffix)                                                      \
  case BuiltinType::id:                                                                                      \
    return llvm::StringRef(#name).contains("depth");
#include "clang/Basic/OpenCLImageTypes.def"
  default:
    return false;
  }
}

class Finder final : public Visitor {
public:
  Finder(CompilerInstance& compiler, const Language& language)
      : Visitor(compiler),
        language_(language),
        version_(context_.getLangOpts().getOpenCLCompatibleVersion()) {}

  bool VisitBuiltinTypeLoc(BuiltinTypeLoc location) override {
    const BuiltinType& type = *location.getTypePtr();
    if (type.getKind() == BuiltinType::Long || type.getKind() == BuiltinType::ULong)
      check_type(location.getBeginLoc(), QualType(&type, 0), "__opencl_c_int64");
    else if (type.isImageType() && version_ < first_with_features)
      check_type(location.getBeginLoc(), QualType(&type, 0), "__opencl_c_images");
    if (is_depth_image(type) && version_ < first_with_depth_images)
      check_type(location.getBeginLoc(), QualType(&type, 0), "cl_khr_depth_images");
    return true;
  }

  bool VisitTypedefTypeLoc(TypedefTypeLoc location) override {
    const llvm::StringRef name = location.getTypePtr()->getDecl()->getName();
    if (names_long(name)) check_type(location.getBeginLoc(), location.getType(), "__opencl_c_int64");
    if (name == "sampler_t" && version_ < first_with_features)
      check_type(location.getBeginLoc(), location.getType(), "__opencl_c_images");
    return true;
  }

  bool VisitIntegerLiteral(IntegerLiteral* literal) override {
    if (context_.getTypeSize(literal->getType()) == 64)
      check_type(literal->getLocation(), literal->getType(), "__opencl_c_int64");
    return true;
  }

  bool VisitCallExpr(CallExpr* call) override {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || callee->isDefined()) return true;
    const llvm::StringRef name = callee->getName();
    if (makes_long(name)) check_type(call->getExprLoc(), call->getType(), "__opencl_c_int64");
    // atomic_work_item_fence() has all orders and scopes (OpenCL C 6.15.12.2).
    if (name.starts_with("atomic_") && name.ends_with("_explicit") && version_ >= first_with_atomic_orders)
      for (const Expr* argument : call->arguments())
        check_order_or_scope(*argument);
    check_float_atomic(*call, name);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) override {
    constexpr const char* extension = "cl_intel_required_subgroup_size";
    const auto* required = function->getAttr<OpenCLIntelReqdSubGroupSizeAttr>();
    if (!required || !is_missing(language_, extension)) return true;
    error(required->getLocation(), "attribute 'intel_reqd_sub_group_size' is ignored: %0 lacks %1",
          DiagnosticsEngine::Warning)
        << described_device(language_) << extension;
    function->dropAttr<OpenCLIntelReqdSubGroupSizeAttr>();
    return true;
  }

private:
  void check_type(SourceLocation where, QualType type, llvm::StringRef needs) {
    if (is_missing(language_, needs) && is_new(where))
      error(where, "type %0 needs %1, which %2 lacks") << type << needs << described_device(language_);
  }

  /// Reports an atomic function on a floating-point object. clang declares such functions for some types without the
  /// feature: atomic_fetch_add(local atomic_half*, half) needs __opencl_c_ext_fp16_local_atomic_add.
  void check_float_atomic(const CallExpr& call, llvm::StringRef name) {
    if (!name.consume_front("atomic_") || call.getNumArgs() == 0) return;
    const QualType object = call.getArg(0)->getType()->getPointeeType();
    const auto* atomic = object.isNull() ? nullptr : object->getAs<AtomicType>();
    if (!atomic || !atomic->getValueType()->isRealFloatingType()) return;
    const auto bits = context_.getTypeSize(atomic->getValueType());
    llvm::StringRef operation = "load_store";
    if (name.starts_with("fetch_add") || name.starts_with("fetch_sub")) operation = "add";
    if (name.starts_with("fetch_min") || name.starts_with("fetch_max")) operation = "min_max";
    if (operation == "load_store" && bits != 16) return; // the core language has these functions
    const LangAS space = object.getAddressSpace();
    for (const auto& [one, word] : {std::pair(LangAS::opencl_global, "_global_atomic_"),
                                    std::pair(LangAS::opencl_local, "_local_atomic_")}) {
      if (space != one && space != LangAS::opencl_generic) continue;
      const std::string needs = ("__opencl_c_ext_fp" + llvm::Twine(bits) + word + operation).str();
      if (is_missing(language_, needs) && is_new(call.getExprLoc()))
        error(call.getExprLoc(), "%0 needs %1, which %2 lacks")
            << call.getDirectCallee() << needs << described_device(language_);
    }
  }

  void check_order_or_scope(const Expr& argument) {
    const auto* reference = dyn_cast<DeclRefExpr>(argument.IgnoreParenImpCasts());
    const auto* constant = reference ? dyn_cast<EnumConstantDecl>(reference->getDecl()) : nullptr;
    if (!constant) return;
    const llvm::StringRef name = constant->getName();
    llvm::StringRef needs;
    if (name == "memory_scope_device") needs = "__opencl_c_atomic_scope_device";
    if (name == "memory_order_acquire" || name == "memory_order_release" || name == "memory_order_acq_rel")
      needs = "__opencl_c_atomic_order_acq_rel";
    if (!needs.empty() && is_missing(language_, needs) && is_new(reference->getLocation()))
      error(reference->getLocation(), "%0 needs %1, which %2 lacks")
          << name << needs << described_device(language_);
  }

  /// Whether the location is visited for the first time. The code of a template is visited again in each instance, and
  /// is reported once.
  bool is_new(SourceLocation where) { return reported_.insert(where.getRawEncoding()).second; }

  const Language& language_;
  const unsigned
      version_; ///< of OpenCL C, such as 120 for 1.2, or of the OpenCL C on which C++ for OpenCL is based
  std::set<unsigned> reported_;
};

} // namespace

std::unique_ptr<Visitor> make_missing_finder(CompilerInstance& compiler, const Language& language) {
  return std::make_unique<Finder>(compiler, language);
}

} // namespace hostcl::compiler
