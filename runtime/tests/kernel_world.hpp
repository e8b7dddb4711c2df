#pragma once

// A kernel and its launches without a queue, for tests of launches.

#include "runtime/api/api.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/launch/launch_run.hpp"
#include "runtime/queries/platform.hpp"
#include "support/catch.hpp"

#include <numeric>
#include <vector>

namespace hostcl::runtime::tests {

inline constexpr cl_uint items = 64, group_items = 16;

template <class T>
T made(Result<T> result) {
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// Owns the application's reference to an object.
template <class T>
Ref<T> owned(Result<typename T::Handle> handle) {
  return Ref<T>::adopt(&object_cast<T>(made(std::move(handle))).value());
}

inline Device& device() {
  return Platform::instance().device();
}

/// A context with one kernel.
class World {
public:
  explicit World(const char* source) : World(source, tests::device()) {
    REQUIRE(build());
    make_kernel();
  }
  /// For a test that calls build() and make_kernel() itself.
  World(const char* source, Device& on) : device(on) {
    cl_device_id handle = device.handle();
    context = owned<Context>(create_context(nullptr, 1, &handle, nullptr, nullptr));
    program = owned<Program>(create_program_with_source(context->handle(), 1, &source, nullptr));
  }
  /// Any thread may call this function, although Catch2's assertions are for one thread alone.
  bool build() const {
    cl_device_id handle = device.handle();
    return build_program(program->handle(), 1, &handle, "", nullptr, nullptr).ok();
  }
  void make_kernel() { kernel = owned<Kernel>(create_kernel(program->handle(), "k")); }

  Ref<Memory> zeros(std::size_t count) const {
    std::vector<cl_uint> values(count);
    return owned<Memory>(
        create_buffer(context->handle(), CL_MEM_COPY_HOST_PTR, count * sizeof(cl_uint), values.data()));
  }

  void set(cl_uint index, cl_uint value) const {
    REQUIRE(kernel->set_argument(index, sizeof value, &value).ok());
  }
  void set(cl_uint index, Memory& buffer) const {
    cl_mem handle = buffer.handle();
    REQUIRE(kernel->set_argument(index, sizeof handle, &handle).ok());
  }
  void set_local(cl_uint index, std::size_t bytes) const {
    REQUIRE(kernel->set_argument(index, bytes, nullptr).ok());
  }

  LaunchRecord record(Replay replay = Replay::never) const {
    constexpr abi::NDRange range{
        {items, 1, 1}, {0, 0, 0}, {group_items, 1, 1}, {items / group_items, 1, 1}, 1, 0};
    return {*kernel, *kernel->code_for(device), range, replay};
  }
  void run(const LaunchRecord& record) const { run(record, context->host_callbacks()); }
  void run(const LaunchRecord& record, const abi::HostCallbacks& host_callbacks) const {
    run_launch(record, record.kernel().code(record.range()), host_callbacks, device, device.workers());
  }

  Device& device;
  Ref<Context> context;
  Ref<Program> program;
  Ref<Kernel> kernel;
};

} // namespace hostcl::runtime::tests
