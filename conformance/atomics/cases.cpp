// Which cases there are.

#include "conformance/atomics/case.hpp"

#include <algorithm>

namespace conformance {
namespace {

constexpr Function for_all_types[] = {Function::store, Function::load, Function::exchange,
                                      Function::compare_exchange_strong, Function::compare_exchange_weak};
constexpr Function for_integers[] = {Function::fetch_add, Function::fetch_sub, Function::fetch_or,
                                     Function::fetch_xor, Function::fetch_and, Function::fetch_min,
                                     Function::fetch_max};
constexpr Function for_floats[] = {Function::fetch_add, Function::fetch_sub, Function::fetch_min,
                                   Function::fetch_max};
constexpr Form all_forms[] = {Form::plain, Form::order, Form::order_and_scope};
constexpr Space all_spaces[] = {Space::global, Space::local, Space::generic_global, Space::generic_local};
constexpr ExpectedSpace all_expected[] = {ExpectedSpace::global, ExpectedSpace::local,
                                          ExpectedSpace::private_, ExpectedSpace::generic};

std::vector<const char*> orders_of(Function function) {
  switch (function) {
  case Function::load:
    return {"relaxed", "acquire", "seq_cst"};
  case Function::store:
  case Function::flag_clear:
    return {"relaxed", "release", "seq_cst"};
  default:
    return {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  }
}

/// Orders for a failed compare-exchange: no release, and none stronger than success.
std::vector<const char*> failure_orders_of(const std::string& success) {
  if (success == "seq_cst") return {"relaxed", "acquire", "seq_cst"};
  if (success == "relaxed" || success == "release") return {"relaxed"};
  return {"relaxed", "acquire"};
}

std::vector<const char*> scopes_of(const std::string& standard) {
  if (standard == "CL3.0") return {"work_group", "device", "all_svm_devices", "all_devices"};
  return {"work_group", "device", "all_svm_devices"};
}

/// Appends the case in every form and space. Where a form names an order or a scope, each case takes the next
/// one, so that all of them turn up all over the matrix.
class Builder {
public:
  Builder(std::string standard, std::string section)
      : standard_(std::move(standard)), section_(std::move(section)) {}

  void add(Function function, const Type& type, std::initializer_list<Form> forms = {}) {
    for (Form form : all_forms) {
      if (forms.size() && std::find(forms.begin(), forms.end(), form) == forms.end()) continue;
      for (Space space : all_spaces)
        add_expected(make(function, type, form, space));
    }
  }
  std::vector<Case> take() { return std::move(cases_); }

private:
  Case make(Function function, const Type& type, Form form, Space space) {
    Case test;
    test.standard = standard_;
    test.section = section_;
    test.function = function;
    test.type = type;
    test.form = form;
    test.space = space;
    return test;
  }

  void add_expected(Case test) {
    if (!test.compare_exchange()) return push(test);
    for (ExpectedSpace expected : all_expected) {
      test.expected = expected;
      push(test);
    }
  }

  void push(Case test) {
    if (test.form != Form::plain) {
      const auto orders = orders_of(test.function);
      test.order = orders[turn_ % orders.size()];
      const auto failures = failure_orders_of(test.order);
      test.failure = failures[turn_ % failures.size()];
    }
    if (test.form == Form::order_and_scope) {
      const auto scopes = scopes_of(standard_);
      test.scope = scopes[turn_ % scopes.size()];
    }
    ++turn_;
    cases_.push_back(std::move(test));
  }

  std::string standard_, section_;
  std::vector<Case> cases_;
  size_t turn_ = 0;
};

} // namespace

std::vector<Case> matrix(const std::string& standard) {
  Builder builder(standard, "matrix");
  for (const Type& type : types) {
    for (Function function : for_all_types)
      builder.add(function, type);
    if (type.kind == Kind::floating) continue;
    for (Function function : for_integers)
      builder.add(function, type);
  }
  return builder.take();
}

std::vector<Case> orders_and_scopes(const std::string& standard) {
  std::vector<Case> cases;
  for (const Type& type : {types[0], types[3]})
    for (Space space : {Space::global, Space::local}) {
      const auto add = [&](Function function) {
        for (const char* order : orders_of(function))
          for (const char* scope : scopes_of(standard)) {
            Case test{standard, function, type, Form::order_and_scope, space};
            test.section = "orders and scopes";
            test.order = order;
            test.scope = scope;
            if (!test.compare_exchange()) {
              cases.push_back(test);
              continue;
            }
            test.expected = ExpectedSpace::private_;
            for (const char* failure : failure_orders_of(order)) {
              test.failure = failure;
              cases.push_back(test);
            }
          }
      };
      for (Function function : for_all_types)
        add(function);
      for (Function function : for_integers)
        add(function);
    }
  return cases;
}

std::vector<Case> init_and_flags(const std::string& standard) {
  Builder builder(standard, "init and flag");
  for (const Type& type : types)
    builder.add(Function::init, type, {Form::plain});
  builder.add(Function::flag_test_and_set, flag_type);
  builder.add(Function::flag_clear, flag_type);
  return builder.take();
}

std::vector<Case> float_atomics(const std::string& standard, bool half) {
  Builder builder(standard, "float atomics");
  for (const Type& type : types)
    if (type.kind == Kind::floating)
      for (Function function : for_floats)
        builder.add(function, type);
  if (!half) return builder.take();
  for (Function function : {Function::store, Function::load, Function::exchange})
    builder.add(function, half_type);
  for (Function function : for_floats)
    builder.add(function, half_type);
  return builder.take();
}

} // namespace conformance
