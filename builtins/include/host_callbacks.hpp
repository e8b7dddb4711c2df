#pragma once

// Declarations of the host callbacks that built-in functions call, and of the functions that convert queues
// and events to numbers. docs/kernel-ir.md describes each of them.

#include "intrinsics.hpp"

// Conversions between queues or events and numbers. In machine code both are the same number, so these calls
// cost nothing.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
HOSTCL_PURE ulong __hostcl_queue_bits(queue_t queue);
HOSTCL_PURE ulong __hostcl_event_bits(clk_event_t event);
HOSTCL_PURE queue_t __hostcl_queue_of(ulong bits);
HOSTCL_PURE clk_event_t __hostcl_event_of(ulong bits);

#pragma clang diagnostic pop

HOSTCL_PURE ulong __hostcl_default_queue();

/// abi::BlockLaunch of compiler/abi/launch.hpp.
struct BlockLaunch {
  ulong queue;
  int flags;
  const __generic ndrange_t* range;
  uint wait_count;
  const __generic clk_event_t* waits;
  __generic clk_event_t* event;
  __generic void* code;
  __generic void* literal;
  uint literal_bytes, literal_alignment;
  uint local_count;
  const __generic ulong* local_sizes;
};
static_assert(sizeof(BlockLaunch) == 88);

extern "C" {
int __hostcl_enqueue_kernel(const __private BlockLaunch* child);
int __hostcl_enqueue_marker(ulong queue, uint wait_count, const __generic clk_event_t* waits,
                            __generic clk_event_t* event);
uint __hostcl_query_block(uint query, __generic void* code, const __private ndrange_t* range);
ulong __hostcl_create_user_event();
void __hostcl_retain_event(ulong event);
void __hostcl_release_event(ulong event);
uint __hostcl_is_valid_event(ulong event);
void __hostcl_set_user_event_status(ulong event, int status);
void __hostcl_capture_event_profile(ulong event, int name, __global void* value);
}
