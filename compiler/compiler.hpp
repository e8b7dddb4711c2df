#pragma once

// The compiler's public interface: OpenCL C or SPIR-V in, machine code out. The compiler knows nothing of cl_mem or
// queues. Its functions may be called from any number of threads at once, except for set_cache() and the like, which
// must be called before anything is compiled.

#include "compiler/abi/group_size.hpp"
#include "compiler/abi/image_properties.hpp"
#include "compiler/abi/launch.hpp"
#include "compiler/abi/order.hpp"
#include "compiler/code_host.hpp"
#include "compiler/outcome.hpp"
#include "compiler/settings/settings.hpp"

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
#include <tuple>
#include <vector>

namespace hostcl::compiler {

/// The kind of a module, as CL_PROGRAM_BINARY_TYPE returns it.
enum class ModuleKind : std::uint8_t { object, library, executable };

/// Properties of a module that are known without reading its IR.
struct ModuleProperties {
  ModuleKind kind = ModuleKind::object;
  /// Whether linking this module alone changes nothing and finds no error: each function that the module declares is
  /// defined in the module or in the built-in library, and no function is recursive that must not be.
  bool is_complete = false;
};

/// A translation unit or a linked program as serialised IR. Immutable, cheap to share.
class Module {
public:
  Module() = default;
  Module(ModuleProperties properties, std::vector<std::byte> bitcode)
      : properties_(properties), bitcode_(std::move(bitcode)) {}
  const ModuleProperties& properties() const { return properties_; }
  ModuleKind kind() const { return properties_.kind; }
  std::span<const std::byte> bitcode() const { return bitcode_; }

  auto fields() { return std::tie(properties_, bitcode_); }

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
Outcome<ModulePtr> compile(const SettingsPtr& settings, std::string_view source, std::string_view options,
                           std::span<const Header> headers = {});

/// A constant of a SPIR-V module whose value clSetProgramSpecializationConstant can change.
struct SpecialisationConstant {
  std::uint32_t id = 0;    ///< the constant's SpecId in the module
  std::uint32_t bytes = 0; ///< size of the value: 1, 2, 4 or 8; 1 for a boolean
};

/// Properties of a SPIR-V module that are known before the module is compiled.
struct IlProperties {
  std::uint32_t version = 0; ///< SPIR-V version in the module's header: 0x00010400 is 1.4
  std::vector<SpecialisationConstant> constants;
};

/// Reads properties of a module in SPIR-V; a failure's log says in which way it is not well-formed.
Outcome<IlProperties> inspect_il(std::span<const std::byte> il);

/// A value that replaces the default value of a specialisation constant.
struct Specialisation {
  std::uint32_t id = 0;
  std::uint64_t bits = 0; ///< zero-extended
};

/// Compiles a module in SPIR-V 1.0 to 1.6 to a module of kind object.
/// @param values values for constants that inspect_il() returns; all other constants keep their default values
/// @param options as for compile(); options that have a meaning for OpenCL C only are ignored
Outcome<ModulePtr> compile_il(const SettingsPtr& settings, std::span<const std::byte> il,
                              std::span<const Specialisation> values, std::string_view options);

/// Links objects and libraries (5.8.7) to an executable, or to a library if options has -create-library.
/// Undefined functions are a failure for an executable; the log names each.
Outcome<ModulePtr> link(const SettingsPtr& settings, std::span<const ModulePtr> modules,
                        std::string_view options);

/// Makes an executable of one module, as clBuildProgram does. No options are needed: an object contains the options
/// with which it was compiled.
Outcome<ModulePtr> link(const SettingsPtr& settings, const ModulePtr& module);

/// The portable form that CL_PROGRAM_BINARIES returns: a versioned, checksummed container around the module.
std::vector<std::byte> serialise(const Module& module);
Outcome<ModulePtr> deserialise(const SettingsPtr& settings, std::span<const std::byte> bytes);

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
  opaque ///< a type of which applications cannot have values
};

/// Counters that one kernel may have (CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT); more are an error of the build.
inline constexpr std::uint32_t max_atomic_counters = 64;

/// One kernel parameter, with the strings that clGetKernelArgInfo returns.
struct KernelArgument {
  ArgumentKind kind = ArgumentKind::value;
  std::uint32_t offset = 0; ///< byte offset in the packed argument block
  std::uint32_t size = 0;   ///< bytes that clSetKernelArg takes for a value; 8 for everything else
  /// Alignment in the argument block; for a local pointer, of the memory to which it points.
  std::uint32_t alignment = 1;
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
  /// Local memory of variables as the program declares them. KernelCode has the size after compilation.
  std::uint64_t static_local_bytes = 0;
  std::uint64_t private_bytes = 0; ///< private memory per work-item, an estimate
  std::uint64_t instructions = 0;  ///< of the kernel and its callees, as the front end wrote them
  /// Whether the local size must divide the global size: OpenCL C 1.x, or -cl-uniform-work-group-size, in a part of the
  /// program.
  bool uniform_groups = false;
  bool enqueues = false; ///< the kernel may enqueue kernels, or query queues on the device
  /// Whether a failed enqueue_kernel() returns an error code that says why it failed (-g).
  bool names_enqueue_errors = false;
};

/// Properties of machine code that a launch needs.
struct CodeProperties {
  std::uint64_t static_local_bytes =
      0; ///< local memory that the kernel itself uses, before any local argument
  std::uint64_t context_bytes_fixed = 0;
  std::uint64_t context_bytes_per_chunk = 0; ///< for each started `width` work-items of a group
  std::uint32_t width = 1;                   ///< work-items per vector, which is the sub-group size
  std::uint32_t vector_dimension = 0;        ///< the dimension along which the work-items of a vector lie
  /// 1: consecutive groups along x may run as one larger group, which is faster. No work-item can observe the
  /// difference. Only used for launches of one dimension whose groups all have the same size.
  std::uint32_t groups_merge = 0;
  /// 1: a group may run as several smaller groups, whose size along the dimension of the vectors is a multiple of
  /// `width`.
  std::uint32_t groups_split = 0;
  std::uint32_t may_trap = 0;    ///< 1: the code may call abi::HostCallbacks::trap
  std::uint32_t waits = 0;       ///< 1: the code may call abi::HostCallbacks::wait
  std::uint32_t stack_bytes = 0; ///< upper bound of the stack that the code needs, with spilled registers

  /// Bytes that abi::Entry needs as context for groups of the given size.
  std::uint64_t context_bytes(const std::array<std::uint64_t, 3>& local_size) const {
    if (context_bytes_per_chunk == 0) [[likely]] // each launch calls this function, and most need no division
      return context_bytes_fixed;
    std::uint64_t chunks = 1;
    for (unsigned dimension : {0u, 1u, 2u}) {
      const std::uint64_t size = local_size[dimension];
      chunks *= dimension == vector_dimension ? (size + width - 1) / width : size;
    }
    return context_bytes_fixed + context_bytes_per_chunk * chunks;
  }
};

/// The offset at which machine code of a source line begins.
struct CodeLine {
  std::uint32_t offset; ///< bytes from KernelCode::first_byte
  std::uint32_t line;   ///< 0: code that belongs to no line
};

/// Machine code of one kernel.
struct KernelCode : CodeProperties {
  abi::Entry entry = nullptr;
  const std::byte* first_byte = nullptr; ///< of the code, including the functions that it calls
  std::uint64_t code_bytes = 0;
  std::vector<CodeLine> lines;                 ///< by offset; empty unless the program was compiled with -g
  std::uint64_t compile_ns = 0;                ///< time of the compilation, in nanoseconds
  const abi::OrderProperties* order = nullptr; ///< null unless orders are checked (HOSTCL_CHECK)
};

/// Machine code that is right for a launch.
struct KernelChoice {
  const KernelCode* code = nullptr; ///< lives as long as the executable
  abi::GroupSize groups; ///< size of the groups in which the launch should run; none: the launch's own size
  bool is_tier1 = false; ///< whether no faster code for the launch can be compiled
  unsigned versions = 0; ///< number of the kernel's versions when the code was chosen
};

/// What the host may do with a program-scope variable; the values are those of SPIR-V's HostAccessINTEL. `all` means
/// read and write.
enum class HostAccess : std::uint32_t { none = 0, read = 1, write = 2, all = 3 };

/// A program-scope variable in global memory that the host can find by its name.
struct HostVariable {
  std::string name;
  std::string symbol; ///< name in machine code
  std::uint64_t bytes = 0;
  HostAccess access = HostAccess::all;
};

/// A kernel of a program, with its machine code. Its first version (tier 0) relies on few properties of the launch that
/// asks for it: the number of dimensions, and whether ids fit 31 bits. Faster versions (tier 1) are each for launches
/// with the same properties (docs/glossary.md, "Variant"), and are compiled when a launch or tier1_code() asks for
/// them. If the compiler fails at a fallback level, it tries the next level, and does not try the failed level again.
class CompiledKernel {
public:
  virtual ~CompiledKernel() = default;

  /// The fastest code for a launch with this global and local size that has been compiled already; null if there is
  /// none. Does not compile anything.
  virtual KernelChoice find(const abi::NDRange& launch) = 0;

  /// Like find(), but if there is no code for the launch, compiles a version, or waits for another thread that compiles
  /// one.
  virtual Outcome<KernelChoice> code(const abi::NDRange& launch) = 0;

  /// The tier 1 code for the launch. Compiles the code if it has not been compiled yet.
  virtual Outcome<KernelChoice> tier1_code(const abi::NDRange& launch) = 0;

  /// The kernel with code for launches with these images and samplers. Returns this object, whose code works with all
  /// images, if there are too many combinations.
  virtual CompiledKernel& with_images(const ImageProperties& images) = 0;

  /// Compiles the code that the kernel's first launch will most likely need.
  virtual void compile_ahead() = 0;

  /// The number of versions. A caller that finds a larger number than before may find faster code.
  virtual unsigned versions() const = 0;

  /// Whether the kernel is faster in groups that are long along y; false until the kernel has been prepared for
  /// compilation.
  virtual bool prefers_columns() const = 0;

  /// Whether the kernel's code may be faster for launches whose buffers do not overlap; true until the kernel has been
  /// prepared for compilation.
  virtual bool gains_if_disjoint() const = 0;
};

/// Coverage data of a source (HOSTCL_COVERAGE).
struct CoverageUnit {
  std::string build; ///< hash of the source, the headers, the options and the description
  /// An object file that describes the source's coverage, as llvm-cov reads it; empty if the source was SPIR-V without
  /// lines, so that nothing is counted.
  std::string object;
  /// The texts that the application has passed. The object file has their names.
  std::vector<Header> sources;
};

/// A linked program that can run on this CPU; not an executable file. Machine code is compiled kernel by kernel and
/// lives as long as the executable.
class Executable {
public:
  virtual ~Executable() = default;

  /// The kernels that applications can create, in the order of the source.
  virtual std::span<const KernelSignature> kernels() const = 0;

  /// The kernels of blocks, which kernels enqueue, in the order of the numbers by which machine code names them.
  virtual std::span<const KernelSignature> block_kernels() const = 0;

  /// @param index an index into kernels(), or the number of kernels() plus an index into block_kernels()
  virtual CompiledKernel& kernel(std::size_t index) const = 0;

  /// Bytes of program-scope variables (CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE).
  virtual std::uint64_t global_variable_bytes() const = 0;

  /// The variable that the host can find by this name, and the variable's address; null if there is no such variable.
  virtual std::pair<const HostVariable*, void*> variable(std::string_view name) const = 0;

  /// What reports of the program's coverage need besides counts; empty without Settings::coverage.
  virtual std::span<const CoverageUnit> coverage() const = 0;

  /// Runs program-scope constructors (or destructors) of C++ for OpenCL; does nothing if the program has none.
  virtual Outcome<> run_initialisers(const abi::HostCallbacks& host_callbacks) = 0;
  virtual Outcome<> run_finalisers(const abi::HostCallbacks& host_callbacks) = 0;
  virtual bool has_initialisers() const = 0;
  virtual bool has_finalisers() const = 0;
};

/// Loads an executable module: program-scope variables are allocated and initialised, once.
Outcome<std::shared_ptr<Executable>> load(const SettingsPtr& settings, const ModulePtr& module,
                                          std::shared_ptr<CodeHost> host = nullptr);

/// A program that was compiled, linked and loaded.
struct Program {
  ModulePtr module;
  std::shared_ptr<Executable> executable;
};

/// Calls compile(), link() for the resulting module, and load(). The three steps share a thread, because the start of a
/// thread takes much of the time of a small program, and they share the IR in memory if linking changes nothing.
/// @param host where the machine code lives and runs; null for this process
Outcome<Program> build(const SettingsPtr& settings, std::string_view source, std::string_view options,
                       std::shared_ptr<CodeHost> host = nullptr);

/// Like build(), but with compile_il().
Outcome<Program> build_il(const SettingsPtr& settings, std::span<const std::byte> il,
                          std::span<const Specialisation> values, std::string_view options,
                          std::shared_ptr<CodeHost> host = nullptr);

/// Keeps compiled programs in a folder, for all processes of a user. Off until this is called.
/// @param folder path of the folder, which is created when it is first needed; an empty path turns the cache off
/// @param max_bytes size of the folder; when the folder exceeds it, the least recently used files are removed
/// @returns a failure if the cache will not use the folder in its present state
Outcome<> set_cache(const std::string& folder, std::uint64_t max_bytes);

/// Turns the cache off and waits until files that are being written are complete, until the deadline at most.
void close_cache(std::chrono::steady_clock::time_point deadline);

/// Sets the resource budget of one build, or of one launch for which a kernel is compiled: CPU time and memory. A build
/// or launch that exceeds the budget fails. 0 leaves the limit as it is.
void set_compile_limits(std::uint64_t seconds, std::uint64_t bytes);

/// Sets a function that is called whenever the compiler has failed at a fallback level, with a message that names the
/// level and the reason. Any thread may call the function, while it holds locks of the compiler.
void report_failed_levels(void (*function)(std::string_view message));

/// When processes of their own (server/server.hpp) compile the programs of the application.
enum class CompilerProcesses : std::uint8_t {
  after_escape, ///< once the compiler of the application's process had to be left: it crashed, or exceeded a limit
  always
};
/// Must be called after set_compile_limits().
/// @param report called once, with a message, if no process can be started; the compiler then works in this process
void use_compiler_processes(CompilerProcesses when, void (*report)(std::string_view message));

/// A scope in which builds and loads of the calling thread can be cancelled: they fail soon after `is_cancelled` has
/// returned true. The calling thread calls `is_cancelled` now and then while it waits for the compiler.
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

/// The step of the pipeline that a setting names, for Settings::last_step: with fewer steps, one can find the step that
/// makes a kernel wrong.
/// @param step number or name of the step; 0 leaves out all steps that only make kernels faster, an empty text none
/// @returns a failure if there is no such step
Outcome<unsigned> step_named(std::string_view step);

/// A line for each step of the pipeline: number, name, whether the step only makes kernels faster, passes.
std::string steps_help();

/// This machine's CPU.
const HostCpu& host_cpu();

/// Another CPU model than this machine's ("x86-64-v3", "haswell"); this machine's for an empty name.
/// @param must_run whether to refuse a model with instructions that kernels may use and that this machine lacks
Outcome<HostCpu> cpu_named(const std::string& name, bool must_run);

/// The settings for this machine's CPU, where no other ones are asked for.
SettingsPtr default_settings();

/// An extension or feature of OpenCL C that the compiler supports. `version` packs major.minor.patch as CL_MAKE_VERSION
/// does. The lists are in the order of CL_DEVICE_EXTENSIONS and CL_DEVICE_OPENCL_C_FEATURES.
struct NamedVersion {
  const char* name;
  std::uint32_t version;
};
std::span<const NamedVersion> language_extensions();
std::span<const NamedVersion> language_features();

/// The capabilities, extensions and extended instruction sets that SPIR-V modules may declare, for the queries of
/// cl_khr_spirv_queries.
std::span<const std::uint32_t> spirv_capabilities();
/// The SPIR-V capabilities that modules for a device with this language may declare.
std::vector<std::uint32_t> spirv_capabilities(const Language& language);
std::span<const char* const> spirv_extensions();
std::span<const char* const> spirv_extended_instruction_sets();
inline constexpr std::uint32_t newest_spirv_version = 0x00010600; ///< the oldest is 1.0

} // namespace hostcl::compiler
