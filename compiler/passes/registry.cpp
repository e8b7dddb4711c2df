#include "compiler/passes/registry.hpp"

#include "compiler/passes/checks/bounds.hpp"
#include "compiler/passes/codegen/separate_body.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/passes/prepare/speculation.hpp"
#include "compiler/passes/printers.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

#define NOT_HERE(...)
#define AS_OBJECT(MACRO, NAME, PASS)                                                                         \
  {                                                                                                          \
    static constexpr char pass_name[] = NAME;                                                                \
    MACRO(NAME, (FunctionAsPass<pass_name, PASS>()))                                                         \
  }

/// A pass that is a function, under the name in passes.def.
template <const char* pass_name, auto pass>
struct FunctionAsPass : PassInfoMixin<FunctionAsPass<pass_name, pass>> {
  static StringRef name() { return pass_name; }
  static bool isRequired() { return true; }
  template <class Unit, class Analyses>
  PreservedAnalyses run(Unit& unit, Analyses& analyses) {
    return pass(unit, analyses);
  }
};

bool add_module_pass(StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS_OBJECT(NAME, PASS)                                                                       \
  if (name == NAME) {                                                                                        \
    passes.addPass(PASS);                                                                                    \
    return true;                                                                                             \
  }
#define MODULE_PASS(NAME, PASS) AS_OBJECT(MODULE_PASS_OBJECT, NAME, PASS)
#define FUNCTION_PASS NOT_HERE
#define FUNCTION_PASS_OBJECT NOT_HERE
#define PARAMETRISED_PASS NOT_HERE
#define PRINTER NOT_HERE
#include "compiler/passes/passes.def"
  return false;
}

/// Adds a pass with parameters, which follow the pass's name in angle brackets.
template <class Parse, class Make>
bool add_parametrised(StringRef name, StringRef pass, Parse parse, Make make, FunctionPassManager& passes) {
  auto parameters = PassBuilder::parsePassParameters(parse, name, pass);
  if (!parameters) {
    errs() << toString(parameters.takeError()) << '\n';
    return false;
  }
  passes.addPass(make(*parameters));
  return true;
}

bool add_function_pass(StringRef name, FunctionPassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS NOT_HERE
#define MODULE_PASS_OBJECT NOT_HERE
#define FUNCTION_PASS_OBJECT(NAME, PASS)                                                                     \
  if (name == NAME) {                                                                                        \
    passes.addPass(PASS);                                                                                    \
    return true;                                                                                             \
  }
#define FUNCTION_PASS(NAME, PASS) AS_OBJECT(FUNCTION_PASS_OBJECT, NAME, PASS)
#define PARAMETRISED_PASS(NAME, PARSE, PASS)                                                                 \
  if (PassBuilder::checkParametrizedPassName(name, NAME))                                                    \
    return add_parametrised(name, NAME, PARSE, [](const auto& parameters) { return PASS; }, passes);
#define PRINTER(NAME, PRINT)                                                                                 \
  if (name == "print<" NAME ">") {                                                                           \
    passes.addPass(PrinterPass(PRINT));                                                                      \
    return true;                                                                                             \
  }
#include "compiler/passes/passes.def"
  return false;
}

} // namespace

void register_passes(PassBuilder& builder) {
  builder.registerPipelineParsingCallback(add_module_pass);
  builder.registerPipelineParsingCallback(add_function_pass);
}

} // namespace hostcl::compiler
