#pragma once

// Makes a typed entry point that fails as HOSTCL_FAIL says (runtime/faults/faults.hpp), and otherwise does what the
// given one does. The dispatch table has these only if HOSTCL_FAIL is set.

#include "icd/thunk.hpp"
#include "runtime/faults/faults.hpp"

namespace hostcl::icd {

template <Name name>
std::optional<runtime::faults::Fault> next_fault() {
  static const runtime::faults::Function function(name.view());
  return function.next_call();
}

template <Name name, auto function>
struct Failing;

template <Name name, class Returned, class... Args, Returned (*function)(Args...)>
struct Failing<name, function> {
  static Returned call(Args... args) {
    const auto fault = next_fault<name>();
    if (!fault) return function(args...);
    if (!fault->is_later) return Error(fault->code, fault->sentence);
    const runtime::faults::FailsLater later(*fault);
    return function(args...);
  }
};

/// The same for a C function that returns a pointer, which is null if the function fails. A C function that returns
/// nothing does not fail.
template <Name name, auto function>
struct FailingPointer;

template <Name name, class Returned, class... Args, Returned(CL_API_CALL* function)(Args...) noexcept>
struct FailingPointer<name, function> {
  static Returned CL_API_CALL call(Args... args) noexcept {
    if constexpr (!std::is_void_v<Returned>)
      if (const auto fault = next_fault<name>()) {
        report(name.text, Error(fault->code, fault->sentence), first_context(args...));
        return nullptr;
      }
    return function(args...);
  }
};

template <Name name, auto function>
inline constexpr auto failing = &Failing<name, function>::call;
template <Name name, auto function>
inline constexpr auto failing_pointer = &FailingPointer<name, function>::call;

} // namespace hostcl::icd
