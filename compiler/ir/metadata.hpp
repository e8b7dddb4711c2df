#pragma once

// All names that begin with `hostcl.`: attributes, metadata, module flags and symbols by which front end, pipeline and
// passes pass information to each other that LLVM's IR cannot express in another way. docs/kernel-metadata.md says who
// sets and who reads each name; `tests/shape/guard.py metadata` compares this file with that page, and finds names that
// are written anywhere else.

#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler::metadata {

using Name = llvm::StringLiteral;

inline constexpr Name prefix = "hostcl.";

// Attributes of a kernel: the members of KernelShape (kernel_shape.hpp).
inline constexpr Name dimensions = "hostcl.dimensions";             ///< sizes above it are 1
inline constexpr Name vector_dimension = "hostcl.vector_dimension"; ///< the launch's name of the kernel's x
inline constexpr Name uniform_groups =
    "hostcl.uniform_groups"; ///< all groups have the same size; also a module flag
inline constexpr Name single_item = "hostcl.single_item"; ///< every group is one work-item
inline constexpr Name reversed = "hostcl.reversed";       ///< the last chunk of a group runs first
inline constexpr Name tier0 = "hostcl.tier0";             ///< little code rather than fast code
inline constexpr Name width = "hostcl.width";             ///< work-items that one call runs
inline constexpr Name full_chunks = "hostcl.full_chunks"; ///< the local size is a multiple of the width
inline constexpr Name one_chunk = "hostcl.one_chunk";     ///< the local size is the width
inline constexpr Name partial_sub_groups =
    "hostcl.partial_sub_groups"; ///< rows that are not whole chunks run in lane 0
inline constexpr Name buffers_disjoint =
    "hostcl.buffers_disjoint"; ///< buffers of different arguments are disjoint
inline constexpr Name linearised_sub_groups =
    "hostcl.linearised_sub_groups";                           ///< chunks follow the linear local id
inline constexpr Name sees_vectors = "hostcl.sees_vectors";   ///< the kernel had sub-group operations
inline constexpr Name groups_merge = "hostcl.groups_merge";   ///< several groups may run as one
inline constexpr Name group_rows = "hostcl.group_rows";       ///< best number of rows of a group of any size
inline constexpr Name group_scratch = "hostcl.group_scratch"; ///< sub-groups share scratch without a barrier

// Other attributes of a kernel or its entry.
inline constexpr Name context_fixed = "hostcl.context_fixed";           ///< bytes that a thread needs once
inline constexpr Name context_per_chunk = "hostcl.context_per_chunk";   ///< bytes for each chunk of a group
inline constexpr Name entry = "hostcl.entry";                           ///< an entry, or a part of one
inline constexpr Name private_bytes = "hostcl.private_bytes";           ///< bytes of context, large variables
inline constexpr Name static_local_bytes = "hostcl.static_local_bytes"; ///< of local variables and scratch
inline constexpr Name block_kernel = "hostcl.block_kernel";             ///< it runs an enqueued block
inline constexpr Name takes_images = "hostcl.takes_images";             ///< parameters are images or samplers
inline constexpr Name pointer_numbers = "hostcl.pointer_numbers"; ///< converts between pointers and integers
inline constexpr Name checked_form = "hostcl.checked_form";       ///< the function for launches that may race
inline constexpr Name race_condition = "hostcl.race_condition";   ///< the function that tells such launches
inline constexpr Name checks_of = "hostcl.checks_of";             ///< the kernel whose checked form it is
inline constexpr Name image_properties = "hostcl.image_properties"; ///< formats and samplers of its arguments

// Attributes of other functions and of variables.
inline constexpr Name image_call = "hostcl.image_call";   ///< a function that image-calls specialises
inline constexpr Name host_name = "hostcl.host_name";     ///< a variable's name for the host
inline constexpr Name host_access = "hostcl.host_access"; ///< a HostAccess: how the host may access it
inline constexpr Name declared = "hostcl.declared";       ///< source location of an undefined symbol

// Metadata of instructions and loops.
inline constexpr Name deferrable = "hostcl.deferrable"; ///< of atomics that may reach memory late
inline constexpr Name in_bounds = "hostcl.in_bounds";   ///< of accesses that run only if they are in bounds
inline constexpr Name serial = "hostcl.serial";         ///< of atomics whose operands may not be combined
inline constexpr Name guarded_divisor = "hostcl.guarded_divisor"; ///< of divisors that guarded-division made
inline constexpr Name lane_bytes = "hostcl.lane_bytes";           ///< of private arrays that are interleaved
inline constexpr Name items = "hostcl.items";                     ///< of loops over the work-items of a group

// Module flags, from the build options; uniform_groups is one as well.
inline constexpr Name relaxed_math = "hostcl.relaxed_math";
inline constexpr Name flush_denormals = "hostcl.flush_denormals";
inline constexpr Name argument_info = "hostcl.argument_info";
inline constexpr Name debug_form = "hostcl.debug_form";
inline constexpr Name enqueue_errors = "hostcl.enqueue_errors";

// Symbols. A name that ends with a dot is the prefix of several symbols.
inline constexpr Name site = "hostcl.site";   ///< a variable with a check's abi::CheckSite
inline constexpr Name sites = "hostcl.sites"; ///< likewise all sites of a kernel's accesses
inline constexpr Name trap = "hostcl.trap";   ///< a variable with an abi::TrapSite
inline constexpr Name text = "hostcl.text.";  ///< variables with names of the source
inline constexpr Name race = "hostcl.race.";  ///< functions that record accesses

} // namespace hostcl::compiler::metadata
