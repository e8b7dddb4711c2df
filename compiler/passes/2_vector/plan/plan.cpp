#include "compiler/passes/2_vector/plan/plan.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/passes/3_group/tree_reductions.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the type has a wide form (lane_builder.hpp).
bool is_widenable(Type* type) {
  if (auto* record = dyn_cast<StructType>(type)) return all_of(record->elements(), is_widenable);
  if (auto* vector = dyn_cast<FixedVectorType>(type)) return !vector->getElementType()->isPointerTy();
  return VectorType::isValidElementType(type) && !type->isX86_FP80Ty();
}

/// Whether a vector of values of the type has the same layout in memory as an array of these values.
bool has_plain_layout(const DataLayout& layout, Type* type) {
  Type* element = type->getScalarType();
  if (type->isAggregateType() || !VectorType::isValidElementType(element) || element->isX86_FP80Ty())
    return false;
  std::uint64_t bits = layout.getTypeSizeInBits(element).getFixedValue();
  return bits % 8 == 0 && isPowerOf2_64(bits) && bits <= 64 &&
         !(type->isVectorTy() && element->isPointerTy());
}

// Gains of strided_access on an Emerald Rapids Xeon: grey of RGB bytes 4.1, complex numbers 1.8, RGB floats 1.4 to 1.6
// times as fast.
/// Whether the CPU has the masks that a wide access with gaps needs. CPUs without masks for bytes have them for
/// elements of 32 and 64 bits only; there, only loads gain.
bool may_leave_gaps(const VectoriseOptions& options, const Instruction& access) {
  Type* type = getLoadStoreType(&access);
  if (!options.switches.is_on(Heuristic::strided_access) || type->isVectorTy()) return false;
  return options.cpu.byte_masks || (isa<LoadInst>(access) && type->getScalarSizeInBits() >= 32);
}

/// Whether the division traps for no dividend. The divisor must be a constant for this, because any other divisor may
/// be poison in inactive lanes.
bool divides_safely(const Instruction& division) {
  return isa<Constant>(division.getOperand(1)) && isSafeToSpeculativelyExecute(&division);
}

/// Whether the instruction must not be executed without an active lane.
bool needs_active_lane(const Instruction& instruction, Form form) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  switch (form) {
  case Form::clone:
    if (call) return !called_intrinsic(*call) && !isSafeToSpeculativelyExecute(call);
    return isa<LoadInst>(instruction) || (instruction.isIntDivRem() && !divides_safely(instruction));
  case Form::widen_call:
  case Form::replicate:
  case Form::first_lane:
  case Form::last_lane:
  case Form::widen_masked:
  case Form::reduce:
  case Form::atomic:
  case Form::same:
  case Form::scattered:
    return true;
  default:
    return false;
  }
}

/// Whether the access may touch a page that is not mapped yet, or not writable yet. On some CPUs, a masked access to
/// such a page costs hundreds of cycles even if its mask is empty and no page fault happens.
bool may_lie_on_missing_page(const Instruction& instruction, Form form) {
  if (form != Form::contiguous && form != Form::strided) return false;
  const unsigned space = getLoadStorePointerOperand(&instruction)->getType()->getPointerAddressSpace();
  return space != private_space && space != local_space;
}

/// Whether the branch weights of the program or the library say that the branch is hardly taken to `to`.
bool is_unlikely(const BasicBlock& from, const BasicBlock& to) {
  std::uint64_t first = 0, second = 0;
  const auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !extractBranchWeights(*branch, first, second)) return false;
  return (branch->getSuccessor(0) == &to ? first : second) * rare_block < first + second;
}

/// For each block, whether it is only reached by unlikely branches, and through blocks of which this holds.
std::vector<bool> rare_blocks(const ForwardGraph& graph) {
  std::vector<bool> rare(graph.size());
  for (unsigned b = 1; b < graph.size(); ++b)
    rare[b] = all_of(predecessors(graph.block(b)), [&](const BasicBlock* from) {
      return graph.index(from) >= b || rare[graph.index(from)] || is_unlikely(*from, *graph.block(b));
    });
  return rare;
}

constexpr ManyForm many_forms[] = {
    {"__hostcl_pipe_reserve_write", "__hostcl_pipe_reserve_write_lanes", 1},
    {"__hostcl_pipe_reserve_read", "__hostcl_pipe_reserve_read_lanes", 1},
    {"__hostcl_pipe_commit_write", "__hostcl_pipe_commit_write_lanes", 1},
    {"__hostcl_pipe_commit_read", "__hostcl_pipe_commit_read_lanes", 1},
};

} // namespace

const ManyForm* many_form(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return nullptr;
  const auto* form = find_if(many_forms, [&](const ManyForm& row) { return row.one == callee->getName(); });
  return form == std::end(many_forms) ? nullptr : form;
}

std::string source_location(const Instruction& instruction) {
  const DebugLoc& location = instruction.getDebugLoc();
  if (!location || location.getLine() == 0) return {};
  return (location->getFilename() + ":" + Twine(location.getLine()) + ": ").str();
}

Plan::Plan(const ForwardGraph& graph, const LoopInfo& loops, const Shapes& shapes,
           const VectoriseOptions& options)
    : graph(graph), loops(loops), shapes(shapes), options(options), blocks_(graph.size()) {
  const std::vector<bool> predictable = shapes.predictable_masks();
  const std::vector<bool> rare = rare_blocks(graph);
  for (unsigned b = 0; b < graph.size(); ++b) {
    Block& block = blocks_[b];
    for (const Instruction& instruction : *graph.block(b)) {
      recipes_.insert({&instruction, choose(instruction)});
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        weigh(block, instruction, predictable[b]);
    }
    // A uniform branch needs an active lane whose condition decides. So does the entry of a loop.
    block.needs_lane |=
        graph.block(b)->getTerminator()->getNumSuccessors() > 1 && shapes.branches_uniformly(b);
    for (const BasicBlock* next : successors(graph.block(b)))
      block.needs_lane |= loops.isLoopHeader(next);
    block.is_slow = (block.is_slow || rare[b] || block.cost > operations_per_jump) &&
                    options.switches.is_on(Heuristic::skipped_blocks);
    blocks_[shapes.control_class(b)].guarded |= block.needs_lane || block.is_slow;
  }
}

/// Adds the code for the instruction to the block's cost and properties.
void Plan::weigh(Block& block, const Instruction& instruction, bool is_predictable) const {
  const Recipe& recipe = of(instruction);
  block.needs_lane |= needs_active_lane(instruction, recipe.form);
  block.is_slow |= is_predictable && may_lie_on_missing_page(instruction, recipe.form);
  if (shapes.of(&instruction).is_varying() || isa<StoreInst>(instruction))
    block.cost += operations_of(instruction).for_lanes * (recipe.confidence == Confidence::guess ? 2 : 1);
}

Form Plan::refuse(const Instruction& instruction, const Twine& why) {
  if (refusal_.empty()) refusal_ = (source_location(instruction) + why).str();
  return Form::refused;
}

Recipe Plan::choose(const Instruction& instruction) {
  if (isa<LoadInst, StoreInst>(instruction)) return choose_access(instruction);
  if (instruction.isTerminator()) return {choose_branch(instruction)};
  if (const auto* call = dyn_cast<CallInst>(&instruction)) return {choose_call(*call)};
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return choose_atomic(*update);
  if (isa<AtomicCmpXchgInst>(instruction)) return {Form::atomic};
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction)) {
    const auto size = variable->getAllocationSize(variable->getDataLayout());
    if (size && !size->isScalable()) return {Form::lane_copies};
    return {refuse(instruction, "a private array of variable size")};
  }
  if (isa<FenceInst>(instruction) || !shapes.of(&instruction).is_varying()) return {Form::clone};
  if (isa<PHINode>(instruction)) return {Form::widen};
  if (!is_widenable(instruction.getType()) || !all_of(instruction.operand_values(), [](const Value* operand) {
        return is_widenable(operand->getType());
      }))
    return {refuse(instruction, "a value of a type that cannot be vectorised")};
  if (instruction.isIntDivRem()) return {choose_division(instruction)};
  if (isa<GetElementPtrInst>(instruction) && instruction.getType()->isVectorTy()) return {Form::replicate};
  if (isa<GetElementPtrInst, CastInst, CmpInst, BinaryOperator, UnaryOperator, FreezeInst, SelectInst,
          ExtractValueInst, InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(
          instruction))
    return {Form::widen};
  return {
      refuse(instruction, "an instruction that cannot be vectorised: " + Twine(instruction.getOpcodeName()))};
}

Recipe Plan::choose_access(const Instruction& access) const {
  const auto* load = dyn_cast<LoadInst>(&access);
  const Shape shape = shapes.of(getLoadStorePointerOperand(&access));
  const bool is_simple = load ? load->isSimple() : cast<StoreInst>(access).isSimple();
  if (is_simple && shape.is_uniform()) return {load ? Form::clone : Form::last_lane};
  if (!is_simple || !has_plain_layout(access.getDataLayout(), getLoadStoreType(&access)))
    return {Form::replicate, shape.is_affine() ? shape.stride() : 0};
  const auto stride = shape.likely_stride();
  if (!stride) return {Form::scattered};
  if (*stride == 0) return {load ? Form::same : Form::scattered, 0, Confidence::guess};
  return choose_wide(access, *stride, shape.confidence());
}

Recipe Plan::choose_wide(const Instruction& access, std::int64_t stride, Confidence confidence) const {
  Type* type = getLoadStoreType(&access);
  const std::int64_t size = bytes_of(access);
  if (stride == size || (stride == -size && !type->isVectorTy()))
    return {Form::contiguous, stride, confidence};
  const bool gaps = stride > 0 && stride % size == 0 && stride / size <= largest_gap;
  return {gaps && may_leave_gaps(options, access) ? Form::strided : Form::scattered, stride, confidence};
}

Form Plan::choose_call(const CallInst& call) const {
  // Whether all arguments are uniform, except those that `may_diverge` accepts.
  const auto are_uniform = [&](function_ref<bool(unsigned)> may_diverge) {
    return all_of(call.args(), [&](const Use& argument) {
      return may_diverge(call.getArgOperandNo(&argument)) || is_uniform(argument);
    });
  };
  using enum Intrinsic;
  if (counts_executions(call)) return Form::count_lanes;
  if (const auto intrinsic = called_intrinsic(call))
    return is_contained({sub_group, sub_group_lane, sub_group_width}, *intrinsic) ? Form::sub_group
                                                                                  : Form::clone;
  if (is_trap_call(call) || is_tree_reduction_call(call)) return Form::first_lane;
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (is_contained({llvm::Intrinsic::lifetime_start, llvm::Intrinsic::lifetime_end, llvm::Intrinsic::assume,
                    llvm::Intrinsic::experimental_noalias_scope_decl, llvm::Intrinsic::invariant_start,
                    llvm::Intrinsic::invariant_end},
                   id))
    return Form::drop;
  if (!call.getType()->isVoidTy() && !shapes.of(&call).is_varying()) return Form::clone;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&call);
      memory && !memory->isVolatile() && are_uniform([](unsigned) { return false; }))
    return Form::clone;
  if (const auto instruction = called_maths_instruction(call))
    return are_uniform([&](unsigned i) { return !is_scalar_operand(*instruction, i); })
               ? Form::widen_intrinsic
               : Form::replicate;
  if ((isTriviallyVectorizable(id) || id == llvm::Intrinsic::arithmetic_fence) &&
      !call.getType()->isStructTy())
    return are_uniform([&](unsigned i) { return !isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr); })
               ? Form::widen_intrinsic
               : Form::replicate;
  const ManyForm* form = many_form(call);
  return form && options.switches.is_on(Heuristic::pipe_lanes) &&
                 are_uniform([&](unsigned i) { return i == form->divergent; })
             ? Form::widen_call
             : Form::replicate;
}

// Gains of float_division on an Emerald Rapids Xeon: coordinates from / and % by an argument 2.4, a stencil with them
// 3.3, remainders by numbers in memory 2.9 times as fast.
/// Chooses floating point if there is a type in which the quotient is exact (values/division.cpp), unless the divisor
/// is a constant, for which the code generator multiplies by an inverse itself.
Form Plan::choose_division(const Instruction& division) const {
  const Type* type = division.getType();
  const unsigned bits = type->getScalarSizeInBits();
  // A divisor that is rounded when it is converted to double is larger than the dividend, so the quotient is 0 anyway.
  const bool is_exact = bits == 8 || bits == 16 || bits == 32 ||
                        (bits == 64 && !type->isVectorTy() && options.cpu.long_conversions &&
                         shapes.upper_bound(*division.getOperand(0)) < std::uint64_t{1} << 52);
  if (is_exact && options.switches.is_on(Heuristic::float_division) && !isa<Constant>(division.getOperand(1)))
    return Form::widen_float;
  return divides_safely(division) ? Form::widen : Form::widen_masked;
}

/// Speed-up by the test for a uniform address, for kernels of bench/survey/atomics on one core of a Xeon with AVX-512:
/// tile_maximum 9.7, row_sums 7.1, sums_of_runs 3.4, bit_set 3.3.
Recipe Plan::choose_atomic(const AtomicRMWInst& update) const {
  if (update.getType()->isVectorTy()) return {Form::replicate};
  // A floating-point sum depends on the order of its additions. If results are used, they are intermediate sums of some
  // serial order; a scan would add in another order.
  const bool needs_order =
      (update.getType()->isFloatingPointTy() && !update.use_empty()) || is_serial(update);
  const bool combines =
      update.getOperation() == AtomicRMWInst::Xchg || (combination_of(update.getOperation()) && !needs_order);
  if (!options.switches.is_on(Heuristic::vector_atomics) || update.isVolatile() || !combines)
    return {Form::atomic};
  const Value& address = *update.getPointerOperand();
  const Shape shape = shapes.of(&address);
  if (shape.is_uniform()) return {Form::reduce};
  const bool may_be_uniform =
      options.switches.is_on(Heuristic::uniform_atomics) && shape.is_varying() && !is_data_dependent(address);
  return may_be_uniform ? Recipe{Form::reduce, 0, Confidence::guess} : Recipe{Form::atomic};
}

Form Plan::choose_branch(const Instruction& branch) const {
  if (!shapes.branches_uniformly(graph.index(branch.getParent()))) return Form::branch_on_mask;
  const auto* two = dyn_cast<BranchInst>(&branch);
  return two && two->isConditional() && !is_uniform(two->getCondition()) ? Form::branch_on_any : Form::clone;
}

void Plan::print(raw_ostream& stream, StringRef name) const {
  constexpr StringLiteral names[] = {
#define FORM(NAME, PRINTED) PRINTED,
#include "compiler/passes/2_vector/plan/forms.inc"
  };
  ModuleSlotTracker slots(kernel().getParent(), /*ShouldInitializeAllMetadata=*/false);
  slots.incorporateFunction(kernel());
  stream << "plan of '" << name << "' for " << options.width << " lanes";
  stream << (refusal_.empty() ? "" : ", refused: " + refusal_) << '\n';
  for (unsigned b = 0; b < graph.size(); ++b) {
    const unsigned control_class = shapes.control_class(b);
    const bool is_skipped = control_class != shapes.control_class(0) && blocks_[control_class].guarded;
    graph.block(b)->printAsOperand(stream, /*PrintType=*/false, slots);
    stream << ": cost " << blocks_[b].cost << (is_skipped ? ", skipped without lanes\n" : "\n");
    for (const Instruction& instruction : *graph.block(b)) {
      const Recipe& recipe = of(instruction);
      stream << formatv("  {0,-16}", names[static_cast<unsigned>(recipe.form)]);
      instruction.print(stream, slots);
      if (recipe.stride != 0) stream << "; stride " << recipe.stride;
      stream << (recipe.confidence == Confidence::known     ? "\n"
                 : recipe.confidence == Confidence::checked ? "; unless an index wraps\n"
                                                            : "; if a test of the guess succeeds\n");
    }
  }
}

} // namespace hostcl::compiler
