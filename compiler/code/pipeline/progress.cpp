#include "compiler/code/pipeline/progress.hpp"

#include "compiler/isolation/guard.hpp"
#include "compiler/isolation/resource_budget.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constinit thread_local std::optional<Trial> trial_here;
constinit std::atomic<void (*)(const Trial&)> observe = nullptr;

/// A step that tests make fail.
struct Broken {
  std::string step;
  std::string how;     ///< error, fatal, crash, hang or slow
  unsigned levels = 1; ///< number of fallback levels at which the step fails, from the first level on
};

/// HOSTCL_TEST_STEPS, and the steps that it makes fail.
struct ParsedSteps : TestSteps {
  ParsedSteps() {
    const char* text = secure_getenv("HOSTCL_TEST_STEPS");
    for (StringRef word : split(StringRef(text ? text : ""), ',')) {
      is_strict |= word == "strict";
      verifies |= word == "strict" || word == "verify";
      has_tier0_alone |= word == "first";
      has_memory_of_amd |= word == "amd";
      const auto [step, rest] = word.split(':');
      const auto [how, levels] = rest.split(':');
      if (how.empty()) continue;
      if (step == "huge" || step == "long") {
        how.getAsInteger(10, step == "huge" ? most_instructions : most_for_optimised_codegen);
        continue;
      }
      broken.push_back({step.str(), how.str()});
      if (!levels.empty()) levels.getAsInteger(10, broken.back().levels);
    }
  }

  std::vector<Broken> broken;
};

const ParsedSteps& parsed_steps() {
  static const ParsedSteps& steps = *new ParsedSteps;
  return steps;
}

/// Takes a quarter of a second of this thread's CPU time.
void pass_time() {
  constexpr std::chrono::milliseconds all{250};
  timespec first{}, now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &first);
  do
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while (std::chrono::seconds(now.tv_sec - first.tv_sec) +
             std::chrono::nanoseconds(now.tv_nsec - first.tv_nsec) <
         all);
}

/// Volatile, so that no compiler knows the address.
constinit char* volatile nowhere = nullptr;

Error break_step(const Broken& broken) {
  if (broken.how == "error") return createStringError("the tests broke it");
  if (broken.how == "fatal") report_fatal_error("the tests broke it");
  const LongStep step;
  if (broken.how == "crash") *nowhere = 0;
  if (broken.how == "hang")
    while (!nowhere) {
    }
  if (broken.how == "slow") pass_time();
  return Error::success();
}

/// A copy of the text that is never freed.
const char* constant(const char* name) {
  static std::mutex mutex;
  static std::set<std::string>& names = *new std::set<std::string>;
  std::scoped_lock lock(mutex);
  return names.insert(name).first->c_str();
}

/// Begins a trial, or a part of one that has a time limit of its own.
void begin(const std::optional<Trial>& trial) {
  trial_here = trial;
  if (Trying::are_unbounded) return;
  const bool is_bounded = trial && trial->level != FallbackLevel::bare;
  bound_own_time(is_bounded ? time_of_level() : std::chrono::nanoseconds(0));
}

} // namespace

constinit thread_local bool Trying::are_unbounded = false;

Trying::Trying(const std::optional<Variant>& variant, FallbackLevel level, unsigned width)
    : outer_(trial_here) {
  begin(Trial{variant, level, "start", width});
}

Trying::~Trying() {
  begin(outer_);
}

const std::optional<Trial>& Trying::here() {
  return trial_here;
}

unsigned Trying::width_to_keep() {
  return trial_here ? trial_here->width : 0;
}

void Trying::note_step(const StepRecord& step) {
  if (!trial_here || step.name.front() == '\0') return;
  if (step.prepares != 0) trial_here->variant.reset();
  trial_here->step = constant(step.name.data());
  trial_here->width = step.width;
}

std::optional<Trial> Trying::begin_preparation() {
  auto trial = trial_here;
  if (trial) begin(Trial{std::nullopt, trial->level});
  return trial;
}

void Trying::resume(const std::optional<Trial>& trial) {
  begin(trial);
}

void observe_trials(void (*observer)(const Trial& trial)) {
  observe = observer;
}

Error begin_step(const char* name) {
  if (!trial_here) return Error::success(); // code of a program's variables, which has no fallback levels
  trial_here->step = name;
  if (auto* observer = observe.load(std::memory_order_relaxed)) observer(*trial_here);
  const auto level = static_cast<unsigned>(trial_here->level);
  for (const Broken& broken : parsed_steps().broken)
    if (broken.step == name && level < broken.levels) return break_step(broken);
  return Error::success();
}

void note_width(unsigned width) {
  if (trial_here) trial_here->width = width;
}

Error check_step(const char* name, const Module& module, bool is_last) {
  if (!is_last && !test_steps().verifies) return Error::success();
  std::string complaint;
  raw_string_ostream text(complaint);
  bool lines_are_wrong = false; // not checked, because machine code does not depend on line numbers
  if (!verifyModule(module, &text, &lines_are_wrong)) return Error::success();
  return createStringError("invalid IR after step '" + Twine(name) + "': " + StringRef(complaint).rtrim());
}

const TestSteps& test_steps() {
  return parsed_steps();
}

} // namespace hostcl::compiler
