// make_restriction_checker(), which compiler/front/clang/visitors.hpp declares.

#include "compiler/compiler.hpp"
#include "compiler/front/clang/visitors.hpp"
#include "compiler/settings/sub_group_sizes.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"

#include <map>
#include <optional>
#include <set>

namespace hostcl::compiler {

using namespace clang;

namespace {

/// memory_order as in opencl-c-base.h, with the values of C11.
enum class Order { relaxed = 0, acquire = 2, release = 3, acq_rel = 4, seq_cst = 5 };

const char* spelling(Order order) {
  constexpr const char* names[] = {"memory_order_relaxed", "?",
                                   "memory_order_acquire", "memory_order_release",
                                   "memory_order_acq_rel", "memory_order_seq_cst"};
  return static_cast<unsigned>(order) < std::size(names) ? names[static_cast<unsigned>(order)] : "?";
}

/// The first of these names of typedefs by which `type` was written; else empty.
llvm::StringRef typedef_name(QualType type, std::initializer_list<llvm::StringRef> names) {
  while (const auto* alias = type->getAs<TypedefType>()) {
    if (llvm::is_contained(names, alias->getDecl()->getName())) return alias->getDecl()->getName();
    type = alias->desugar();
  }
  return {};
}

/// "counter32_t" or "counter64_t" if `type` was written so; else empty.
llvm::StringRef counter_name(QualType type) {
  return typedef_name(type, {"counter32_t", "counter64_t"});
}

/// The name of the counter type that pointers or arrays of this type lead to; else empty.
llvm::StringRef counter_within(QualType type) {
  for (;;) {
    if (auto name = counter_name(type); !name.empty()) return name;
    if (const auto* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else if (const auto* pointer = type->getAs<PointerType>())
      type = pointer->getPointeeType();
    else
      return {};
  }
}

class Checker final : public Visitor {
public:
  Checker(CompilerInstance& compiler, const Language& language) : Visitor(compiler), language_(language) {}

  bool VisitCallExpr(CallExpr* call) override {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    llvm::StringRef name = callee->getName();
    // A program may have a function of its own with such a name.
    if (!name.starts_with("atomic_") || call->getNumArgs() == 0 || callee->isDefined()) return true;
    check_object(call, name);
    if (name.ends_with("_explicit")) check_orders(call, name);
    return true;
  }

  /// Reads of an atomic object without an atomic function, such as `int x = *a` and `if (*a)`.
  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) override {
    bool reads = cast->getCastKind() == CK_AtomicToNonAtomic ||
                 (cast->getCastKind() == CK_LValueToRValue && cast->getSubExpr()->getType()->isAtomicType());
    if (reads && reported_.insert(cast->getExprLoc().getRawEncoding()).second)
      error(cast->getExprLoc(),
            "an object of type %0 can only be accessed with the atomic functions, such as "
            "atomic_load")
          << cast->getSubExpr()->getType().getUnqualifiedType();
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) override {
    QualType type = variable->getType();
    llvm::StringRef counter = counter_within(type);
    if (counter.empty()) return true;
    if (!isa<ParmVarDecl>(variable))
      error(variable->getLocation(), "'%0' cannot be the type of a variable; it can only be a parameter")
          << counter;
    else if (counter_name(type).empty())
      error(variable->getLocation(), "arrays of and pointers to '%0' are not allowed") << counter;
    return true;
  }

  bool VisitFieldDecl(FieldDecl* field) override {
    if (auto counter = counter_within(field->getType()); !counter.empty())
      error(field->getLocation(), "'%0' cannot be the type of a member of a structure or union") << counter;
    if (field->getType()->isPipeType())
      error(field->getLocation(), "a pipe cannot be a member of a structure or union");
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (auto counter = counter_within(function->getReturnType()); !counter.empty())
      error(function->getLocation(), "a function cannot return '%0'") << counter;
    if (const auto* required = function->getAttr<OpenCLIntelReqdSubGroupSizeAttr>();
        required && !may_require_sub_groups_of(required->getSubGroupSize(), language_))
      error(required->getLocation(), "the required size of sub-groups is %0; it must be %1")
          << required->getSubGroupSize() << sub_group_sizes_of(language_);
    if (function->doesThisDeclarationHaveABody()) check_counters(function);
    return true;
  }

  /// A counter may only be used as an argument of a call.
  bool VisitDeclRefExpr(DeclRefExpr* reference) override {
    llvm::StringRef counter = counter_name(reference->getType());
    if (counter.empty() || is_call_argument(reference)) return true;
    error(reference->getLocation(),
          "'%0' can only be passed to a function; it cannot be assigned, compared or "
          "used in an expression")
        << counter;
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr* cast) override {
    if (auto counter = counter_within(cast->getTypeAsWritten()); !counter.empty())
      error(cast->getExprLoc(), "no value can be converted to '%0'") << counter;
    return true;
  }

private:
  /// The type of the object whose address an atomic function gets; null if it is unknown.
  QualType object_type(const Expr* address) const {
    QualType type = address->getType();
    if (const auto* pointer = type->getAs<PointerType>()) return pointer->getPointeeType();
    if (const auto* array = context_.getAsArrayType(type)) return array->getElementType();
    return {};
  }

  /// The object of an atomic function must not be in private memory; for a generic pointer, this cannot be
  /// checked at build time. An atomic_flag must be used by functions of its own.
  void check_object(const CallExpr* call, llvm::StringRef name) {
    const Expr* object = call->getArg(0)->IgnoreParenImpCasts();
    QualType type = object_type(object);
    if (type.isNull()) return;
    if (type.getAddressSpace() == LangAS::opencl_private)
      error(object->getExprLoc(),
            "'%0' on an object in the private address space; atomic objects must be in global or "
            "local memory")
          << name;
    if (!typedef_name(type, {"atomic_flag"}).empty() && !name.starts_with("atomic_flag_"))
      error(object->getExprLoc(),
            "'%0' on an object of type 'atomic_flag', which only atomic_flag_test_and_set and "
            "atomic_flag_clear can access")
          << name;
  }

  std::optional<Order> constant_order(const Expr* argument) const {
    Expr::EvalResult value;
    if (argument->isValueDependent() || !argument->EvaluateAsInt(value, context_)) return std::nullopt;
    return static_cast<Order>(value.Val.getInt().getExtValue());
  }

  /// @param forbidden besides acq_rel
  void reject_order(const Expr* argument, llvm::StringRef function, Order forbidden) {
    const std::optional<Order> order = constant_order(argument);
    if (order == forbidden || order == Order::acq_rel)
      error(argument->getExprLoc(), "'%0' cannot have the order %1") << function << spelling(*order);
  }

  void check_orders(const CallExpr* call, llvm::StringRef name) {
    const unsigned count = call->getNumArgs();
    if (name == "atomic_load_explicit" && count >= 2)
      reject_order(call->getArg(1), name, Order::release);
    else if (name == "atomic_store_explicit" && count >= 3)
      reject_order(call->getArg(2), name, Order::acquire);
    else if (name == "atomic_flag_clear_explicit" && count >= 2)
      reject_order(call->getArg(1), name, Order::acquire);
    else if (name.starts_with("atomic_compare_exchange") && count >= 5)
      check_exchange(call, name);
  }

  void check_exchange(const CallExpr* call, llvm::StringRef name) {
    const Expr* failure_argument = call->getArg(4);
    std::optional<Order> success = constant_order(call->getArg(3));
    std::optional<Order> failure = constant_order(failure_argument);
    if (!failure) return;
    if (*failure == Order::release || *failure == Order::acq_rel)
      error(failure_argument->getExprLoc(), "the failure order of '%0' cannot be %1")
          << name << spelling(*failure);
    else if (success && is_stronger(*failure, *success))
      error(failure_argument->getExprLoc(),
            "the failure order %0 of '%1' is stronger than its success order %2")
          << spelling(*failure) << name << spelling(*success);
  }

  /// Whether a failure order (relaxed, acquire or seq_cst) is stronger than the success order. Acquire and
  /// release count as equally strong, because the Khronos tests combine success release with failure acquire.
  static bool is_stronger(Order failure, Order success) {
    if (failure == Order::seq_cst) return success != Order::seq_cst;
    if (failure == Order::acquire) return success == Order::relaxed;
    return false;
  }

  bool is_call_argument(const DeclRefExpr* reference) {
    DynTypedNode node = DynTypedNode::create(*reference);
    for (;;) {
      auto parents = context_.getParents(node);
      if (parents.empty()) return false;
      const auto* expression = parents[0].get<Expr>();
      if (!expression) return false;
      if (isa<CallExpr>(expression)) return !isa<CXXOperatorCallExpr>(expression);
      const auto* cast = dyn_cast<ImplicitCastExpr>(expression);
      if (!(cast && cast->getCastKind() == CK_LValueToRValue) && !isa<ParenExpr>(expression)) return false;
      node = parents[0];
    }
  }

  void check_counters(FunctionDecl* function);

  const Language& language_;
  std::set<unsigned> reported_; ///< locations that have been reported, because casts may be nested
};

/// Finds the counter parameters that a function increments and decrements, also by functions that it calls.
class CounterUse final : public DynamicRecursiveASTVisitor {
public:
  struct Effect {
    const CallExpr* increment = nullptr;
    const CallExpr* decrement = nullptr;
  };

  explicit CounterUse(FunctionDecl* function) {
    active_.insert(function);
    TraverseStmt(function->getBody());
  }

  bool VisitCallExpr(CallExpr* call) override {
    FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const auto* reference = dyn_cast<DeclRefExpr>(call->getArg(i)->IgnoreParenImpCasts());
      if (!reference || counter_name(reference->getType()).empty()) continue;
      record(reference->getDecl(), call, callee, i);
    }
    return true;
  }

  std::map<const ValueDecl*, Effect> effects;

private:
  CounterUse(FunctionDecl* function, std::set<const FunctionDecl*> active) : active_(std::move(active)) {
    if (active_.insert(function).second) TraverseStmt(function->getBody());
  }

  void record(const ValueDecl* counter, const CallExpr* call, FunctionDecl* callee, unsigned argument) {
    Effect& effect = effects[counter];
    if (callee->getName() == "atomic_inc") effect.increment = call;
    if (callee->getName() == "atomic_dec") effect.decrement = call;
    const FunctionDecl* definition = nullptr;
    if (!callee->hasBody(definition) || argument >= definition->getNumParams()) return;
    CounterUse inner(const_cast<FunctionDecl*>(definition), active_);
    Effect nested = inner.effects[definition->getParamDecl(argument)];
    if (nested.increment) effect.increment = call;
    if (nested.decrement) effect.decrement = call;
  }

  std::set<const FunctionDecl*> active_; ///< functions that are being followed, because of recursion
};

void Checker::check_counters(FunctionDecl* function) {
  unsigned count = 0;
  for (const ParmVarDecl* parameter : function->parameters())
    count += !counter_name(parameter->getType()).empty();
  if (count == 0) return;
  if (count > max_atomic_counters)
    error(function->getLocation(), "kernel %0 has %1 atomic counters; it may have at most %2")
        << function << count << max_atomic_counters;
  CounterUse use(function);
  for (const auto& [counter, effect] : use.effects)
    if (effect.increment && effect.decrement)
      error(effect.decrement->getExprLoc(), "the counter %0 is both incremented and decremented in %1")
          << counter << function;
}

} // namespace

std::unique_ptr<Visitor> make_restriction_checker(CompilerInstance& compiler, const Language& language) {
  return std::make_unique<Checker>(compiler, language);
}

} // namespace hostcl::compiler
