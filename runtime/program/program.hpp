#pragma once

// Programs: their source, intermediate language or binaries, their builds, and the executables that kernels
// use.

#include "compiler/compiler.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/loaded_program.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace hostcl::runtime {

/// What a program is compiled from.
struct ProgramCode {
  std::string source{};        ///< if the origin is Program::Origin::source
  std::vector<std::byte> il{}; ///< if the origin is Program::Origin::il: a valid SPIR-V module
  std::vector<compiler::SpecialisationConstant> constants{}; ///< specialisation constants of the module
};

/// A cl_program. The application and its kernels hold references to it. Any thread may call its methods.
class Program : public HandleObject<_cl_program, Kind::program, CL_INVALID_PROGRAM> {
public:
  using Notify = void(CL_CALLBACK*)(cl_program, void*);

  /// The state of the build for one device.
  struct Build {
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    compiler::ModulePtr module;
    std::shared_ptr<LoadedProgram> loaded;
    std::shared_ptr<const BuildInputs> inputs{}; ///< null unless HOSTCL_CAPTURE is set, and for binaries
  };

  /// A header that clCompileProgram() gets.
  struct IncludedHeader {
    std::string name;
    Ref<Program> program;
  };

  enum class Origin { source, il, binary, link };

  Program(Context& context, std::vector<Ref<Device>> devices, Origin origin, ProgramCode code = {});
  ~Program();

  Context& context() const { return *context_; }
  const std::vector<Ref<Device>>& devices() const { return devices_; }
  Origin origin() const { return origin_; }
  bool has_code() const { return origin_ == Origin::source || origin_ == Origin::il; }
  const std::string& source() const { return code_.source; }
  const std::vector<std::byte>& il() const { return code_.il; }

  /// A copy of the build for a device; without a device, that for the first one.
  Build build_of(const Device* device) const;
  /// The executable of each device, null for devices without one. CL_INVALID_PROGRAM_EXECUTABLE if no device
  /// has one. Waits for a build that is in progress: applications that pass a callback to clBuildProgram()
  /// often do not wait for the callback.
  Result<std::vector<std::shared_ptr<LoadedProgram>>> executables() const;
  /// The first executable.
  Result<std::shared_ptr<LoadedProgram>> loaded() const;

  /// Sets the value of a specialisation constant for builds that begin from now on.
  Status specialise(std::uint32_t id, std::size_t size, const void* value);
  /// The size of a specialisation constant; 0 if the program has no constant with this number.
  std::uint32_t bytes_of_constant(std::uint32_t id) const;

  /// clBuildProgram(), clCompileProgram(), clLinkProgram(). `devices` must not be empty. With a callback, the
  /// work is done on a thread of its own.
  Status build(const std::vector<Device*>& devices, std::string options, Notify notify, void* user_data);
  Status compile(const std::vector<Device*>& devices, std::string options,
                 std::vector<IncludedHeader> headers, Notify notify, void* user_data);
  Status link(const std::vector<Device*>& devices, std::string options,
              const std::vector<Ref<Program>>& programs, Notify notify, void* user_data);

  /// clCreateProgramWithBinary(): sets the module of a device.
  Status load_binary(const Device& device, std::span<const std::byte> binary);
  static std::vector<std::byte> binary_of(const Build& build);

  /// A program with kernels cannot be built again, so it counts them.
  void attach_kernel() { kernels_.fetch_add(1, std::memory_order_relaxed); }
  void detach_kernel() { kernels_.fetch_sub(1, std::memory_order_relaxed); }

  /// clSetProgramReleaseCallback.
  DestructorCallbacks<cl_program>& release_callbacks() { return **release_; }

  Status info(cl_program_info name, Answer answer) const;
  Status build_info(const Device& device, cl_program_build_info name, Answer answer) const;

private:
  /// Devices that share one build, and the modules that the build begins with.
  struct Part {
    std::vector<Device*> devices;
    std::vector<Build> inputs;

    const compiler::SettingsPtr& settings() const { return devices.front()->settings(); }
  };

  Status begin(const std::vector<Device*>& devices, const std::string& options);
  template <class Inputs>
  std::vector<Part> parts_of(const std::vector<Device*>& devices, Inputs inputs_of) const;
  template <class Action>
  Status run(std::vector<Part> parts, std::string options, Notify notify, void* user_data, Action action);
  Status finish(const std::vector<Device*>& devices, const Build& result);
  static void compile_ahead(const std::shared_ptr<LoadedProgram>& loaded);
  std::size_t index_of(const Device& device) const;
  std::vector<compiler::Specialisation> specialisations() const;

  Ref<Context> context_;
  std::vector<Ref<Device>> devices_;
  Origin origin_;
  ProgramCode code_;
  std::atomic<unsigned> kernels_{0};
  std::shared_ptr<ReleaseCallbacks> release_;
  mutable std::mutex mutex_;              ///< guards builds_ and specialisations_
  mutable std::condition_variable built_; ///< signalled when a build is no longer in progress
  std::vector<Build> builds_;             ///< one for each device
  std::map<std::uint32_t, std::uint64_t> specialisations_; ///< bits by the id of the constant
};

} // namespace hostcl::runtime
