// Programs (OpenCL 3.0 API, 5.8). Declared in runtime/api/api.hpp.

#include "runtime/program/program.hpp"
#include "runtime/api/api.hpp"
#include "runtime/queries/platform.hpp"

#include <algorithm>
#include <cstring>

namespace hostcl::runtime {

namespace {

/// The devices of the list, each of which must be in `available`; without a list, all of `available`.
Result<std::vector<Device*>> checked_devices(const std::vector<Ref<Device>>& available, cl_uint count,
                                             const cl_device_id* handles) {
  if (!count != !handles)
    return fail(CL_INVALID_VALUE, "num_devices is ", count, " and device_list is ",
                static_cast<const void*>(handles), "; either both or none must be given");
  std::vector<Device*> devices;
  if (!handles) {
    for (const auto& device : available)
      devices.push_back(device.get());
    return devices;
  }
  for (cl_uint i = 0; i < count; ++i) {
    auto found = std::ranges::find_if(available, [&](const auto& d) { return d->handle() == handles[i]; });
    if (found == available.end())
      return fail(CL_INVALID_DEVICE, "device_list[", i,
                  "] is not one of the program's or the context's devices");
    if (std::ranges::find(devices, found->get()) == devices.end()) devices.push_back(found->get());
  }
  return devices;
}

Status check_notify(Program::Notify notify, void* user_data) {
  if (!notify && user_data) return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
  return {};
}

} // namespace

Result<cl_program> create_program_with_source(cl_context handle, cl_uint count, const char** strings,
                                              const size_t* lengths) {
  TRY(Context & context, usable_context(handle));
  if (!count || !strings) return fail(CL_INVALID_VALUE, "count is 0 or strings is NULL");
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i]) return fail(CL_INVALID_VALUE, "strings[", i, "] is NULL");
    // Many applications count the terminating zero, or give the size of their buffer.
    if (lengths && lengths[i])
      source.append(strings[i], ::strnlen(strings[i], lengths[i]));
    else
      source.append(strings[i]);
  }
  return expose(make_object<Program>(context, context.devices(), Program::Origin::source,
                                     ProgramCode{.source = std::move(source)}));
}

Result<cl_program> create_program_with_binary(cl_context handle, cl_uint count,
                                              const cl_device_id* device_handles, const size_t* lengths,
                                              const unsigned char** binaries, cl_int* statuses) {
  TRY(Context & context, usable_context(handle));
  if (!count || !device_handles) return fail(CL_INVALID_VALUE, "num_devices is 0 or device_list is NULL");
  if (!lengths || !binaries) return fail(CL_INVALID_VALUE, "lengths or binaries is NULL");
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < count; ++i) {
    auto device = object_cast<Device>(device_handles[i]);
    if (!device.ok()) return std::move(device).error();
    devices.push_back(Ref<Device>(std::move(device).value()));
    if (!context.has(*devices.back()))
      return fail(CL_INVALID_DEVICE, "device_list[", i, "] is not a device of the context");
  }
  Ref<Program> program = make_object<Program>(context, devices, Program::Origin::binary);
  Status worst;
  for (cl_uint i = 0; i < count; ++i) {
    Status status;
    if (!binaries[i] || !lengths[i])
      status = fail(CL_INVALID_VALUE, "binaries[", i, "] is NULL, or lengths[", i, "] is 0");
    else
      status = program->load_binary(*devices[i], std::as_bytes(std::span(binaries[i], lengths[i])));
    bool ok = status.ok();
    cl_int code = CL_SUCCESS;
    if (!ok) {
      Error error = std::move(status).error();
      code = error.code();
      if (worst.ok()) worst = std::move(error);
    }
    if (statuses) statuses[i] = code;
  }
  if (!worst.ok()) return std::move(worst).error();
  return expose(std::move(program));
}

Result<cl_program> create_program_with_built_in_kernels(cl_context handle, cl_uint count,
                                                        const cl_device_id* devices, const char* names) {
  TRY(Context & context, usable_context(handle));
  if (!count || !devices) return fail(CL_INVALID_VALUE, "num_devices is 0 or device_list is NULL");
  if (!names) return fail(CL_INVALID_VALUE, "kernel_names is NULL");
  TRY(checked_devices(context.devices(), count, devices));
  return fail(CL_INVALID_VALUE, "the device has no built-in kernels");
}

namespace {

Status check_has_il(const Context& context) {
  const auto has_il = [](const auto& device) {
    return device->settings()->language.newest_spirv != compiler::Language::no_spirv;
  };
  if (std::ranges::any_of(context.devices(), has_il)) return {};
  return fail(CL_INVALID_OPERATION,
              "no device of the context has an intermediate language (CL_DEVICE_IL_VERSION)");
}

} // namespace

Result<cl_program> create_program_with_il(cl_context handle, const void* il, size_t length) {
  TRY(Context & context, usable_context(handle));
  TRY(check_has_il(context));
  if (!il || !length) return fail(CL_INVALID_VALUE, "il is NULL or length is 0");
  const std::span bytes(static_cast<const std::byte*>(il), length);
  auto inspected = compiler::inspect_il(bytes);
  if (inspected.status != compiler::Status::success) return fail(CL_INVALID_VALUE, inspected.log);
  return expose(make_object<Program>(context, context.devices(), Program::Origin::il,
                                     ProgramCode{.il = std::vector(bytes.begin(), bytes.end()),
                                                 .constants = std::move(inspected.value.constants)}));
}

namespace {

Status check_compiler(const std::vector<Device*>& devices) {
  for (const Device* device : devices)
    if (!device->limits().has_compiler)
      return fail(CL_COMPILER_NOT_AVAILABLE, "the device has no compiler (CL_DEVICE_COMPILER_AVAILABLE)");
  return {};
}

} // namespace

Status build_program(cl_program handle, cl_uint count, const cl_device_id* device_handles,
                     const char* options, Program::Notify notify, void* user_data) {
  TRY(Program & program, object_cast<Program>(handle));
  TRY(auto devices, checked_devices(program.devices(), count, device_handles));
  if (program.has_code()) TRY(check_compiler(devices));
  TRY(check_notify(notify, user_data));
  return program.build(devices, options ? options : "", notify, user_data);
}

Status compile_program(cl_program handle, cl_uint count, const cl_device_id* device_handles,
                       const char* options, cl_uint header_count, const cl_program* headers,
                       const char** header_names, Program::Notify notify, void* user_data) {
  TRY(Program & program, object_cast<Program>(handle));
  TRY(auto devices, checked_devices(program.devices(), count, device_handles));
  // Headers are ignored for a program in an intermediate language.
  if (program.origin() == Program::Origin::il) header_count = 0, headers = nullptr, header_names = nullptr;
  if (!header_count != !headers || !header_count != !header_names)
    return fail(CL_INVALID_VALUE, "num_input_headers is ", header_count, ", input_headers is ",
                static_cast<const void*>(headers), ", header_include_names is ",
                static_cast<const void*>(header_names), "; either all or none must be given");
  TRY(check_notify(notify, user_data));
  TRY(check_compiler(devices));
  if (!program.has_code())
    return fail(CL_INVALID_OPERATION,
                "the program has neither source nor an intermediate language, so it cannot be compiled");
  std::vector<Program::IncludedHeader> included;
  for (cl_uint i = 0; i < header_count; ++i) {
    TRY(Program & header, object_cast<Program>(headers[i]));
    if (&header.context() != &program.context())
      return fail(CL_INVALID_CONTEXT, "input_headers[", i, "] belongs to another context");
    if (!header_names[i]) return fail(CL_INVALID_VALUE, "header_include_names[", i, "] is NULL");
    included.push_back({header_names[i], Ref<Program>(header)});
  }
  return program.compile(devices, options ? options : "", std::move(included), notify, user_data);
}

namespace {

/// The devices to link for: devices for which all inputs are compiled objects or libraries.
Result<std::vector<Device*>> linkable_devices(const std::vector<Device*>& devices,
                                              const std::vector<Ref<Program>>& inputs) {
  std::vector<Device*> linkable;
  for (Device* device : devices) {
    auto has_module = [&](const Ref<Program>& input) {
      if (std::ranges::none_of(input->devices(), [&](const auto& d) { return d.get() == device; }))
        return false;
      Program::Build build = input->build_of(device);
      if (build.status == CL_BUILD_IN_PROGRESS) return false;
      return build.module && build.status != CL_BUILD_ERROR &&
             build.module->kind() != compiler::ModuleKind::executable;
    };
    auto ready = std::ranges::count_if(inputs, has_module);
    if (ready == 0) continue;
    if (static_cast<std::size_t>(ready) != inputs.size())
      return fail(CL_INVALID_OPERATION, "some of the input programs are neither compiled objects nor "
                                        "libraries; compile them with clCompileProgram first");
    linkable.push_back(device);
  }
  if (linkable.empty())
    return fail(CL_INVALID_OPERATION, "the input programs are neither compiled objects nor libraries; "
                                      "compile them with clCompileProgram first");
  return linkable;
}

} // namespace

Result<cl_program> link_program(cl_context handle, cl_uint count, const cl_device_id* device_handles,
                                const char* options, cl_uint input_count, const cl_program* inputs,
                                Program::Notify notify, void* user_data) {
  TRY(Context & context, usable_context(handle));
  TRY(auto devices, checked_devices(context.devices(), count, device_handles));
  if (!input_count || !inputs)
    return fail(CL_INVALID_VALUE, "num_input_programs is 0 or input_programs is NULL");
  TRY(check_notify(notify, user_data));
  for (const Device* device : devices)
    if (!device->limits().has_linker)
      return fail(CL_LINKER_NOT_AVAILABLE, "the device has no linker (CL_DEVICE_LINKER_AVAILABLE)");
  std::vector<Ref<Program>> programs;
  for (cl_uint i = 0; i < input_count; ++i) {
    TRY(Program & input, object_cast<Program>(inputs[i]));
    if (&input.context() != &context)
      return fail(CL_INVALID_CONTEXT, "input_programs[", i, "] belongs to another context");
    programs.push_back(Ref<Program>(input));
  }
  std::vector<Ref<Device>> owned;
  for (Device* device : devices)
    owned.push_back(Ref<Device>(*device));
  TRY(devices, linkable_devices(devices, programs));
  Ref<Program> result = make_object<Program>(context, std::move(owned), Program::Origin::link);
  std::string text = options ? options : "";
  // The handle is made valid before the link, because the callback receives it.
  cl_program linked = expose(result);
  Error error;
  try {
    error = result->link(devices, std::move(text), programs, notify, user_data).error();
  } catch (const std::bad_alloc&) {
    error = Error(CL_OUT_OF_HOST_MEMORY);
  }
  if (error.code() == CL_SUCCESS) return linked;
  // If linking itself fails, the application gets the program nevertheless, because the program has the log.
  if (error.code() == CL_LINK_PROGRAM_FAILURE) return {linked, std::move(error)};
  result->drop_application_reference();
  result->release();
  return error;
}

Status unload_platform_compiler(cl_platform_id handle) {
  TRY(object_cast<Platform>(handle));
  return {};
}

Status get_program_info(cl_program handle, cl_program_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Program & program, object_cast<Program>(handle));
  return program.info(name, Answer(size, value, size_ret));
}

Status get_program_build_info(cl_program handle, cl_device_id device_handle, cl_program_build_info name,
                              size_t size, void* value, size_t* size_ret) {
  TRY(Program & program, object_cast<Program>(handle));
  cl_device_id list[] = {device_handle};
  TRY(auto devices, checked_devices(program.devices(), 1, list));
  return program.build_info(*devices.front(), name, Answer(size, value, size_ret));
}

Status set_program_release_callback(cl_program handle, Program::Notify notify, void* user_data) {
  TRY(Program & program, object_cast<Program>(handle));
  if (!notify) return fail(CL_INVALID_VALUE, "pfn_notify is NULL");
  // Only C++ for OpenCL has destructors, so a program in another language cannot use the callback.
  if (auto loaded = program.loaded(); loaded.ok() && !std::move(loaded).value()->has_destructors())
    return fail(CL_INVALID_OPERATION, "the program has no variables with destructors at program scope");
  program.release_callbacks().add(notify, user_data);
  return {};
}

Status set_program_specialization_constant(cl_program handle, cl_uint id, size_t size, const void* value) {
  TRY(Program & program, object_cast<Program>(handle));
  TRY(check_has_il(program.context()));
  if (program.origin() != Program::Origin::il)
    return fail(CL_INVALID_PROGRAM, "the program was not made from an intermediate language");
  return program.specialise(id, size, value);
}

} // namespace hostcl::runtime
