#include "compiler/passes/registry.hpp"

#include "compiler/passes/1_kernel/speculation.hpp"
#include "compiler/passes/2_vector/vectorise.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/passes/switch_parameters.hpp"

#include "llvm/Passes/PassBuilder.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The pass object for a function of passes.def, with the name that passes.def gives.
template <const char* pass_name, class Run>
struct FunctionAsPass : PassInfoMixin<FunctionAsPass<pass_name, Run>> {
  explicit FunctionAsPass(Run function) : function(function) {}
  static StringRef name() { return pass_name; }
  static bool isRequired() { return true; }
  template <class Unit, class Analyses>
  PreservedAnalyses run(Unit& unit, Analyses& analyses) {
    return function(unit, analyses);
  }
  Run function;
};

/// Parses the parameters of a pass, which follow the pass's name in angle brackets, and adds the pass.
template <class Parse, class Add>
bool add_parametrised(StringRef name, StringRef pass, Parse parse, Add add) {
  auto parameters = PassBuilder::parsePassParameters(parse, name, pass);
  if (!parameters) {
    errs() << toString(parameters.takeError()) << '\n';
    return false;
  }
  add(*parameters);
  return true;
}

// The meaning of the kinds of passes.def in add_module_pass() and add_function_pass(), which add the pass that is
// called `name` to `passes`.
#define NOT_HERE(...)
#define ADD_FUNCTION(NAME, ...)                                                                              \
  {                                                                                                          \
    static constexpr char pass_name[] = NAME;                                                                \
    auto function = __VA_ARGS__;                                                                             \
    passes.addPass(FunctionAsPass<pass_name, decltype(function)>(function));                                 \
  }
#define PASS_WITHOUT_PARAMETERS(NAME, PASS)                                                                  \
  if (name == NAME) {                                                                                        \
    ADD_FUNCTION(NAME, PASS)                                                                                 \
    return true;                                                                                             \
  }
#define IF_NAMED(NAME, PARSE, ...)                                                                           \
  if (PassBuilder::checkParametrizedPassName(name, NAME))                                                    \
    return add_parametrised(name, NAME, PARSE, [&](const auto& parameters) { __VA_ARGS__ });
#define SWITCHED_PASS(NAME, PASS)                                                                            \
  IF_NAMED(NAME, parse_switches, ADD_FUNCTION(NAME, [switches = parameters](auto& unit, auto& analyses) {    \
             return PASS(unit, analyses, switches);                                                          \
           }))

bool add_module_pass(StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS PASS_WITHOUT_PARAMETERS
#define SWITCHED_MODULE_PASS SWITCHED_PASS
#define FUNCTION_PASS NOT_HERE
#define SWITCHED_FUNCTION_PASS NOT_HERE
#define HEURISTIC_PASS NOT_HERE
#define PARAMETRISED_PASS NOT_HERE
#include "compiler/passes/passes.def"
  return false;
}

bool add_function_pass(StringRef name, FunctionPassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS NOT_HERE
#define SWITCHED_MODULE_PASS NOT_HERE
#define FUNCTION_PASS PASS_WITHOUT_PARAMETERS
#define SWITCHED_FUNCTION_PASS SWITCHED_PASS
#define HEURISTIC_PASS(NAME, HEURISTIC, PASS)                                                                \
  IF_NAMED(NAME, parse_switches, if (!parameters.is_on(Heuristic::HEURISTIC)) return;                        \
           ADD_FUNCTION(NAME, [](auto& function, auto& analyses) {                                           \
             PreservedAnalyses preserved = PASS(function, analyses);                                         \
             note_change(Heuristic::HEURISTIC, !preserved.areAllPreserved());                                \
             return preserved;                                                                               \
           }))
#define PARAMETRISED_PASS(NAME, PARSE, PASS) IF_NAMED(NAME, PARSE, passes.addPass(PASS);)
#include "compiler/passes/passes.def"
  return false;
}

} // namespace

void register_passes(PassBuilder& builder) {
  builder.registerPipelineParsingCallback(add_module_pass);
  builder.registerPipelineParsingCallback(add_function_pass);
}

} // namespace hostcl::compiler
