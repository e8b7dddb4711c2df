// make_enqueue_repairer(), which compiler/front/clang/visitors.hpp declares.

#include "compiler/front/clang/visitors.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Builtins.h"

namespace hostcl::compiler {

using namespace clang;

namespace {

/// Converts a queue or an event to a number; declared in builtins/include/hostcl.h.
constexpr const char* bits_function = "__hostcl_bits";

class Repairer final : public Visitor {
public:
  explicit Repairer(CompilerInstance& compiler) : Visitor(compiler) {
    ShouldVisitTemplateInstantiations = true;
  }

  // Queues and events are compared as numbers, because LLVM cannot compare opaque types.
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (!operation->isEqualityOp() || !is_opaque(*operation->getLHS()) || !is_opaque(*operation->getRHS()))
      return true;
    operation->setLHS(bits_of(operation->getLHS()));
    operation->setRHS(bits_of(operation->getRHS()));
    return true;
  }

  // clang finds the literal of a block through casts and variables, but not inside of parentheses, which may
  // be below casts.
  bool VisitCallExpr(CallExpr* call) override {
    if (call->isTypeDependent() || call->isValueDependent()) return true;
    if (call->getBuiltinCallee() == 0) {
      if (Expr* callee = call->getCallee(); callee->getType()->isBlockPointerType())
        call->setCallee(plain_block(callee));
      return true;
    }
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (Expr* argument = call->getArg(i); argument->getType()->isBlockPointerType())
        call->setArg(i, plain_block(argument));
    return true;
  }

private:
  static bool is_opaque(const Expr& operand) {
    return operand.getType()->isQueueT() || operand.getType()->isClkEventT();
  }

  FunctionDecl* bits_function_for(QualType type) const {
    const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(bits_function));
    for (NamedDecl* declaration : found)
      if (auto* function = dyn_cast<FunctionDecl>(declaration);
          function && context_.hasSameUnqualifiedType(function->getParamDecl(0)->getType(), type))
        return function;
    return nullptr;
  }

  /// A call that converts the operand to a number.
  Expr* bits_of(Expr* operand) {
    FunctionDecl* function = bits_function_for(operand->getType());
    if (!function) return operand; // the program has declared another function of this name
    // In a comparison clang converts the literal 0 by CK_NullToPointer. A parameter of an opaque type needs
    // the cast kind that clang uses for initialisers of variables.
    if (auto* cast = dyn_cast<ImplicitCastExpr>(operand); cast && cast->getCastKind() == CK_NullToPointer)
      cast->setCastKind(CK_ZeroToOCLOpaqueType);
    const SourceLocation where = operand->getExprLoc();
    Expr* name = DeclRefExpr::Create(context_, NestedNameSpecifierLoc(), SourceLocation(), function, false,
                                     where, function->getType(), VK_LValue);
    Expr* callee =
        ImplicitCastExpr::Create(context_, context_.getPointerType(function->getType()),
                                 CK_FunctionToPointerDecay, name, nullptr, VK_PRValue, FPOptionsOverride());
    return CallExpr::Create(context_, callee, {operand}, function->getReturnType(), VK_PRValue, where,
                            FPOptionsOverride());
  }

  /// Returns the block expression without parentheses and casts. If the expression names an initialised
  /// variable, removes the parentheses and casts from the variable's initialiser instead, and so on through
  /// variables that are initialised with variables. Reports an error if this does not lead to a block
  /// literal.
  Expr* plain_block(Expr* block) {
    Expr* bare = block->IgnoreParenCasts();
    const auto* name = dyn_cast<DeclRefExpr>(bare);
    auto* variable = name ? dyn_cast<VarDecl>(const_cast<ValueDecl*>(name->getDecl())) : nullptr;
    if (variable && variable->getInit()) {
      variable->setInit(plain_block(variable->getInit()));
      return ImplicitCastExpr::Create(context_, block->getType(), CK_LValueToRValue, bare, nullptr,
                                      VK_PRValue, FPOptionsOverride());
    }
    if (!isa<BlockExpr>(bare))
      error(block->getExprLoc(), "the block must be a block literal (^{ ... }), or a variable that is "
                                 "initialised with a block literal in the same source");
    return bare;
  }
};

} // namespace

std::unique_ptr<Visitor> make_enqueue_repairer(CompilerInstance& compiler) {
  return std::make_unique<Repairer>(compiler);
}

} // namespace hostcl::compiler
