#pragma once

// All names that begin with `hostcl.`: attributes, metadata, module flags and symbols by which front end, pipeline and
// passes pass information to each other that LLVM's IR cannot express in another way. docs/kernel-metadata.md says who
// sets and who reads each name; `tests/shape/guard.py metadata` compares this file and kernel_attributes.def with that
// page, and finds names that are written anywhere else.

#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler::metadata {

using Name = llvm::StringLiteral;

inline constexpr Name prefix = "hostcl.";

// Attributes of a kernel: the members of KernelShape.
#define KERNEL_NUMBER(NAME, DEFAULT) inline constexpr Name NAME = "hostcl." #NAME;
#define KERNEL_FLAG(NAME) inline constexpr Name NAME = "hostcl." #NAME;
#include "compiler/ir/kernel_attributes.def"
#undef KERNEL_NUMBER
#undef KERNEL_FLAG

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
// Module flag of a kernel's module.
inline constexpr Name fast_code = "hostcl.fast_code"; ///< see generate_code_fast()
// Module flags, from the device: one flag for each name in Language::lacks.
inline constexpr Name lacks = "hostcl.lacks.";

// Named metadata of modules: data for coverage (front/clang/coverage/coverage.hpp,
// passes/coverage/instrumentation.hpp).
inline constexpr Name coverage_data = "hostcl.coverage_data";
inline constexpr Name covered_functions = "hostcl.covered_functions";

// Symbols. A name that ends with a dot is the prefix of several symbols.
inline constexpr Name site = "hostcl.site";         ///< a variable with a check's abi::CheckSite
inline constexpr Name sites = "hostcl.sites";       ///< likewise all sites of a kernel's accesses
inline constexpr Name trap = "hostcl.trap";         ///< a variable with an abi::TrapSite
inline constexpr Name coverage = "hostcl.coverage"; ///< a variable with an abi::CoverageProfile
inline constexpr Name text = "hostcl.text.";        ///< variables with names of the source
inline constexpr Name race = "hostcl.race.";        ///< functions that record accesses

} // namespace hostcl::compiler::metadata
