#include "runtime/program/program.hpp"
#include "runtime/program/compilation.hpp"

#include "runtime/coverage/coverage.hpp"
#include "runtime/faults/faults.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/timeline.hpp"
#include "runtime/threads/background.hpp"
#include "runtime/threads/start_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>

#include <pthread.h>

namespace hostcl::runtime {

Program::Program(Context& context, std::vector<Ref<Device>> devices, Origin origin, ProgramCode code)
    : HandleObject(destroy_object<Program>),
      context_(Ref<Context>(context)),
      devices_(std::move(devices)),
      origin_(origin),
      code_(std::move(code)),
      release_(std::make_shared<ReleaseCallbacks>(handle())),
      builds_(devices_.size()) {}

Program::~Program() = default;

std::size_t Program::index_of(const Device& device) const {
  auto found = std::ranges::find_if(devices_, [&](const auto& d) { return d.get() == &device; });
  return static_cast<std::size_t>(found - devices_.begin());
}

Program::Build Program::build_of(const Device* device) const {
  std::scoped_lock guard(mutex_);
  return builds_[device ? index_of(*device) : 0];
}

Result<std::vector<std::shared_ptr<LoadedProgram>>> Program::executables() const {
  std::vector<std::shared_ptr<LoadedProgram>> all;
  {
    std::unique_lock guard(mutex_);
    built_.wait(guard, [&] {
      return std::ranges::none_of(builds_, [](auto& build) { return build.status == CL_BUILD_IN_PROGRESS; });
    });
    for (const Build& build : builds_)
      all.push_back(build.loaded);
  }
  if (std::ranges::any_of(all, [](const auto& loaded) { return loaded != nullptr; })) return all;
  return fail(CL_INVALID_PROGRAM_EXECUTABLE,
              "the program has no executable; it must have been built without an error for this device");
}

Result<std::shared_ptr<LoadedProgram>> Program::loaded() const {
  TRY(auto all, executables());
  return *std::ranges::find_if(all, [](const auto& loaded) { return loaded != nullptr; });
}

// ---- Specialisation constants

Status Program::specialise(std::uint32_t id, std::size_t size, const void* value) {
  auto constant = std::ranges::find(code_.constants, id, &compiler::SpecialisationConstant::id);
  if (constant == code_.constants.end())
    return fail(CL_INVALID_SPEC_ID, "spec_id is ", id,
                "; the module has no specialisation constant of that number");
  if (size != constant->bytes)
    return fail(CL_INVALID_VALUE, "spec_size is ", size, "; the specialisation constant ", id, " has ",
                constant->bytes, constant->bytes == 1 ? " byte" : " bytes");
  if (!value) return fail(CL_INVALID_VALUE, "spec_value is NULL");
  std::uint64_t bits = 0; // hosts are little-endian, so a shorter value is in the low bytes
  std::memcpy(&bits, value, size);
  std::scoped_lock guard(mutex_);
  specialisations_[id] = bits;
  return {};
}

std::uint32_t Program::bytes_of_constant(std::uint32_t id) const {
  const auto constant = std::ranges::find(code_.constants, id, &compiler::SpecialisationConstant::id);
  return constant == code_.constants.end() ? 0 : constant->bytes;
}

std::vector<compiler::Specialisation> Program::specialisations() const {
  std::scoped_lock guard(mutex_);
  std::vector<compiler::Specialisation> values;
  for (auto [id, bits] : specialisations_)
    values.push_back({id, bits});
  return values;
}

// ---- Building

namespace {

struct ErrorCodes {
  cl_int options, failure;
};
constexpr ErrorCodes build_errors = {CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE};
constexpr ErrorCodes compile_errors = {CL_INVALID_COMPILER_OPTIONS, CL_COMPILE_PROGRAM_FAILURE};
constexpr ErrorCodes link_errors = {CL_INVALID_LINKER_OPTIONS, CL_LINK_PROGRAM_FAILURE};

/// Appends the outcome's log to the build, and returns its value or the OpenCL error for its status.
template <class T>
Result<T> taken(compiler::Outcome<T> outcome, Program::Build& build, ErrorCodes errors) {
  build.log += outcome.log;
  switch (outcome.status) {
  case compiler::Status::success:
    return std::move(outcome.value);
  case compiler::Status::invalid_options:
    return fail(errors.options, outcome.log);
  case compiler::Status::failure:
    return fail(errors.failure, outcome.log);
  case compiler::Status::invalid_binary:
    return fail(CL_INVALID_BINARY, outcome.log);
  case compiler::Status::out_of_memory:
    return fail(CL_OUT_OF_HOST_MEMORY, outcome.log.empty() ? "the compiler ran out of memory" : outcome.log);
  }
  return fail(errors.failure, outcome.log);
}

/// What the compiler gets of a program, as it was when the build began.
struct Input {
  const Program& program;
  std::vector<compiler::Specialisation> values; ///< values of specialisation constants
  std::string options;

  bool is_il() const { return program.origin() == Program::Origin::il; }
  void describe(timeline::Span& span) const {
    span.argument(is_il() ? "il_bytes" : "source_bytes",
                  is_il() ? program.il().size() : program.source().size());
    span.argument("options", options);
  }
};

Result<compiler::ModulePtr> compiled(const Input& input, const compiler::SettingsPtr& settings,
                                     std::span<const compiler::Header> headers, Program::Build& build) {
  timeline::Span span(timeline::Category::build, "compile");
  input.describe(span);
  return taken(input.is_il() ? compiler::compile_il(settings, input.program.il(), input.values, input.options)
                             : compiler::compile(settings, input.program.source(), input.options, headers),
               build, compile_errors);
}

Result<compiler::ModulePtr> linked(const compiler::SettingsPtr& settings,
                                   std::span<const compiler::ModulePtr> modules, const std::string& options,
                                   Program::Build& build) {
  timeline::Span span(timeline::Category::build, "link");
  span.argument("modules", modules.size());
  span.argument("options", options);
  return taken(compiler::link(settings, modules, options), build, link_errors);
}

Result<compiler::ModulePtr> linked(const compiler::SettingsPtr& settings, const compiler::ModulePtr& module,
                                   Program::Build& build) {
  timeline::Span span(timeline::Category::build, "link");
  return taken(compiler::link(settings, module), build, build_errors);
}

// ---- The inputs of builds, for HOSTCL_CAPTURE

using SharedInputs = std::shared_ptr<const BuildInputs>;

SharedInputs inputs_of(const Input& input, std::string build_options,
                       std::span<const compiler::Header> headers = {}) {
  if (options().capture.empty()) return nullptr;
  BuildInputs inputs{
      .kind = BuildInputs::Kind::source, .code = input.program.source(), .options = std::move(build_options)};
  inputs.headers.assign(headers.begin(), headers.end());
  if (input.is_il()) {
    const std::vector<std::byte>& il = input.program.il();
    inputs.kind = BuildInputs::Kind::il;
    inputs.code.assign(reinterpret_cast<const char*>(il.data()), il.size());
    for (const auto& [id, bits] : input.values)
      inputs.constants.push_back({id, input.program.bytes_of_constant(id), bits});
  }
  return std::make_shared<BuildInputs>(std::move(inputs));
}

/// The inputs of a program that clLinkProgram() gets. For a program from a binary, these are the binary alone.
SharedInputs inputs_of(const Program::Build& build, std::string build_options = {}) {
  if (options().capture.empty() || build.inputs) return build.inputs;
  const std::vector<std::byte> binary = compiler::serialise(*build.module);
  return std::make_shared<BuildInputs>(
      BuildInputs{.kind = BuildInputs::Kind::binary,
                  .code = {reinterpret_cast<const char*>(binary.data()), binary.size()},
                  .options = std::move(build_options)});
}

SharedInputs inputs_of(std::span<const Program::Build> builds, std::string build_options) {
  if (options().capture.empty()) return nullptr;
  BuildInputs inputs{.kind = BuildInputs::Kind::link, .options = std::move(build_options)};
  for (const Program::Build& build : builds)
    inputs.parts.push_back(inputs_of(build));
  return std::make_shared<BuildInputs>(std::move(inputs));
}

Status initialise(Context& context, std::shared_ptr<compiler::Executable> executable, Program::Build& build,
                  const std::shared_ptr<ReleaseCallbacks>& release, ErrorCodes errors) {
  if (auto run = executable->run_initialisers(context.host_callbacks()); !run) {
    build.log += "error: program-scope constructors failed: " + run.log + "\n";
    return fail(errors.failure, "program-scope constructors failed: ", run.log);
  }
  if (coverage::is_on()) coverage::keep(executable->coverage());
  build.loaded = std::make_shared<LoadedProgram>(context, std::move(executable), release);
  return {};
}

Status load_executable(Context& context, const compiler::SettingsPtr& settings, Program::Build& build,
                       const std::shared_ptr<ReleaseCallbacks>& release, ErrorCodes errors) {
  timeline::Span span(timeline::Category::build, "load");
  TRY(std::shared_ptr<compiler::Executable> executable,
      taken(compiler::load(settings, build.module, context.code_host()), build, errors));
  return initialise(context, std::move(executable), build, release, errors);
}

/// Makes a build fail as HOSTCL_FAIL says.
Status failed(Program::Build& build, const faults::Fault& fault) {
  build.log = "error: the build " + fault.sentence + "\n";
  return fail(fault.code, build.log);
}

Status build_program(const Input& input, const compiler::SettingsPtr& settings, Program::Build& build,
                     const std::shared_ptr<ReleaseCallbacks>& release) {
  timeline::Span span(timeline::Category::build, "program");
  input.describe(span);
  TRY(compiler::Program built,
      taken(input.is_il() ? compiler::build_il(settings, input.program.il(), input.values, input.options,
                                               input.program.context().code_host())
                          : compiler::build(settings, input.program.source(), input.options,
                                            input.program.context().code_host()),
            build, build_errors));
  build.module = std::move(built.module);
  return initialise(input.program.context(), std::move(built.executable), build, release, build_errors);
}

} // namespace

Status Program::begin(const std::vector<Device*>& devices, const std::string& options) {
  if (kernels_.load(std::memory_order_relaxed))
    return fail(CL_INVALID_OPERATION, "the program has kernels; release them before it is built");
  std::scoped_lock guard(mutex_);
  for (Device* device : devices)
    if (builds_[index_of(*device)].status == CL_BUILD_IN_PROGRESS)
      return fail(CL_INVALID_OPERATION, "an earlier build of the program has not completed");
  for (Device* device : devices)
    builds_[index_of(*device)].options = options;
  // From here on, finish() has to be called, whatever happens.
  for (Device* device : devices)
    builds_[index_of(*device)].status = CL_BUILD_IN_PROGRESS;
  return {};
}

/// Publishes the result of a build for the devices, or an error if there is no memory for it.
Status Program::finish(const std::vector<Device*>& devices, const Build& result) {
  std::vector<Build> builds; // the old builds are destroyed after the lock is released: finalisers may run
  try {
    builds.assign(devices.size(), result);
  } catch (const std::bad_alloc&) {
    std::scoped_lock guard(mutex_);
    for (Device* device : devices)
      builds_[index_of(*device)].status = CL_BUILD_ERROR;
    built_.notify_all();
    return fail(CL_OUT_OF_HOST_MEMORY, "out of memory for the result of a build");
  }
  std::scoped_lock guard(mutex_);
  built_.notify_all();
  for (std::size_t i = 0; i < devices.size(); ++i)
    std::swap(builds_[index_of(*devices[i])], builds[i]);
  return {};
}

/// Compiles the kernels of a small program ahead: all of them are likely to be launched.
void Program::compile_ahead(const std::shared_ptr<LoadedProgram>& loaded) {
  constexpr std::size_t few_kernels = 4;
  if (!loaded || loaded->kernels().size() > few_kernels) return;
  for (const auto& kernel : loaded->kernels())
    kernel->compile_ahead_in_background();
}

/// Groups devices by their compiler's settings and by the modules that `inputs_of` gives for them: devices with equal
/// settings and modules share a build.
template <class Inputs>
std::vector<Program::Part> Program::parts_of(const std::vector<Device*>& devices, Inputs inputs_of) const {
  std::vector<Part> parts;
  auto same_module = [](const Build& a, const Build& b) { return a.module == b.module; };
  for (Device* device : devices) {
    std::vector<Build> inputs = inputs_of(*device);
    auto part = std::ranges::find_if(parts, [&](const Part& part) {
      return part.settings() == device->settings() && std::ranges::equal(part.inputs, inputs, same_module);
    });
    if (part == parts.end()) part = parts.insert(part, Part{{}, std::move(inputs)});
    part->devices.push_back(device);
  }
  // A build for a device is also one for its sub-devices.
  auto part_with = [&](const Device* device) {
    return std::ranges::find_if(parts, [&](const Part& part) {
      return std::ranges::find(part.devices, device) != part.devices.end();
    });
  };
  for (const auto& device : devices_)
    for (Device* ancestor = device->parent(); ancestor && part_with(device.get()) == parts.end();
         ancestor = ancestor->parent())
      if (auto part = part_with(ancestor); part != parts.end()) part->devices.push_back(device.get());
  return parts;
}

namespace {

/// Runs the work on a new thread. If no thread can be started, the calling thread does the work.
template <class Work>
void run_in_thread(Work& work) {
  if (const auto thread = start_thread(work))
    pthread_detach(*thread);
  else
    work();
}

} // namespace

/// Calls the action for each part, which fills in a Build, and publishes the results. With a callback, this
/// is done on a thread of its own.
template <class Action>
Status Program::run(std::vector<Part> parts, std::string options, Notify notify, void* user_data,
                    Action action) {
  if (!Background::instance().can_compile()) return fail(CL_COMPILER_NOT_AVAILABLE, Background::no_compiler);
  std::vector<Device*> devices;
  for (const Part& part : parts)
    devices.insert(devices.end(), part.devices.begin(), part.devices.end());
  std::optional<faults::Fault> fault;
  if (const faults::Fault* later = faults::take_later_fault()) fault = *later;
  auto build_part = [this, options, fault, action = std::move(action)](const Part& part) -> Status {
    Build build;
    Status status;
    try {
      build.options = options;
      status = fault ? failed(build, *fault) : action(build, part);
    } catch (const std::bad_alloc&) {
      status = fail(CL_OUT_OF_HOST_MEMORY, "out of memory while building");
    } catch (const std::exception& error) {
      status = fail(CL_OUT_OF_RESOURCES, "the build failed: ", error.what());
    }
    build.status = status.ok() ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    if (!status.ok()) build.loaded = nullptr;
    if (build.loaded) build.loaded->set_inputs(build.inputs);
    Status finished = finish(part.devices, build);
    compile_ahead(build.loaded);
    return status.ok() ? std::move(finished) : std::move(status);
  };
  auto work = [parts = std::move(parts), build_part = std::move(build_part)]() -> Status {
    const Background::Compiling compiling;
    const auto start = std::chrono::steady_clock::now();
    Status first;
    for (const Part& part : parts)
      if (Status status = build_part(part); first.ok()) first = std::move(status);
    report_long_build(start);
    return first;
  };
  if (!notify) {
    TRY(begin(devices, options));
    return work();
  }
  Ref<Program> self(*this);
  auto background = [self, work, notify, user_data, mask = SignalMask::of_this_thread()]() mutable {
    Status status = [&] {
      const compiler::Cancellation released([&self] { return self->reference_count() == 0; });
      return work();
    }();
    Background::instance().wait_during_exit();
    if (!status.ok()) {
      Error error = std::move(status).error();
      log(LogLevel::warn, "a build failed: ", error.sentence());
      self->context().notify(error.sentence());
    }
    const ApplicationCode scope(mask);
    notify(self->handle(), user_data);
  };
  TRY(begin(devices, options));
  run_in_thread(background);
  return {};
}

Status Program::build(const std::vector<Device*>& devices, std::string options, Notify notify,
                      void* user_data) {
  if (origin_ == Origin::link)
    return fail(CL_INVALID_OPERATION, "the program was linked by clLinkProgram: it is built already");
  if (!has_code())
    for (const Device* device : devices)
      if (!build_of(device).module)
        return fail(CL_INVALID_BINARY, "the program has no binary for the device ", device);
  auto binary_of = [this](const Device& device) {
    return has_code() ? std::vector<Build>() : std::vector{build_of(&device)};
  };
  return run(parts_of(devices, binary_of), options, notify, user_data,
             [this, input = Input{*this, specialisations(), options_of_build(options)}](
                 Build& build, const Part& part) -> Status {
               build.inputs = has_code() ? inputs_of(input, build.options)
                                         : inputs_of(part.inputs.front(), build.options);
               if (has_code()) return build_program(input, part.settings(), build, release_);
               build.module = part.inputs.front().module;
               if (build.module->kind() != compiler::ModuleKind::executable) {
                 TRY(build.module, linked(part.settings(), build.module, build));
               }
               return load_executable(context(), part.settings(), build, release_, build_errors);
             });
}

Status Program::compile(const std::vector<Device*>& devices, std::string options,
                        std::vector<IncludedHeader> headers, Notify notify, void* user_data) {
  auto nothing = [](const Device&) { return std::vector<Build>(); };
  return run(parts_of(devices, nothing), options, notify, user_data,
             [input = Input{*this, specialisations(), options_of_build(options)},
              headers = std::move(headers)](Build& build, const Part& part) -> Status {
               std::vector<compiler::Header> sources;
               for (const auto& header : headers)
                 sources.push_back({header.name, header.program->source()});
               build.inputs = inputs_of(input, build.options, sources);
               TRY(build.module, compiled(input, part.settings(), sources, build));
               return {};
             });
}

Status Program::link(const std::vector<Device*>& devices, std::string options,
                     const std::vector<Ref<Program>>& programs, Notify notify, void* user_data) {
  if (!Background::instance().can_compile()) return fail(CL_LINKER_NOT_AVAILABLE, Background::no_compiler);
  auto objects_for = [&](const Device& device) {
    std::vector<Build> objects;
    for (const auto& program : programs)
      objects.push_back(program->build_of(&device));
    return objects;
  };
  return run(parts_of(devices, objects_for), options, notify, user_data,
             [this, options](Build& build, const Part& part) -> Status {
               build.inputs = inputs_of(part.inputs, options);
               std::vector<compiler::ModulePtr> modules;
               for (const Build& object : part.inputs)
                 modules.push_back(object.module);
               TRY(build.module, linked(part.settings(), modules, options, build));
               if (build.module->kind() == compiler::ModuleKind::executable)
                 return load_executable(context(), part.settings(), build, release_, link_errors);
               return {};
             });
}

// ---- Binaries

std::vector<std::byte> Program::binary_of(const Build& build) {
  if (!build.module || build.status == CL_BUILD_ERROR) return {};
  return compiler::serialise(*build.module);
}

Status Program::load_binary(const Device& device, std::span<const std::byte> binary) {
  Build build;
  TRY(build.module, taken(compiler::deserialise(device.settings(), binary), build, build_errors));
  std::scoped_lock guard(mutex_);
  builds_[index_of(device)] = std::move(build);
  return {};
}

} // namespace hostcl::runtime
