#include "compiler/passes/registry.hpp"

#include "compiler/passes/atomics/deferrable_atomics.hpp"
#include "compiler/passes/atomics/deferred_atomics.hpp"
#include "compiler/passes/atomics/exchange_loops.hpp"
#include "compiler/passes/atomics/group_atomics.hpp"
#include "compiler/passes/atomics/local_atomics.hpp"
#include "compiler/passes/atomics/loop_updates.hpp"
#include "compiler/passes/checks/arguments.hpp"
#include "compiler/passes/checks/barrier_cases.hpp"
#include "compiler/passes/checks/bounds.hpp"
#include "compiler/passes/checks/collectives.hpp"
#include "compiler/passes/checks/commands/check_commands.hpp"
#include "compiler/passes/checks/components.hpp"
#include "compiler/passes/checks/divergence.hpp"
#include "compiler/passes/checks/elements.hpp"
#include "compiler/passes/checks/images.hpp"
#include "compiler/passes/checks/order_properties.hpp"
#include "compiler/passes/checks/races.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"
#include "compiler/passes/checks/split_races.hpp"
#include "compiler/passes/checks/uninitialised.hpp"
#include "compiler/passes/codegen/cache_tiling.hpp"
#include "compiler/passes/codegen/conditional_divisions.hpp"
#include "compiler/passes/codegen/defined_starts.hpp"
#include "compiler/passes/codegen/large_private.hpp"
#include "compiler/passes/codegen/one_lane_stores.hpp"
#include "compiler/passes/codegen/overlapping_accesses.hpp"
#include "compiler/passes/codegen/plain_addresses.hpp"
#include "compiler/passes/codegen/promote_half.hpp"
#include "compiler/passes/codegen/selected_loads.hpp"
#include "compiler/passes/codegen/separate_body.hpp"
#include "compiler/passes/codegen/shift_amounts.hpp"
#include "compiler/passes/codegen/split_large_regions.hpp"
#include "compiler/passes/codegen/transposed_loads.hpp"
#include "compiler/passes/codegen/unroll_and_jam.hpp"
#include "compiler/passes/entry/disjoint_buffers.hpp"
#include "compiler/passes/entry/kernel_entry.hpp"
#include "compiler/passes/group/barrier_regions.hpp"
#include "compiler/passes/group/barrier_synchronised_loops.hpp"
#include "compiler/passes/group/linearised_sub_groups.hpp"
#include "compiler/passes/group/local_memory.hpp"
#include "compiler/passes/group/single_item.hpp"
#include "compiler/passes/group/single_lane.hpp"
#include "compiler/passes/group/tree_reductions.hpp"
#include "compiler/passes/group/vector_dimension.hpp"
#include "compiler/passes/images/image_calls.hpp"
#include "compiler/passes/images/image_values.hpp"
#include "compiler/passes/prepare/address_space_queries.hpp"
#include "compiler/passes/prepare/byval_arguments.hpp"
#include "compiler/passes/prepare/canonical_indices.hpp"
#include "compiler/passes/prepare/constant_dimensions.hpp"
#include "compiler/passes/prepare/debug_variables.hpp"
#include "compiler/passes/prepare/guarded_division.hpp"
#include "compiler/passes/prepare/lower_printf.hpp"
#include "compiler/passes/prepare/lower_traps.hpp"
#include "compiler/passes/prepare/narrow_integers.hpp"
#include "compiler/passes/prepare/opaque_values.hpp"
#include "compiler/passes/prepare/private_volatile.hpp"
#include "compiler/passes/prepare/query_arguments.hpp"
#include "compiler/passes/prepare/speculation.hpp"
#include "compiler/passes/prepare/unroll_loops.hpp"
#include "compiler/passes/printers.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/passes/vectorise/choose/group_size_agnostic.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

#define NOT_HERE(...)

bool add_module_pass(StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS(NAME, PASS)                                                                              \
  if (name == NAME) {                                                                                        \
    passes.addPass(PASS);                                                                                    \
    return true;                                                                                             \
  }
#define FUNCTION_PASS NOT_HERE
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
#define FUNCTION_PASS(NAME, PASS)                                                                            \
  if (name == NAME) {                                                                                        \
    passes.addPass(PASS);                                                                                    \
    return true;                                                                                             \
  }
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
