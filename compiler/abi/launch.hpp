#pragma once

// The contract between JIT-compiled kernels and the runtime that launches them. Plain data, no dependencies:
// the passes in compiler/passes/ emit loads at these offsets, runtime/ fills the structures in.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// Work-items of the largest group, CL_DEVICE_MAX_WORK_GROUP_SIZE. Machine code relies on it.
inline constexpr std::uint64_t max_group_items = 4096;

/// The sizes of a launch, counted in work-items or work-groups. Unused dimensions have size 1 and offset 0.
struct NDRange {
  std::uint64_t global_size[3];
  std::uint64_t global_offset[3];
  /// The enqueued local size. The last group of a dimension is smaller when it does not divide global_size.
  std::uint64_t local_size[3];
  /// ceil(global_size / local_size) for each dimension.
  std::uint64_t group_count[3];
  std::uint32_t work_dim;
  /// 1: no two memory objects to which the launch's buffer arguments point overlap. 0: they may overlap.
  std::uint32_t buffers_disjoint;
};

struct CheckSite;
struct CommandAccesses;
struct CoverageProfile;
struct CheckedObject;
struct Launch;
struct Pipe;
struct RaceGroup;
struct RaceLaunch;
struct TrapSite;

/// CLK_NULL_EVENT.
inline constexpr std::uint64_t no_event = ~std::uint64_t{0};

/// The ndrange_t of OpenCL C. Unused dimensions have size 1 and offset 0. If local sizes are 0, the host chooses them.
struct BlockRange {
  std::uint32_t work_dim;
  std::uint64_t global_offset[3];
  std::uint64_t global_size[3];
  std::uint64_t local_size[3];
};
static_assert(sizeof(BlockRange) == 80);

/// Queries about the kernel of a block.
enum class BlockQuery : std::uint32_t {
  work_group_size,
  preferred_multiple,
  sub_group_count,
  max_sub_group_size
};

/// A kernel that another kernel enqueues.
struct BlockLaunch {
  std::uint64_t queue;
  std::int32_t flags; ///< CLK_ENQUEUE_FLAGS_*
  const BlockRange* range;
  std::uint32_t wait_count;
  const std::uint64_t* waits;
  std::uint64_t* event; ///< receives the event of the launch; null if the caller needs no event
  std::uint64_t kernel; ///< number of the block's kernel in the program
  /// The block literal, of which a copy is the kernel's first argument; null if the block captures nothing.
  const std::byte* literal;
  std::uint32_t literal_bytes, literal_alignment;
  std::uint32_t local_count;
  const std::uint64_t* local_sizes; ///< bytes of the kernel's local arguments
};

/// Host callbacks: the C functions through which kernels call the host, on any thread that runs work-groups. They must
/// not throw, because machine code of kernels cannot be unwound. `trap` jumps over the kernels' frames, which own
/// nothing.
///
/// To add a host callback, add a member at the end, and a row in passes/4_range/host_callbacks.cpp with the name by which
/// kernel IR calls it. The structure has no version number, because machine code never meets another layout: keys of
/// the disk cache contain the driver's build (build_id.hpp), and binaries of programs contain IR.
struct HostCallbacks {
  void* context; ///< the first argument of all functions
  /// `__hostcl_printf`: prints one message, whose `arguments` are packed as compiler/abi/printf.hpp says.
  /// @returns 0, or -1 if the format is wrong for them or there is no memory
  std::int32_t (*print)(void* context, const char* format, const std::byte* arguments);

  // Enqueueing kernels from kernels (OpenCL C 3.0, 6.15.17). Queues and events are numbers, and kernels may pass
  // numbers that are not valid. Callbacks that take a launch fail if the launch has no enqueuer, as in constructors.

  /// `__hostcl_enqueue_kernel`. @returns a CLK_* value of OpenCL C, as enqueue_marker does
  std::int32_t (*enqueue_kernel)(void* context, const Launch* launch, const BlockLaunch* child);
  /// `__hostcl_enqueue_marker`.
  std::int32_t (*enqueue_marker)(void* context, const Launch* launch, std::uint64_t queue,
                                 std::uint32_t wait_count, const std::uint64_t* waits, std::uint64_t* event);
  /// `__hostcl_query_block`: `range` is null for queries that depend on none.
  std::uint32_t (*query_block)(void* context, const Launch* launch, BlockQuery query, std::uint64_t kernel,
                               const BlockRange* range);
  /// `__hostcl_create_user_event`. @returns an event, or no_event if there is no memory
  std::uint64_t (*create_user_event)(void* context);
  /// `__hostcl_retain_event`, `__hostcl_release_event`.
  void (*retain_event)(void* context, std::uint64_t event);
  void (*release_event)(void* context, std::uint64_t event);
  /// `__hostcl_is_valid_event`. @returns 1 or 0
  std::uint32_t (*is_valid_event)(void* context, std::uint64_t event);
  /// `__hostcl_set_user_event_status`.
  void (*set_user_event_status)(void* context, std::uint64_t event, std::int32_t status);
  /// `__hostcl_capture_event_profile`: stores two times, in nanoseconds, to `value`.
  void (*capture_event_profile)(void* context, std::uint64_t event, std::int32_t name, std::uint64_t* value);

  // Checked kernels (compiler/settings/checks.inc).

  /// `__hostcl_report`: a check has found something in the work-item with this local and group id.
  void (*report)(void* context, const Launch* launch, std::uint64_t what, std::uint64_t local_x,
                 std::uint64_t local_y, std::uint64_t local_z, std::uint64_t group_x, std::uint64_t group_y,
                 std::uint64_t group_z, const CheckSite* site);
  /// `__hostcl_object_low_at`, `__hostcl_object_size_at`: the start of the memory object that contains an address, in
  /// bytes relative to the address, and the object's size in bytes. If no object of the driver contains the address,
  /// the two describe a range that allows every access.
  std::int64_t (*object_low_at)(void* context, std::uint64_t address);
  std::uint64_t (*object_size_at)(void* context, std::uint64_t address);
  /// `__hostcl_convergence_arrive`: the work-item with this local and group id arrives at a convergence check; it would
  /// reach the barrier (1) or not (0).
  void (*convergence_arrive)(void* context, const Launch* launch, std::uint32_t reaches,
                             std::uint64_t local_x, std::uint64_t local_y, std::uint64_t local_z,
                             std::uint64_t group_x, std::uint64_t group_y, std::uint64_t group_z);
  /// `__hostcl_convergence_result`: reports a finding if the group's work-items diverge. @returns `reaches` of the
  /// first work-item that arrived
  std::uint32_t (*convergence_result)(void* context, const Launch* launch, const CheckSite* site);
  /// `__hostcl_race_group`: the state of a group that runs on this thread (race.hpp).
  RaceGroup* (*race_group)(void* context, const Launch* launch, std::uint64_t group_x, std::uint64_t group_y,
                           std::uint64_t group_z);
  /// `__hostcl_race_barrier`: the group has passed the barriers that are noted in its state.
  void (*race_barrier)(void* context, RaceGroup* group);
  /// `__hostcl_race_access`: a work-item, which its record names, makes an access that may race. `how` has bits of
  /// race.hpp, `sites` the places of the kernel's accesses.
  void (*race_access)(void* context, const Launch* launch, RaceGroup* group, std::uint64_t address,
                      std::uint64_t bytes, std::uint64_t record, std::uint32_t how,
                      const CheckSite* const* sites);
  /// `__hostcl_race_order`: a work-item makes a release operation (1) or has made an acquire operation (2), on the
  /// atomic object at the address, or on any atomic object (address 0).
  void (*race_order)(void* context, RaceGroup* group, std::uint64_t address, std::uint64_t record,
                     std::uint32_t how);

  /// `__hostcl_trap`: the work-item with this global id has reached a trap. This callback does not return: it ends the
  /// call of abi::Entry, and the launch. For an assertion, `expression`, `file` and `function` are addresses of texts;
  /// for other traps they and `line` are 0.
  void (*trap)(void* context, const Launch* launch, std::uint64_t global_x, std::uint64_t global_y,
               std::uint64_t global_z, const TrapSite* site, std::uint64_t expression, std::uint64_t file,
               std::uint64_t line, std::uint64_t function);

  // Pipes, as compiler/abi/pipe_ring.hpp says: `__hostcl_pipe_reserve_write` and so on.

  std::uint64_t (*pipe_reserve_write)(void* context, Pipe* pipe, std::uint32_t packets);
  std::uint64_t (*pipe_reserve_read)(void* context, Pipe* pipe, std::uint32_t packets);
  void (*pipe_commit_write)(void* context, Pipe* pipe, std::uint64_t reservation);
  void (*pipe_commit_read)(void* context, Pipe* pipe, std::uint64_t reservation);
  std::uint32_t (*pipe_packets)(void* context, Pipe* pipe);
  void (*pipe_reserve_write_lanes)(void* context, const std::uint32_t* packets, std::uint64_t* results,
                                   std::uint32_t lanes, Pipe* pipe);
  void (*pipe_reserve_read_lanes)(void* context, const std::uint32_t* packets, std::uint64_t* results,
                                  std::uint32_t lanes, Pipe* pipe);
  void (*pipe_commit_write_lanes)(void* context, const std::uint64_t* reservations, std::uint32_t lanes,
                                  Pipe* pipe);
  void (*pipe_commit_read_lanes)(void* context, const std::uint64_t* reservations, std::uint32_t lanes,
                                 Pipe* pipe);

  // More of checked kernels.

  /// `__hostcl_command_access`: a work-item accesses memory that several commands may access. `how` has bits of
  /// compiler/abi/check.hpp.
  void (*command_access)(void* context, const Launch* launch, std::uint64_t address, std::uint64_t bytes,
                         std::uint32_t how, const CheckSite* site);

  // Of kernels with coverage.

  /// `__hostcl_coverage_counters`: the calling thread's counters of a kernel (coverage.hpp).
  std::uint64_t* (*coverage_counters)(void* context, const CoverageProfile* profile);

  // Of kernels that wait for other work-groups.

  /// `__hostcl_wait`: a work-item of the group with this id has polled memory many times, and waits for another one.
  /// Bit 1 of `*state` is set if the wait has begun since the group's last call; the callback clears the bit. If the
  /// callback sets bit 0, the call of abi::Entry ends after this group. Other work-groups may run on the calling thread
  /// before the callback returns. If the launch ends early, the callback does not return.
  void (*wait)(void* context, std::uint64_t group_x, std::uint64_t group_y, std::uint64_t group_z,
               std::uint8_t* state);
};

/// A launch as its kernel sees it. Read-only while the launch runs.
struct Launch {
  NDRange range;
  const HostCallbacks* host_callbacks;
  std::uint64_t default_queue; ///< result of get_default_queue(); 0 if the device has no default queue
  void* enqueuer;              ///< for the host callbacks that take a launch; null for kernels that call none
  const CheckedObject* objects;        ///< one for each argument; null unless accesses are checked
  RaceLaunch* races = nullptr;         ///< null unless races are checked
  std::uint64_t number = 0;            ///< unique in the process; 0 unless the kernel is checked
  CommandAccesses* accesses = nullptr; ///< of the launch's command; null unless commands are checked
};

/// Runs the work-groups [first_group, last_group) of a launch, in ascending order, on the calling thread.
/// A group's linear number is x + group_count[0] * (y + group_count[1] * z).
///
/// `args` is the packed argument block, described by compiler::KernelArgument::offset and aligned to
/// scratch_alignment. It has values as they are, buffers as host addresses (null allowed), counters as addresses of
/// their cells, images as addresses of an Image, pipes as addresses of a Pipe, and samplers as a Sampler. A `local`
/// argument is a uint64_t byte offset from `local_memory`, a multiple of scratch_alignment. If the type to which a
/// `local` argument points has a larger alignment, the kernel rounds the pointer up, and the argument's memory is larger
/// by that alignment.
///
/// `local_memory` (aligned to scratch_alignment) has the kernel's static local variables, then the `local` arguments.
/// `context` (aligned to scratch_alignment) has compiler::KernelCode::context_bytes() bytes. Both blocks belong to the
/// calling thread and need not be initialised.
using Entry = void (*)(const Launch* launch, const std::byte* args, std::byte* local_memory,
                       std::byte* context, std::uint64_t first_group, std::uint64_t last_group);

/// Alignment of each block of arguments, of local memory and each object in it, and of each thread context: the
/// alignment of the largest types, long16 and double16.
inline constexpr std::size_t scratch_alignment = 128;

} // namespace hostcl::abi
