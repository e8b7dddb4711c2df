#include "compiler/passes/4_range/host_callbacks.hpp"

#include "compiler/abi/launch.hpp"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

struct Row {
  StringRef name;     ///< of the function in kernel IR
  std::size_t offset; ///< of the member of abi::HostCallbacks
  bool takes_launch = false;
  bool returns = true;
};

constexpr Row rows[] = {
    {"__hostcl_printf", offsetof(abi::HostCallbacks, print)},
    {"__hostcl_enqueue_kernel", offsetof(abi::HostCallbacks, enqueue_kernel), true},
    {"__hostcl_enqueue_marker", offsetof(abi::HostCallbacks, enqueue_marker), true},
    {"__hostcl_query_block", offsetof(abi::HostCallbacks, query_block), true},
    {"__hostcl_create_user_event", offsetof(abi::HostCallbacks, create_user_event)},
    {"__hostcl_retain_event", offsetof(abi::HostCallbacks, retain_event)},
    {"__hostcl_release_event", offsetof(abi::HostCallbacks, release_event)},
    {"__hostcl_is_valid_event", offsetof(abi::HostCallbacks, is_valid_event)},
    {"__hostcl_set_user_event_status", offsetof(abi::HostCallbacks, set_user_event_status)},
    {"__hostcl_capture_event_profile", offsetof(abi::HostCallbacks, capture_event_profile)},
    {"__hostcl_report", offsetof(abi::HostCallbacks, report), true},
    {"__hostcl_object_low_at", offsetof(abi::HostCallbacks, object_low_at)},
    {"__hostcl_object_size_at", offsetof(abi::HostCallbacks, object_size_at)},
    {"__hostcl_convergence_arrive", offsetof(abi::HostCallbacks, convergence_arrive), true},
    {"__hostcl_convergence_result", offsetof(abi::HostCallbacks, convergence_result), true},
    {"__hostcl_race_group", offsetof(abi::HostCallbacks, race_group), true},
    {"__hostcl_race_barrier", offsetof(abi::HostCallbacks, race_barrier)},
    {"__hostcl_race_access", offsetof(abi::HostCallbacks, race_access), true},
    {"__hostcl_race_order", offsetof(abi::HostCallbacks, race_order)},
    {"__hostcl_coverage_counters", offsetof(abi::HostCallbacks, coverage_counters)},
    {"__hostcl_command_access", offsetof(abi::HostCallbacks, command_access), true},
    {"__hostcl_trap", offsetof(abi::HostCallbacks, trap), true, false},
    {"__hostcl_wait", offsetof(abi::HostCallbacks, wait)},
    {"__hostcl_pipe_reserve_write", offsetof(abi::HostCallbacks, pipe_reserve_write)},
    {"__hostcl_pipe_reserve_read", offsetof(abi::HostCallbacks, pipe_reserve_read)},
    {"__hostcl_pipe_commit_write", offsetof(abi::HostCallbacks, pipe_commit_write)},
    {"__hostcl_pipe_commit_read", offsetof(abi::HostCallbacks, pipe_commit_read)},
    {"__hostcl_pipe_packets", offsetof(abi::HostCallbacks, pipe_packets)},
    {"__hostcl_pipe_reserve_write_lanes", offsetof(abi::HostCallbacks, pipe_reserve_write_lanes)},
    {"__hostcl_pipe_reserve_read_lanes", offsetof(abi::HostCallbacks, pipe_reserve_read_lanes)},
    {"__hostcl_pipe_commit_write_lanes", offsetof(abi::HostCallbacks, pipe_commit_write_lanes)},
    {"__hostcl_pipe_commit_read_lanes", offsetof(abi::HostCallbacks, pipe_commit_read_lanes)},
};

/// Loads a pointer from a structure that is constant while the launch runs.
LoadInst* load_pointer(IRBuilder<>& builder, Value* structure, std::size_t offset, const char* name) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, offset);
  LoadInst* load = builder.CreateLoad(builder.getPtrTy(), address, name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

void lower(CallInst& call, Argument& launch, const Row& row) {
  IRBuilder<> builder(&call);
  Value* host_callbacks =
      load_pointer(builder, &launch, offsetof(abi::Launch, host_callbacks), "host_callbacks");
  Value* context = load_pointer(builder, host_callbacks, offsetof(abi::HostCallbacks, context), "context");
  Value* callback = load_pointer(builder, host_callbacks, row.offset, "callback");
  SmallVector<Value*, 8> arguments{context};
  if (row.takes_launch) arguments.push_back(&launch);
  append_range(arguments, call.args());
  const auto types = map_to_vector<8>(arguments, [](const Value* argument) { return argument->getType(); });
  CallInst* replacement =
      builder.CreateCall(FunctionType::get(call.getType(), types, false), callback, arguments);
  replacement->setDebugLoc(call.getDebugLoc());
  replacement->setMemoryEffects(call.getMemoryEffects());
  if (!row.returns) {
    replacement->setDoesNotReturn();
    replacement->addFnAttr(Attribute::Cold);
  }
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

} // namespace

bool is_host_callback(const Function& function) {
  return any_of(rows, [&](const Row& row) { return row.name == function.getName(); });
}

Value* ends_range(const Function& function) {
  if (const Function* wait = function.getParent()->getFunction("__hostcl_wait"))
    for (const User* user : wait->users())
      if (const auto* call = dyn_cast<CallInst>(user); call && call->getFunction() == &function)
        return call->getArgOperand(call->arg_size() - 1);
  return nullptr;
}

void lower_host_callbacks(Argument& launch) {
  Function& entry = *launch.getParent();
  for (const Row& row : rows)
    if (Function* function = entry.getParent()->getFunction(row.name))
      for (User* user : make_early_inc_range(function->users()))
        if (auto* call = dyn_cast<CallInst>(user); call && call->getFunction() == &entry)
          lower(*call, launch, row);
}

} // namespace hostcl::compiler
