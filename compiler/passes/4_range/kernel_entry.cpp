// Makes the function that the runtime calls (abi::Entry) of a kernel that runs a whole group: adds the loop over the
// groups of a range, unpacks arguments, reads the values of work-item queries from the launch, and lowers host
// callbacks (host_callbacks.hpp).
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %tile) {
//              %g = call i64 @__hostcl_group_id(i32 0) ... }
//
//   after:   define void @k.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context,
//                                 i64 %first, i64 %last) {
//              %p = load ptr addrspace(1), ptr %arguments
//              %tile = %local + load i64, ptr (%arguments + 8)
//              for (group = first; group != last; ++group)  body of @k with %g = group }
//
// With the module flag hostcl.flush_denormals, subnormal numbers count as zero while the function runs. Group ids are
// incremented from group to group; only the ids of the range's first group take divisions. Structures passed by value
// must not be modified (see byval_arguments).
//
// In:  one call of each kernel in the module runs a group (barrier_regions has run).
// Out: for each kernel K an external function `K.entry` with the attribute hostcl.entry; K is gone. No work-item query
// is left. The first block ends with a branch to the block that loads arguments, or to the last block if the range is
// empty.
// Tests: tests/passes/4_range/kernel_entry*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/check.hpp"
#include "compiler/abi/image.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/scratch_places.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/4_range/argument_layout.hpp"
#include "compiler/passes/4_range/flush_denormals.hpp"
#include "compiler/passes/4_range/group_loops.hpp"
#include "compiler/passes/4_range/host_callbacks.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

Function* declare_entry(Function& kernel) {
  LLVMContext& ctx = kernel.getContext();
  Type *pointer = PointerType::getUnqual(ctx), *i64 = Type::getInt64Ty(ctx);
  auto* type = FunctionType::get(Type::getVoidTy(ctx), {pointer, pointer, pointer, pointer, i64, i64}, false);
  auto* entry =
      Function::Create(type, GlobalValue::ExternalLinkage, kernel.getName() + ".entry", kernel.getParent());
  static constexpr const char* names[] = {"launch", "arguments", "local", "context", "first", "last"};
  for (Argument& argument : entry->args())
    argument.setName(names[argument.getArgNo()]);
  for (unsigned block : {launch, arguments, local_memory, context}) {
    entry->addParamAttr(block, Attribute::NoAlias);
    entry->addParamAttr(block, Attribute::NoUndef);
  }
  for (unsigned block : {launch, arguments})
    entry->addParamAttr(block, Attribute::ReadOnly);
  for (unsigned block : {local_memory, context})
    entry->addParamAttr(block, Attribute::getWithAlignment(ctx, Align(abi::scratch_alignment)));
  for (StringRef copied : {"target-cpu", "target-features", "prefer-vector-width", "min-legal-vector-width"})
    if (Attribute attribute = kernel.getFnAttribute(copied); attribute.isStringAttribute())
      entry->addFnAttr(attribute);
  entry->addFnAttr(metadata::entry, "true");
  entry->setDoesNotThrow();
  return entry;
}

/// Annotates the pointer to an image's descriptor with the descriptor's size and alignment, so that loads of the
/// descriptor's members can be hoisted out of conditions and loops. Other pointers are not annotated: the size that
/// their parameter has is a claim of the program, which may be wrong.
void keep_size_of_image(const Argument& argument, LoadInst& load) {
  const auto* pointer = dyn_cast<PointerType>(load.getType());
  if (!pointer || pointer->getAddressSpace() != constant_space ||
      argument.getDereferenceableBytes() != sizeof(abi::Image))
    return;
  const auto number = [&](std::uint64_t value) {
    auto* constant = ConstantInt::get(Type::getInt64Ty(load.getContext()), value);
    return MDNode::get(load.getContext(), {ConstantAsMetadata::get(constant)});
  };
  load.setMetadata(LLVMContext::MD_dereferenceable, number(sizeof(abi::Image)));
  load.setMetadata(LLVMContext::MD_align, number(alignof(abi::Image)));
}

/// Loads the kernel's parameters from the packed block.
std::vector<Value*> unpack_arguments(Function& kernel, Function& entry, IRBuilder<>& builder) {
  ArgumentLayout layout = argument_layout(kernel);
  std::vector<Value*> values;
  MDNode* empty = MDNode::get(builder.getContext(), {});
  for (Argument& argument : kernel.args()) {
    const ArgumentSlot& slot = layout.slots[argument.getArgNo()];
    Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry.getArg(arguments), slot.offset);
    if (argument.hasByValAttr()) {
      values.push_back(builder.CreateAddrSpaceCast(address, argument.getType(), argument.getName()));
      continue;
    }
    Type* type = argument.getType();
    bool is_local = type->isPointerTy() && type->getPointerAddressSpace() == local_space;
    Type* stored = is_local ? builder.getInt64Ty() : type;
    Align alignment(is_local ? 8 : slot.alignment);
    LoadInst* load = builder.CreateAlignedLoad(stored, address, alignment, argument.getName());
    load->setMetadata(LLVMContext::MD_invariant_load, empty);
    if (stored->isIntOrPtrTy()) load->setMetadata(LLVMContext::MD_noundef, empty);
    keep_size_of_image(argument, *load);
    Value* value = load;
    if (is_local) {
      Value* base = builder.CreateAddrSpaceCast(entry.getArg(local_memory), type);
      value = builder.CreateInBoundsGEP(builder.getInt8Ty(), base, load, argument.getName());
      value = aligned_up(builder, value, slot.alignment);
    }
    values.push_back(value);
  }
  return values;
}

/// Lowers the work-item queries of an entry function.
class QueryLowering {
public:
  QueryLowering(Function& entry, LaunchReader& fields, const GroupLoop& loop, const Function& kernel,
                const KernelShape& shape)
      : entry_(entry),
        fields_(fields),
        loop_(loop),
        shape_(shape),
        required_size_(kernel.getMetadata("reqd_work_group_size")) {}

  void run() {
    replace_each(entry_, [&](Instruction& instruction) -> Value* {
      const auto intrinsic = called_intrinsic(instruction);
      return intrinsic ? lower(*intrinsic, cast<CallBase>(instruction)) : nullptr;
    });
  }

private:
  Value* lower(Intrinsic intrinsic, CallBase& call) {
    LLVMContext& ctx = entry_.getContext();
    switch (intrinsic) {
    case Intrinsic::work_dim:
    case Intrinsic::default_queue:
      return fields_.answer(intrinsic);
    case Intrinsic::object_low:
      return fields_.object(offsetof(abi::CheckedObject, low), call.getArgOperand(0), call);
    case Intrinsic::object_size:
      return fields_.object(offsetof(abi::CheckedObject, size), call.getArgOperand(0), call);
    case Intrinsic::sub_group_lane:
      return shape_.width == 1 ? ConstantInt::get(Type::getInt32Ty(ctx), 0) : nullptr;
    case Intrinsic::sub_group_width:
      return ConstantInt::get(Type::getInt32Ty(ctx), shape_.width);
    case Intrinsic::sub_group_stride:
      return sub_group_stride(call);
    case Intrinsic::context:
      return entry_.getArg(context);
    case Intrinsic::local_base: {
      IRBuilder<> builder(&call);
      return builder.CreateAddrSpaceCast(entry_.getArg(local_memory), call.getType());
    }
    case Intrinsic::group_id:
      return loop_.id[launch_dimension(call)];
    case Intrinsic::local_size:
      return actual_size(launch_dimension(call));
    case Intrinsic::enqueued_local_size:
    case Intrinsic::global_size:
    case Intrinsic::global_offset:
    case Intrinsic::group_count:
      return launch_value(intrinsic, launch_dimension(call));
    default:
      return nullptr;
    }
  }

  unsigned launch_dimension(const CallBase& call) const { return shape_.renamed(dimension_of(call)); }

  Value* launch_value(Intrinsic intrinsic, unsigned dimension) {
    Type* i64 = Type::getInt64Ty(entry_.getContext());
    if (dimension >= shape_.dimensions)
      return ConstantInt::get(i64, intrinsic == Intrinsic::global_offset ? 0 : 1);
    // Merged groups have another size than their attributes say. Launches of another size than the required one are
    // refused.
    if (intrinsic == Intrinsic::enqueued_local_size && !shape_.groups_merge) {
      if (required_size_)
        return ConstantInt::get(
            i64, mdconst::extract<ConstantInt>(required_size_->getOperand(dimension))->getZExtValue());
      if (shape_.one_chunk && dimension == shape_.vector_dimension)
        return ConstantInt::get(i64, shape_.width);
    }
    return fields_.answer(intrinsic, dimension);
  }

  /// The size of this group: the last group of a dimension has the remaining work-items.
  Value* actual_size(unsigned dimension) {
    Value* enqueued = launch_value(Intrinsic::enqueued_local_size, dimension);
    if (shape_.uniform_groups || dimension >= shape_.dimensions) return enqueued;
    if (actual_[dimension]) return actual_[dimension];
    auto* id = cast<Instruction>(loop_.id[dimension]);
    IRBuilder<> builder(id->getParent(), id->getParent()->getFirstNonPHIIt());
    Value* before = builder.CreateMul(id, enqueued, "", true, true);
    Value* left =
        builder.CreateSub(fields_.answer(Intrinsic::global_size, dimension), before, "", true, true);
    return actual_[dimension] =
               builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, enqueued, nullptr, "size");
  }

  /// The number of work-items in each sub-group of this group, except the last sub-group.
  Value* sub_group_stride(CallBase& call) {
    IRBuilder<> builder(&call);
    Value* width = builder.getInt32(shape_.width);
    if (!shape_.partial_sub_groups) return width;
    Value* rest = builder.CreateURem(actual_size(shape_.vector_dimension), builder.getInt64(shape_.width));
    return builder.CreateSelect(builder.CreateIsNull(rest), width, builder.getInt32(1), "stride");
  }

  Function& entry_;
  LaunchReader& fields_;
  const GroupLoop& loop_;
  KernelShape shape_;
  MDNode* required_size_;
  Value* actual_[3] = {};
};

/// Describes the entry function to debuggers: the kernel appears as a function that is inlined into a function for its
/// work-groups. The code of the function for work-groups has no line numbers; otherwise a breakpoint on the kernel's
/// first line would stop in that code, where no work-item runs.
void describe_groups(Function& entry, const DISubprogram& kernel, CallInst& call) {
  DISubprogram* groups = DISubprogram::getDistinct(
      entry.getContext(), kernel.getScope(), (kernel.getName() + " [work-groups]").str(), "",
      kernel.getFile(), kernel.getLine(), kernel.getType(), /*ScopeLine=*/0, nullptr, 0, 0,
      DINode::FlagArtificial, DISubprogram::SPFlagDefinition, kernel.getUnit());
  entry.setSubprogram(groups);
  call.setDebugLoc(DILocation::get(entry.getContext(), 0, 0, groups));
}

bool is_debugged(const Function& kernel) {
  return kernel.getSubprogram() && kernel.getParent()->getModuleFlag(metadata::debug_form);
}

void inline_now(CallInst& call) {
  InlineFunctionInfo inlining;
  InlineFunction(call, inlining, false, nullptr, /*InsertLifetime=*/false);
}

void inline_call(IRBuilder<>& builder, Function& function, ArrayRef<Value*> values) {
  function.setCallingConv(CallingConv::C);
  for (Argument& argument : function.args())
    argument.removeAttr(Attribute::ByVal);
  function.removeFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::OptimizeNone);
  CallInst* call = builder.CreateCall(&function, values);
  if (is_debugged(function)) describe_groups(*call->getFunction(), *function.getSubprogram(), *call);
  inline_now(*call);
}

/// Writes, before the loop over groups, the condition under which the launch runs a split kernel without checks. The
/// condition function uses the launch's dimensions, which are not renamed.
Value* lower_condition(Function& condition, const Function& kernel, ArrayRef<Value*> values,
                       BasicBlock& start, LaunchReader& fields, const GroupLoop& loop) {
  IRBuilder<> builder(start.getTerminator());
  CallInst* call = builder.CreateCall(&condition, values);
  Value* free = builder.CreateFreeze(call, "race_free");
  inline_now(*call);
  KernelShape shape = kernel_shape(kernel);
  shape.vector_dimension = 0;
  shape.one_chunk = false;
  QueryLowering(*start.getParent(), fields, loop, kernel, shape).run();
  return free;
}

/// Writes the branch after a group: to the next group, or to the end of the range if the group has waited and the host
/// runs the rest of the range otherwise.
void go_on(BranchInst& next, BasicBlock& end) {
  Value* ends = ends_range(*end.getParent());
  if (!ends) return;
  IRBuilder<> builder(&next);
  Value* stops = builder.CreateTrunc(builder.CreateLoad(builder.getInt8Ty(), ends), builder.getInt1Ty());
  builder.CreateCondBr(stops, &end, next.getSuccessor(0));
  next.eraseFromParent();
}

/// Writes the code that runs a group: the kernel, or for a split kernel the checked form if the launch needs checks.
/// @param end the last block of the entry function
void fill_body(Function& kernel, ArrayRef<Value*> values, BasicBlock& start, BasicBlock& end,
               LaunchReader& fields, const GroupLoop& loop) {
  IRBuilder<> builder(loop.body);
  BranchInst* next = builder.CreateBr(loop.latch);
  builder.SetInsertPoint(next);
  if (Function* checked = checked_form_of(kernel)) {
    Function& condition = *race_condition_of(kernel);
    Value* free = lower_condition(condition, kernel, values, start, fields, loop);
    Instruction *without = nullptr, *with = nullptr;
    SplitBlockAndInsertIfThenElse(free, next, &without, &with);
    builder.SetInsertPoint(with);
    inline_call(builder, *checked, values);
    checked->eraseFromParent();
    condition.eraseFromParent();
    builder.SetInsertPoint(without);
  }
  inline_call(builder, kernel, values);
  go_on(*next, end);
}

void make_entry(Function& kernel) {
  KernelShape shape = kernel_shape(kernel);
  const bool is_split = checked_form_of(kernel);
  Function& entry = *declare_entry(kernel);
  LLVMContext& ctx = kernel.getContext();
  BasicBlock* check = BasicBlock::Create(ctx, "entry", &entry);
  BasicBlock* start = BasicBlock::Create(ctx, "start", &entry);
  BasicBlock* end = BasicBlock::Create(ctx, "end", &entry);
  if (kernel.getParent()->getModuleFlag(metadata::flush_denormals)) flush_denormals(*check, *end);
  IRBuilder<> builder(check);
  builder.CreateCondBr(builder.CreateICmpULT(entry.getArg(first_group), entry.getArg(last_group)), start,
                       end);
  IRBuilder<>(end).CreateRetVoid();

  builder.SetInsertPoint(start);
  std::vector<Value*> values = unpack_arguments(kernel, entry, builder);
  LaunchReader fields(entry, *start);
  GroupLoop loop = loop_over_groups(shape, entry, start, end, fields);

  fill_body(kernel, values, *start, *end, fields, loop);
  // Non-temporal stores become visible to other threads only after a fence.
  if (any_of(instructions(entry), [](auto& store) { return store.hasMetadata(LLVMContext::MD_nontemporal); }))
    IRBuilder<>(end->getTerminator()).CreateFence(AtomicOrdering::SequentiallyConsistent);
  QueryLowering(entry, fields, loop, kernel, shape).run();
  lower_host_callbacks(*entry.getArg(launch));
  // The instructions' lines refer to the kernel's subprogram. A split kernel has instructions of two subprograms.
  if (kernel.use_empty() && !is_split && !is_debugged(kernel)) entry.setSubprogram(kernel.getSubprogram());
}

void erase_unused_intrinsics(Module& module) {
  for (Function& function : make_early_inc_range(module))
    if (intrinsic_of(function) && function.use_empty()) function.eraseFromParent();
}

} // namespace

PreservedAnalyses kernel_entry_pass(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*, 1> kernels;
  for (Function& function : module)
    if (is_kernel_body(function) && kernel_of_form(function) == &function) kernels.push_back(&function);
  for (Function* kernel : kernels) {
    make_entry(*kernel);
    if (kernel->use_empty()) kernel->eraseFromParent();
  }
  erase_unused_intrinsics(module);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
