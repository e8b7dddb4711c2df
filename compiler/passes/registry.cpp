#include "compiler/passes/registry.hpp"

#include "compiler/passes/atomics/deferrable_atomics.hpp"
#include "compiler/passes/atomics/deferred_atomics.hpp"
#include "compiler/passes/atomics/exchange_loops.hpp"
#include "compiler/passes/atomics/group_atomics.hpp"
#include "compiler/passes/atomics/local_atomics.hpp"
#include "compiler/passes/checks/arguments.hpp"
#include "compiler/passes/checks/bounds.hpp"
#include "compiler/passes/checks/divergence.hpp"
#include "compiler/passes/checks/races.hpp"
#include "compiler/passes/checks/uninitialised.hpp"
#include "compiler/passes/codegen/conditional_divisions.hpp"
#include "compiler/passes/codegen/defined_starts.hpp"
#include "compiler/passes/codegen/large_private.hpp"
#include "compiler/passes/codegen/one_lane_stores.hpp"
#include "compiler/passes/codegen/overlapping_accesses.hpp"
#include "compiler/passes/codegen/plain_addresses.hpp"
#include "compiler/passes/codegen/promote_half.hpp"
#include "compiler/passes/codegen/selected_loads.hpp"
#include "compiler/passes/codegen/separate_body.hpp"
#include "compiler/passes/codegen/split_large_regions.hpp"
#include "compiler/passes/codegen/unroll_and_jam.hpp"
#include "compiler/passes/entry/kernel_entry.hpp"
#include "compiler/passes/group/barrier_regions.hpp"
#include "compiler/passes/group/joined_rows.hpp"
#include "compiler/passes/group/local_memory.hpp"
#include "compiler/passes/group/single_item.hpp"
#include "compiler/passes/group/single_lane.hpp"
#include "compiler/passes/group/vector_dimension.hpp"
#include "compiler/passes/images/image_calls.hpp"
#include "compiler/passes/images/image_values.hpp"
#include "compiler/passes/prepare/address_space_queries.hpp"
#include "compiler/passes/prepare/byval_arguments.hpp"
#include "compiler/passes/prepare/canonical_indices.hpp"
#include "compiler/passes/prepare/constant_dimensions.hpp"
#include "compiler/passes/prepare/lower_printf.hpp"
#include "compiler/passes/prepare/lower_traps.hpp"
#include "compiler/passes/prepare/opaque_values.hpp"
#include "compiler/passes/prepare/private_volatile.hpp"
#include "compiler/passes/prepare/query_arguments.hpp"
#include "compiler/passes/prepare/total_division.hpp"
#include "compiler/passes/prepare/unroll_loops.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/passes/vectorise/vectorise.hpp"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr Capabilities avx512{
    .vector_bits = 512, .byte_masks = true, .compresses = true, .long_conversions = true};

struct FunctionPassRow {
  StringRef name;
  void (*add)(FunctionPassManager&);
};

constexpr FunctionPassRow function_passes[] = {
    // LLVM's pass, told which space is the generic one: the host's cost model knows of none.
    {"infer-generic-space",
     [](FunctionPassManager& passes) { passes.addPass(InferAddressSpacesPass(generic_space)); }},
    {"address-space-queries", [](FunctionPassManager& passes) { passes.addPass(AddressSpaceQueriesPass()); }},
    {"lower-printf", [](FunctionPassManager& passes) { passes.addPass(LowerPrintfPass()); }},
    {"lower-traps", [](FunctionPassManager& passes) { passes.addPass(LowerTrapsPass()); }},
    {"single-item", [](FunctionPassManager& passes) { passes.addPass(SingleItemPass()); }},
    {"single-lane", [](FunctionPassManager& passes) { passes.addPass(SingleLanePass()); }},
    {"total-division", [](FunctionPassManager& passes) { passes.addPass(TotalDivisionPass()); }},
    {"deferrable-atomics", [](FunctionPassManager& passes) { passes.addPass(DeferrableAtomicsPass()); }},
    {"deferred-atomics", [](FunctionPassManager& passes) { passes.addPass(DeferredAtomicsPass()); }},
    {"exchange-loops", [](FunctionPassManager& passes) { passes.addPass(ExchangeLoopsPass()); }},
    {"group-atomics", [](FunctionPassManager& passes) { passes.addPass(GroupAtomicsPass()); }},
    {"local-atomics", [](FunctionPassManager& passes) { passes.addPass(LocalAtomicsPass()); }},
    {"long-blocks", [](FunctionPassManager& passes) { passes.addPass(LongBlocksPass()); }},
    {"unroll-and-jam", [](FunctionPassManager& passes) { passes.addPass(UnrollAndJamPass()); }},
    {"many-loops", [](FunctionPassManager& passes) { passes.addPass(ManyLoopsPass()); }},
    {"promote-half", [](FunctionPassManager& passes) { passes.addPass(PromoteHalfPass()); }},
    {"wide-to-half", [](FunctionPassManager& passes) { passes.addPass(WideToHalfPass()); }},
    {"one-lane-stores", [](FunctionPassManager& passes) { passes.addPass(OneLaneStoresPass()); }},
    {"selected-loads", [](FunctionPassManager& passes) { passes.addPass(SelectedLoadsPass()); }},
    {"unroll-loops", [](FunctionPassManager& passes) { passes.addPass(UnrollLoopsPass()); }},
    {"vectorise",
     [](FunctionPassManager& passes) { passes.addPass(VectorisePass({.only_if_faster = true})); }},
    {"vectorise-4", [](FunctionPassManager& passes) { passes.addPass(VectorisePass({.width = 4})); }},
    {"vectorise-16-wide",
     [](FunctionPassManager& passes) {
       Capabilities cpu = avx512;
       cpu.fetches_overwritten = true;
       passes.addPass(VectorisePass({.width = 16, .cpu = cpu}));
     }},
    {"vectorise-slow-scatters",
     [](FunctionPassManager& passes) {
       Capabilities cpu = avx512;
       cpu.slow_scattered_access = true;
       passes.addPass(VectorisePass({.width = 16, .cpu = cpu, .only_if_faster = true}));
     }},
    {"vectorise-8", [](FunctionPassManager& passes) { passes.addPass(VectorisePass({.width = 8})); }},
    {"joined-rows", [](FunctionPassManager& passes) { passes.addPass(JoinedRowsPass()); }},
    {"vector-dimension", [](FunctionPassManager& passes) { passes.addPass(VectorDimensionPass()); }},
    {"conditional-divisions",
     [](FunctionPassManager& passes) { passes.addPass(ConditionalDivisionsPass()); }},
    {"defined-starts", [](FunctionPassManager& passes) { passes.addPass(DefinedStartsPass()); }},
    {"overlapping-accesses", [](FunctionPassManager& passes) { passes.addPass(OverlappingAccessesPass()); }},
    {"canonical-indices", [](FunctionPassManager& passes) { passes.addPass(CanonicalIndicesPass()); }},
    {"private-volatile", [](FunctionPassManager& passes) { passes.addPass(PrivateVolatilePass()); }},
    {"constant-dimensions", [](FunctionPassManager& passes) { passes.addPass(ConstantDimensionsPass()); }},
    {"certain-bounds",
     [](FunctionPassManager& passes) { passes.addPass(CheckBoundsPass(CheckBoundsPass::Of::certain)); }},
    {"check-bounds",
     [](FunctionPassManager& passes) { passes.addPass(CheckBoundsPass(CheckBoundsPass::Of::all)); }},
    {"mark-uninitialised", [](FunctionPassManager& passes) { passes.addPass(MarkUninitialisedPass()); }},
    {"check-uninitialised", [](FunctionPassManager& passes) { passes.addPass(CheckUninitialisedPass()); }},
    {"check-divergence", [](FunctionPassManager& passes) { passes.addPass(CheckDivergencePass()); }},
    {"check-races", [](FunctionPassManager& passes) { passes.addPass(CheckRacesPass()); }},
    {"local-memory", [](FunctionPassManager& passes) { passes.addPass(LocalMemoryPass()); }},
    {"barrier-regions", [](FunctionPassManager& passes) { passes.addPass(BarrierRegionsPass()); }},
};

struct ModulePassRow {
  StringRef name;
  void (*add)(ModulePassManager&);
};

constexpr ModulePassRow module_passes[] = {
    {"opaque-values", [](ModulePassManager& passes) { passes.addPass(OpaqueValuesPass()); }},
    {"check-arguments", [](ModulePassManager& passes) { passes.addPass(CheckArgumentsPass()); }},
    {"image-values", [](ModulePassManager& passes) { passes.addPass(ImageValuesPass()); }},
    {"image-calls", [](ModulePassManager& passes) { passes.addPass(ImageCallsPass()); }},
    {"byval-arguments", [](ModulePassManager& passes) { passes.addPass(ByvalArgumentsPass()); }},
    {"kernel-entry", [](ModulePassManager& passes) { passes.addPass(KernelEntryPass()); }},
    {"large-private", [](ModulePassManager& passes) { passes.addPass(LargePrivatePass()); }},
    {"plain-addresses", [](ModulePassManager& passes) { passes.addPass(PlainAddressesPass()); }},
    {"query-arguments", [](ModulePassManager& passes) { passes.addPass(QueryArgumentsPass()); }},
    {"separate-loops",
     [](ModulePassManager& passes) { passes.addPass(SeparateBodyPass(SeparateBodyPass::Of::many_loops)); }},
    {"separate-code",
     [](ModulePassManager& passes) { passes.addPass(SeparateBodyPass(SeparateBodyPass::Of::much_code)); }},
};

template <class Rows, class Manager>
bool add_by_name(const Rows& rows, StringRef name, Manager& passes) {
  for (const auto& row : rows) {
    if (row.name != name) continue;
    row.add(passes);
    return true;
  }
  return false;
}

} // namespace

void register_passes(PassBuilder& builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        return add_by_name(function_passes, name, passes);
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        return add_by_name(module_passes, name, passes);
      });
}

} // namespace hostcl::compiler
