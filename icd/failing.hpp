#pragma once

// Makes C functions that can fail as HOSTCL_FAIL says (runtime/faults/faults.hpp). For calls that do not fail, such a
// function calls the C function of thunk.hpp. Functions of this header are in the dispatch table only with HOSTCL_FAIL.

#include "icd/thunk.hpp"
#include "runtime/faults/faults.hpp"

#include <tuple>

namespace hostcl::icd {

/// Reports a call that fails to the log, the timeline and the context's callback, as a thunk reports errors.
/// @returns the fault's code
cl_int report_fault(const char* function, const runtime::faults::Fault& fault,
                    const runtime::Ref<Context>& context) noexcept;

/// Whether the Khronos ICD loader makes such a call when it looks for platforms. These calls are not the application's.
template <Name name, class... Args>
bool is_loaders(const Args&... args) {
  if constexpr (name.view() == "clGetPlatformInfo") {
    const cl_platform_info query = std::get<1>(std::tie(args...));
    return query == CL_PLATFORM_ICD_SUFFIX_KHR || query == CL_PLATFORM_UNLOADABLE_KHR;
  }
  return false;
}

template <Name name, auto function>
struct Failing;

template <Name name, class... Args, Status (*function)(Args...)>
struct Failing<name, function> {
  static cl_int CL_API_CALL call(Args... args) noexcept {
    if (is_loaders<name>(args...)) return thunk<name, function>(args...);
    const runtime::faults::Call fallible(name.view());
    if (const auto* fault = fallible.fault()) return report_fault(name.text, *fault, first_context(args...));
    return thunk<name, function>(args...);
  }
};

template <Name name, class T, class... Args, Result<T> (*function)(Args...)>
struct Failing<name, function> {
  static T CL_API_CALL call(Args... args, cl_int* code_ret) noexcept {
    const runtime::faults::Call fallible(name.view());
    const auto* fault = fallible.fault();
    if (!fault) return thunk<name, function>(args..., code_ret);
    const cl_int code = report_fault(name.text, *fault, first_context(args...));
    if (code_ret) *code_ret = code;
    return nullptr;
  }
};

/// The same for a C function without errcode_ret. The function returns null if it fails. A function that returns no
/// value cannot fail.
template <Name name, auto function>
struct FailingPlain;

template <Name name, class Returned, class... Args, Returned(CL_API_CALL* function)(Args...) noexcept>
struct FailingPlain<name, function> {
  static Returned CL_API_CALL call(Args... args) noexcept {
    if constexpr (!std::is_void_v<Returned>) {
      const runtime::faults::Call fallible(name.view());
      if (const auto* fault = fallible.fault()) {
        report_fault(name.text, *fault, first_context(args...));
        return nullptr;
      }
    }
    return function(args...);
  }
};

template <Name name, auto function>
inline constexpr auto failing = &Failing<name, function>::call;
template <Name name, auto function>
inline constexpr auto failing_plain = &FailingPlain<name, function>::call;

} // namespace hostcl::icd
