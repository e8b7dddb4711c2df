#pragma once

// The compiler's public face: OpenCL C in, machine code out. It knows nothing of cl_mem or queues, holds no
// global state that a caller can see, and may be called from any number of threads at once.

#include "compiler/abi/group_size.hpp"
#include "compiler/abi/image_properties.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/outcome.hpp"
#include "compiler/settings/capabilities.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

/// The kind of a module, as CL_PROGRAM_BINARY_TYPE returns it.
enum class ModuleKind : std::uint8_t { object, library, executable };

/// What is known of a module without reading its IR.
struct ModuleProperties {
  ModuleKind kind = ModuleKind::object;
  /// Linking it alone changes nothing and finds no error: all that it declares is defined in it or in the
  /// built-in library, and no function calls itself that must not.
  bool is_complete = false;
};

/// A translation unit or a linked program as serialised IR. Immutable, cheap to share.
class Module {
public:
  Module(ModuleProperties properties, std::vector<std::byte> bitcode)
      : properties_(properties), bitcode_(std::move(bitcode)) {}
  const ModuleProperties& properties() const { return properties_; }
  ModuleKind kind() const { return properties_.kind; }
  std::span<const std::byte> bitcode() const { return bitcode_; }

private:
  ModuleProperties properties_;
  std::vector<std::byte> bitcode_;
};
using ModulePtr = std::shared_ptr<const Module>;

/// A named source that `#include` finds before any folder (clCompileProgram's input headers).
struct Header {
  std::string name;
  std::string source;
};

/// Compiles one translation unit to a module of kind object.
/// @param options as given to clCompileProgram or clBuildProgram (OpenCL 3.0 API, 5.8.6), link options
/// included.
Outcome<ModulePtr> compile(std::string_view source, std::string_view options,
                           std::span<const Header> headers = {});

/// A constant of an intermediate language's module that clSetProgramSpecializationConstant changes.
struct SpecialisationConstant {
  std::uint32_t id = 0;    ///< as the module's SpecId has it
  std::uint32_t bytes = 0; ///< of its value: 1, 2, 4 or 8; 1 for a boolean
};

/// What is known of a module in an intermediate language before it is compiled.
struct IlProperties {
  std::uint32_t version = 0; ///< SPIR-V's, as its header has it: 0x00010400 is 1.4
  std::vector<SpecialisationConstant> constants;
};

/// Reads properties of a module in SPIR-V; a failure's log says in which way it is not well-formed.
Outcome<IlProperties> inspect_il(std::span<const std::byte> il);

/// A value that replaces a specialisation constant's own.
struct Specialisation {
  std::uint32_t id = 0;
  std::uint64_t bits = 0; ///< zero-extended
};

/// Compiles a module in SPIR-V 1.0 to 1.6 to a module of kind object.
/// @param values for constants that inspect_il() knows; the others keep their own
/// @param options as for compile(); those that only the source language has meaning for are ignored
Outcome<ModulePtr> compile_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                              std::string_view options);

/// Links objects and libraries (5.8.7) to an executable, or to a library if options has -create-library.
/// Undefined functions are a failure for an executable; the log names each.
Outcome<ModulePtr> link(std::span<const ModulePtr> modules, std::string_view options);

/// Makes an executable of one module, as clBuildProgram does. None of its options matters to the linker: an
/// object has those that it was compiled with.
Outcome<ModulePtr> link(const ModulePtr& module);

/// The portable form that CL_PROGRAM_BINARIES returns: a versioned, checksummed container around the module.
std::vector<std::byte> serialise(const Module& module);
Outcome<ModulePtr> deserialise(std::span<const std::byte> bytes);

enum class ArgumentKind : std::uint8_t {
  value,
  global_pointer,
  constant_pointer,
  local_pointer,
  counter32,
  counter64,
  sampler,
  image,
  pipe,
  queue,
  opaque ///< a type that applications have no values of
};

/// Counters that one kernel may have (CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT); more are an error of the build.
inline constexpr std::uint32_t max_atomic_counters = 64;

/// One kernel parameter, with the strings that clGetKernelArgInfo returns.
struct KernelArgument {
  ArgumentKind kind = ArgumentKind::value;
  std::uint32_t offset = 0;    ///< byte offset in the packed argument block
  std::uint32_t size = 0;      ///< bytes that clSetKernelArg takes for a value; 8 for everything else
  std::uint32_t alignment = 1; ///< in the argument block; for a local pointer, of the memory it points to
  std::string name;
  std::string type_name;
  std::uint32_t address_qualifier = 0; ///< CL_KERNEL_ARG_ADDRESS_*
  std::uint32_t access_qualifier = 0;  ///< CL_KERNEL_ARG_ACCESS_*
  std::uint64_t type_qualifier = 0;    ///< CL_KERNEL_ARG_TYPE_* bits
  std::uint32_t image_type = 0;        ///< CL_MEM_OBJECT_IMAGE* of an image
  bool is_depth_image = false;
};

/// The properties of a kernel that are known before any machine code exists.
struct KernelSignature {
  std::string name;
  std::vector<KernelArgument> arguments;
  bool has_argument_info = false;                     ///< -cl-kernel-arg-info was given
  std::string attributes;                             ///< CL_KERNEL_ATTRIBUTES, space-separated
  std::array<std::uint64_t, 3> required_local_size{}; ///< reqd_work_group_size, or zeros
  std::array<std::uint64_t, 3> local_size_hint{};     ///< work_group_size_hint, or zeros
  std::uint32_t required_sub_group_size = 0;          ///< or 0
  std::uint64_t argument_bytes = 0;                   ///< size of the packed block
  std::uint64_t static_local_bytes = 0; ///< local variables as written; for layout use KernelCode's
  std::uint64_t private_bytes = 0;      ///< private memory per work-item, an estimate
  std::uint64_t instructions = 0;       ///< of the kernel and its callees, as the front end made them
  /// Work-groups must divide the NDRange: OpenCL C 1.x or -cl-uniform-work-group-size in a part of the
  /// program.
  bool uniform_groups = false;
  bool enqueues = false; ///< it may enqueue kernels, or asks about queues on the device
  /// A failed enqueue_kernel() says why (-g).
  bool names_enqueue_errors = false;
};

/// Properties of machine code that a launch needs. Plain data: cache files hold it as it is.
struct CodeProperties {
  std::uint64_t static_local_bytes =
      0; ///< local memory that the kernel itself uses, before any local argument
  std::uint64_t context_bytes_fixed = 0;
  std::uint64_t context_bytes_per_chunk = 0; ///< for each started `width` work-items of a group
  std::uint32_t width = 1;                   ///< work-items per vector, which is the sub-group size
  std::uint32_t vector_dimension = 0;        ///< the dimension that the work-items of a vector lie along
  /// 1: consecutive groups along x may run as one, which is faster and which no work-item can tell. This
  /// holds for launches of one dimension whose groups all have the same size.
  std::uint32_t groups_merge = 0;
  /// 1: a group may run as several, of any size that is a multiple of `width` along the vectors.
  std::uint32_t groups_split = 0;
  std::uint32_t may_trap = 0;    ///< 1: it may call abi::HostCallbacks::trap
  std::uint32_t stack_bytes = 0; ///< of the calling thread, at most, with registers that are spilled

  /// Bytes that abi::Entry needs as context for groups of the given size.
  std::uint64_t context_bytes(const std::array<std::uint64_t, 3>& local_size) const {
    if (context_bytes_per_chunk == 0) [[likely]] // each launch asks this: no division where there is no need
      return context_bytes_fixed;
    std::uint64_t chunks = 1;
    for (unsigned dimension : {0u, 1u, 2u}) {
      const std::uint64_t size = local_size[dimension];
      chunks *= dimension == vector_dimension ? (size + width - 1) / width : size;
    }
    return context_bytes_fixed + context_bytes_per_chunk * chunks;
  }
};

/// Where the code of a line of the source begins.
struct CodeLine {
  std::uint32_t offset; ///< bytes from KernelCode::first_byte
  std::uint32_t line;   ///< 0: of no line
};

/// Machine code of one kernel.
struct KernelCode : CodeProperties {
  abi::Entry entry = nullptr;
  const std::byte* first_byte = nullptr; ///< of the code, with the functions that it calls
  std::uint64_t code_bytes = 0;
  std::vector<CodeLine> lines;  ///< by offset; empty unless the program was compiled with -g
  std::uint64_t compile_ns = 0; ///< nanoseconds it took to make it
};

/// Machine code that is right for a launch.
struct KernelChoice {
  const KernelCode* code = nullptr; ///< lives as long as the executable
  abi::GroupSize groups; ///< that the launch runs in; none for those of the launch. No work-item can tell
  bool is_tier1 = false; ///< no code that could be compiled would suit the launch better
  unsigned versions = 0; ///< of the kernel among which the code was chosen
};

/// What the host may do with a program-scope variable, as SPIR-V's HostAccessINTEL has it; the last is both of two.
enum class HostAccess : std::uint32_t { none = 0, read = 1, write = 2, all = 3 };

/// A program-scope variable in global memory that the host knows by a name.
struct HostVariable {
  std::string name;
  std::string symbol; ///< in machine code
  std::uint64_t bytes = 0;
  HostAccess access = HostAccess::all;
};

/// A linked program, ready to run on this CPU. Machine code is made kernel by kernel and lives as long as the
/// executable. Each kernel has a version that is made first, and relies on no more than the number of dimensions and
/// the small ids of the launch that asks for it, and faster ones for launches of one kind, made when a launch or
/// tier1_code() asks for them. Where the compiler fails at a level, it takes the next level, and does not try
/// that level again.
class Executable {
public:
  virtual ~Executable() = default;

  /// Sorted as in the source.
  virtual std::span<const KernelSignature> kernels() const = 0;

  /// The kernels of blocks that kernels enqueue, in the order of the numbers that machine code calls them by. The
  /// functions below know them by numbers that follow those of kernels().
  virtual std::span<const KernelSignature> block_kernels() const = 0;

  /// Bytes of program-scope variables (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE).
  virtual std::uint64_t global_variable_bytes() const = 0;

  /// A variable that the host knows by this name, and its address; null if there is none.
  virtual std::pair<const HostVariable*, void*> variable(std::string_view name) const = 0;

  /// The tier 1 code that there is for a launch of kernels()[kernel] with this global and local size, without
  /// compiling anything; null if there is none.
  virtual KernelChoice find(std::size_t kernel, const abi::NDRange& launch) = 0;

  /// The same; where there is none, one version is compiled, or waited for.
  virtual Outcome<KernelChoice> code(std::size_t kernel, const abi::NDRange& launch) = 0;

  /// The code that suits the launch best; compiles it unless it is there.
  virtual Outcome<KernelChoice> tier1_code(std::size_t kernel, const abi::NDRange& launch) = 0;

  /// The number that the other functions take for launches of kernels()[kernel] with these images and samplers;
  /// `kernel` itself, whose code works with all, if there are very many kinds of launches.
  virtual std::size_t with_images(std::size_t kernel, const ImageProperties& images) = 0;

  /// Compiles the code that the first launch will most likely ask for.
  virtual void compile_ahead(std::size_t kernel) = 0;

  /// Goes up when a kernel has more code than before.
  virtual unsigned versions(std::size_t kernel) const = 0;

  /// Whether the kernel is faster in groups that are long along y; false until it has been prepared.
  virtual bool prefers_columns(std::size_t kernel) const = 0;

  /// Whether the kernel's code may be faster for launches whose buffers do not overlap; true until it has been prepared.
  virtual bool gains_if_disjoint(std::size_t kernel) const = 0;

  /// Runs program-scope constructors (or destructors) of C++ for OpenCL; no-op where there are none.
  virtual Outcome<> run_initialisers(const abi::HostCallbacks& host_callbacks) = 0;
  virtual Outcome<> run_finalisers(const abi::HostCallbacks& host_callbacks) = 0;
  virtual bool has_initialisers() const = 0;
  virtual bool has_finalisers() const = 0;
};

/// Loads an executable module: program-scope variables are allocated and initialised, once.
Outcome<std::shared_ptr<Executable>> load(const ModulePtr& module);

/// A program that was compiled, linked and loaded.
struct Program {
  ModulePtr module;
  std::shared_ptr<Executable> executable;
};

/// compile(), link() of that one module, and load(). They share a thread, whose start is much of the time
/// that a small program takes, and the IR in memory if linking changes nothing.
Outcome<Program> build(std::string_view source, std::string_view options);

/// The same for a module in SPIR-V, as compile_il() takes it.
Outcome<Program> build_il(std::span<const std::byte> il, std::span<const Specialisation> values,
                          std::string_view options);

/// Keeps compiled programs in a folder, for all processes of a user. Off until this is called.
/// @param folder made when first needed; empty turns the cache off
/// @param max_bytes the least recently used files go when the folder exceeds it
/// @returns a failure if the folder as it is now will not be used
Outcome<> set_cache(const std::string& folder, std::uint64_t max_bytes);

/// Turns the cache off and waits until files that are being written are complete, until the deadline at most.
void close_cache(std::chrono::steady_clock::time_point deadline);

/// Bounds what one build, or one launch that has a kernel compiled, may take; past them it fails. 0 changes nothing.
void set_compile_limits(std::uint64_t seconds, std::uint64_t bytes);

/// Has a function called for each fallback level that the compiler failed at, with a sentence that says which
/// and why. It may be called by any thread, under locks of the compiler.
void report_failed_levels(void (*function)(std::string_view message));

/// Has everything that LLVM and clang do for programs of others done by processes of their own (server/server.hpp); call
/// it after all other settings.
/// @param report is called once, with a sentence, where none can be started: the compiler then works in this process
void use_compiler_processes(void (*report)(std::string_view message));

/// While one lives, builds and loads of the calling thread fail soon after the function has returned true. It is
/// asked now and then, by that thread, while it waits for the compiler.
class Cancellation {
public:
  explicit Cancellation(std::function<bool()> is_cancelled);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  static bool is_wanted_here();

private:
  std::function<bool()> is_cancelled_;
  Cancellation* outer_;
};

/// Work-items per vector, for every kernel made from now on; 0 lets the compiler choose, 1 is the scalar
/// form. Anything but a power of two up to 64 counts as 0.
void set_width(unsigned width);

/// Whether kernels made from now on run the work-items of a group in reverse order.
void set_reversed(bool reversed);

/// Leaves out the steps after this one that only make kernels faster, so that trying them one by one shows which makes a
/// kernel wrong; call it before anything is compiled.
/// @param step its number or name; 0 leaves out all, an empty text none
/// @returns what is wrong with it, or an empty string
Outcome<> set_last_step(std::string_view step);

/// The steps that are left out, in a form that is part of cache keys; empty if none is.
std::string steps_left_out();

/// A line for each step: number, name, whether it only makes kernels faster, passes.
std::string steps_help();

/// Whether `#include` and its kin may read files; they find the headers that a program is given in any case.
void set_reads_files(bool reads_files);

/// The CPU that kernels are compiled for: LLVM's name of it, and the features that the name does not say.
struct HostCpu {
  std::string name;
  std::string features;
  Capabilities capabilities;
};
const HostCpu& host_cpu();

/// Compiles for another model than this machine's ("x86-64-v3", "haswell"); call it before anything is
/// compiled.
/// @param must_run refuses a model with instructions that kernels may use and this machine lacks
Outcome<> set_cpu(const std::string& name, bool must_run);
void set_cpu(HostCpu cpu);

/// Extensions and features of OpenCL C that the compiler has on, in the order of CL_DEVICE_EXTENSIONS and
/// CL_DEVICE_OPENCL_C_FEATURES. `version` packs major.minor.patch as CL_MAKE_VERSION.
struct NamedVersion {
  const char* name;
  std::uint32_t version;
};
std::span<const NamedVersion> language_extensions();
std::span<const NamedVersion> language_features();

/// What modules in SPIR-V may declare, for the queries of cl_khr_spirv_queries.
std::span<const std::uint32_t> spirv_capabilities();
std::span<const char* const> spirv_extensions();
std::span<const char* const> spirv_extended_instruction_sets();
inline constexpr std::uint32_t newest_spirv_version = 0x00010600; ///< the oldest is 1.0

} // namespace hostcl::compiler
