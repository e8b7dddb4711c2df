// Checks of collective functions, which all work-items of a group or sub-group have to call alike (OpenCL C 3.0,
// 6.15.11 and 6.15.16 to 6.15.19), and instrumentation for properties about them that only the source tells:
//
//   async_work_group_copy(to, from, n, e)   `arguments`: a report if an argument is divergent of the
//                                           group. Each copy returns an event of its own, unless it continues an event
//   wait_group_events(n, &e)                `arguments`: likewise, and a report if an event is 0
//   work_group_broadcast(x, i)              `arguments`: a report if i is divergent of the group
//   sub_group_shuffle(x, i)                 `arguments`: a report if lane i does not exist or is not active
//   sub_group_barrier(flags)                `divergence`: a report if a lane of the sub-group is not active
//   async_work_group_copy(...)              `divergence`: a barrier without fences before the copy, which all
//                                           work-items have to reach; `races`: calls around the copy, which identify
//                                           it for check-races
//   atomic_store_explicit(..., scope)       `races`: calls of __hostcl_race_order around the operation, if its scope
//                                           is the group
//
// In:  code as the front end made it, before the library is linked.
// Test: tests/passes/checks/check_collectives.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/race_accesses.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The values of OpenCL C's memory_scope in clang.
enum : std::uint64_t { scope_work_item, scope_work_group, scope_device, scope_all_devices, scope_sub_group };

/// Checks that all work-items of a group have the same integer or pointer.
void check_same(IRBuilder<>& builder, CallBase& call, Value& value, const Twine& sentence) {
  Type* i64 = builder.getInt64Ty();
  if (isa<Constant>(value) || !(value.getType()->isPointerTy() || value.getType()->isIntegerTy())) return;
  Value* number = value.getType()->isPointerTy() ? builder.CreatePtrToInt(&value, i64)
                                                 : builder.CreateZExtOrTrunc(&value, i64);
  report(builder, number, site_of(call, Check::arguments, sentence, /*must_be_uniform=*/true));
}

/// Makes `own` the event that a copy returns, unless the copy continues another event. In memory an event is an i64.
void number_event(CallBase& copy, std::uint64_t own) {
  IRBuilder<> entry(&copy.getFunction()->getEntryBlock().front());
  AllocaInst* event = entry.CreateAlloca(copy.getType(), nullptr, "event");
  IRBuilder<> after(copy.getNextNode());
  StoreInst* returned = after.CreateStore(&copy, event);
  Value* number = after.CreateLoad(after.getInt64Ty(), event);
  after.CreateStore(after.CreateSelect(after.CreateIsNull(number), after.getInt64(own), number), event);
  copy.replaceUsesWithIf(after.CreateLoad(copy.getType(), event),
                         [&](const Use& use) { return use.getUser() != returned; });
}

void check_copy(CallBase& call, StringRef name, Checks checks, std::uint64_t number) {
  IRBuilder<> builder(&call);
  if (checks.has(Check::arguments))
    for (unsigned i = 0; i + 1 < call.arg_size(); ++i)
      check_same(builder, call, *call.getArgOperand(i),
                 name + "() with an argument " + Twine(i) +
                     " that differs between the work-items of a group");
  if (checks.has(Check::arguments)) number_event(call, number);
  if (checks.has(Check::divergence)) call_intrinsic(builder, Intrinsic::barrier, 0);
  if (!checks.has(Check::races)) return;
  call_function(builder, copy_begin, builder.getVoidTy());
  IRBuilder<> after(call.getNextNode());
  call_function(after, copy_end, after.getVoidTy());
}

/// Checks the number of events, and the events themselves if their number is constant; at most 16 of them.
void check_wait(CallBase& call, Checks checks) {
  constexpr std::uint64_t most = 16;
  const auto* count = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!checks.has(Check::arguments) && !checks.has(Check::uninitialised)) return;
  IRBuilder<> builder(&call);
  check_same(builder, call, *call.getArgOperand(0),
             "wait_group_events() with a number of events that differs between the work-items of a group");
  for (std::uint64_t i = 0; count && i < std::min(count->getZExtValue(), most); ++i) {
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), call.getArgOperand(1), i);
    Value* event = builder.CreateAlignedLoad(builder.getInt64Ty(), place, Align(8));
    check_same(builder, call, *event,
               "wait_group_events() with an event that differs between the work-items of a group");
    if (!checks.has(Check::arguments)) continue;
    report_if(builder.CreateIsNull(event), call,
              site_of(call, Check::arguments, "wait_group_events() with an event that no copy has returned"));
    builder.SetInsertPoint(&call);
  }
}

/// Writes a call of a sub-group function that returns a uint.
Value* sub_group(IRBuilder<>& builder, const Twine& name, ArrayRef<Value*> operands = {}) {
  return call_function(builder, name, builder.getInt32Ty(), operands);
}

/// Writes the ballot of the active lanes.
Value* active_lanes(IRBuilder<>& builder) {
  return call_function(builder, "_Z16sub_group_balloti", FixedVectorType::get(builder.getInt32Ty(), 4),
                       {builder.getInt32(1)});
}

/// Checks that the lane exists and is active. @param is_mask whether the argument is combined with the own lane number
/// by xor
void check_lane(CallBase& call, StringRef name, bool is_mask) {
  IRBuilder<> builder(&call);
  Value* lane = call.getArgOperand(1);
  if (is_mask) lane = builder.CreateXor(lane, sub_group(builder, "_Z22get_sub_group_local_idv"));
  Value* is_active =
      sub_group(builder, "_Z28sub_group_ballot_bit_extractDv4_jj", {active_lanes(builder), lane});
  Value* is_missing = builder.CreateICmpUGE(lane, sub_group(builder, "_Z18get_sub_group_sizev"));
  report_if(
      builder.CreateOr(is_missing, builder.CreateIsNull(is_active)), call,
      site_of(call, Check::arguments, name + "() from a lane that does not exist or does not take part"));
}

void check_all_lanes(CallBase& call, StringRef name) {
  IRBuilder<> builder(&call);
  Value* count = sub_group(builder, "_Z26sub_group_ballot_bit_countDv4_j", {active_lanes(builder)});
  report_if(builder.CreateICmpNE(count, sub_group(builder, "_Z18get_sub_group_sizev")), call,
            site_of(call, Check::divergence, name + "() that not all work-items of the sub-group reach"));
}

void check_scope(CallBase& call) {
  const auto* scope = dyn_cast<ConstantInt>(call.getArgOperand(call.arg_size() - 1));
  if (!scope || (!scope->equalsInt(scope_work_group) && !scope->equalsInt(scope_sub_group))) return;
  auto order = [](Instruction* before, std::uint32_t how) {
    IRBuilder<> builder(before);
    Value *none = ConstantPointerNull::get(builder.getPtrTy()), *zero = builder.getInt64(0);
    call_function(builder, "__hostcl_race_order", builder.getVoidTy(),
                  {none, zero, zero, builder.getInt32(how)});
  };
  order(&call, abi::race_orders_group);
  order(call.getNextNode(), abi::race_orders_all);
}

/// @param number a number of the call that no other call of the module has
void check(CallBase& call, Checks checks, std::uint64_t number) {
  const CalledName called = called_name(call);
  const StringRef name = called.name;
  if (name.starts_with("async_work_group_")) return check_copy(call, name, checks, number);
  if (name == "wait_group_events") return check_wait(call, checks);
  if (checks.has(Check::races) && name.starts_with("atomic_") && name.ends_with("_explicit") &&
      called.parameters.ends_with("12memory_scope"))
    return check_scope(call);
  if (checks.has(Check::divergence) && name == "sub_group_barrier") return check_all_lanes(call, name);
  if (!checks.has(Check::arguments)) return;
  if (name == "sub_group_shuffle" || name == "sub_group_shuffle_xor")
    return check_lane(call, name, name == "sub_group_shuffle_xor");
  if (name != "work_group_broadcast") return;
  IRBuilder<> builder(&call);
  for (unsigned i = 1; i < call.arg_size(); ++i)
    check_same(builder, call, *call.getArgOperand(i),
               "work_group_broadcast() from a work-item that differs between the work-items of a group");
}

} // namespace

PreservedAnalyses check_collectives_pass(Module& module, ModuleAnalysisManager&, const Switches& switches) {
  std::uint64_t calls = 0;
  return check_instructions(module, [&](Instruction& instruction) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) check(*call, switches.checks, ++calls);
  });
}

} // namespace hostcl::compiler
