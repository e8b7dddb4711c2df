#include "runtime/faults/faults.hpp"

#include "runtime/faults/errors.hpp"
#include "runtime/faults/rules.hpp"
#include "runtime/faults/tally.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/result.hpp"

#include <exception>
#include <utility>

namespace hostcl::runtime::faults {

namespace {

/// Never destroyed, because threads use it during exit().
const std::vector<Rule>* rules = nullptr;

/// The fault of the command or build that the calling thread's call will begin; null once it has begun.
constinit thread_local const Fault* later = nullptr;

/// The status of a command with the effect `lost`, which is also the status of a launch whose guest process has ended.
constexpr cl_int lost_status = CL_OUT_OF_RESOURCES;

/// Whether the application learns of the error from the program's build log.
bool has_build_log(cl_int code) {
  return code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE ||
         code == CL_LINK_PROGRAM_FAILURE;
}

Fault fault_of(const Rule& rule, std::string_view function, std::uint64_t number) {
  cl_int code = rule.error;
  if (code == CL_SUCCESS) code = rule.is_lost ? lost_status : usual_error(function);
  const bool is_later = rule.is_lost || (has_build_log(code) && may_return(function, code));
  return {code, text("fails because of HOSTCL_FAIL=", rule.text, ", call ", number), is_later};
}

} // namespace

void start(std::vector<std::string_view> (*functions)()) noexcept {
  try {
    if (options().fail.empty()) return;
    auto parsed = parse_rules(options().fail, functions(),
                              [](const std::string& sentence) { log(LogLevel::warn, sentence); });
    if (parsed.empty()) return;
    open_report();
    rules = new std::vector<Rule>(std::move(parsed));
    has_rules = true;
  } catch (const std::exception&) {
    has_rules = false; // no memory, so no call fails
  }
}

Call::Call(std::string_view function) noexcept {
  try {
    for (std::size_t i = 0; i < rules->size(); ++i) {
      const Rule& rule = (*rules)[i];
      if (!rule.is_for(function)) continue;
      const std::uint64_t number = tally().calls[i].fetch_add(1, std::memory_order_relaxed) + 1;
      if (fault_ || !rule.fails(number)) continue;
      fault_ = fault_of(rule, function, number);
      note({"failed", std::to_string(number), function, rule.is_lost ? "lost" : name_of(fault_->code)});
    }
    if (fault_ && fault_->is_later) later = &*fault_;
  } catch (const std::exception&) {
    return; // no memory for the sentence, so the call does not fail
  }
}

Call::~Call() {
  if (fault_ && later == &*fault_) later = nullptr; // the call has begun no command and no build
}

const Fault* take_fault_of_thread() {
  return std::exchange(later, nullptr);
}

} // namespace hostcl::runtime::faults
