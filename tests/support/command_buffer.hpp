#pragma once

// Command buffers, with the checks of the tests.

#include "support/command_buffer_api.hpp"
#include "support/session.hpp"

#include <utility>
#include <vector>

namespace test::cb {

inline const Functions& functions() {
  static const Functions all = functions_of(device());
  return all;
}

/// Whether the device has the revision of the extension that is tested here.
inline bool is_supported() {
  return is_hostcl();
}

/// Owns a command buffer; the methods require that the calls succeed.
class Buffer {
public:
  explicit Buffer(Handle handle = nullptr) : handle_(handle) {}
  explicit Buffer(std::vector<cl_command_queue> queues, std::vector<Property> properties = {}) {
    cl_int error = 1;
    if (!properties.empty()) properties.push_back(0);
    handle_ = functions().create(cl_uint(queues.size()), queues.data(),
                                 properties.empty() ? nullptr : properties.data(), &error);
    REQUIRE_CL(error);
  }
  Buffer(Buffer&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Buffer() {
    if (handle_) functions().release(handle_);
  }
  operator Handle() const { return handle_; }
  Handle release() { return std::exchange(handle_, nullptr); }

  /// A launch in the only queue, or in the given one.
  Point launch(cl_kernel kernel, Range global, const std::vector<Point>& waits = {},
               cl_command_queue queue = nullptr) const {
    Point point = 0;
    REQUIRE_CL(functions().launch(handle_, queue, nullptr, kernel, global.dimensions, nullptr,
                                  global.size.data(), nullptr, cl_uint(waits.size()),
                                  waits.empty() ? nullptr : waits.data(), &point, nullptr));
    return point;
  }
  /// A launch that can be changed.
  Command mutable_launch(cl_kernel kernel, Range global, const size_t* local = nullptr,
                         std::vector<Property> properties = {}) const {
    Command command = nullptr;
    if (!properties.empty()) properties.push_back(0);
    REQUIRE_CL(functions().launch(handle_, nullptr, properties.empty() ? nullptr : properties.data(), kernel,
                                  global.dimensions, nullptr, global.size.data(), local, 0, nullptr, nullptr,
                                  &command));
    REQUIRE(command);
    return command;
  }
  void finalize() const { REQUIRE_CL(functions().finalize(handle_)); }
  void enqueue() const { REQUIRE_CL(functions().enqueue(0, nullptr, handle_, 0, nullptr, nullptr)); }
  test::Event enqueue_event(const std::vector<cl_event>& waits = {}) const {
    cl_event event = nullptr;
    REQUIRE_CL(functions().enqueue(0, nullptr, handle_, cl_uint(waits.size()),
                                   waits.empty() ? nullptr : waits.data(), &event));
    return test::Event(event);
  }
  cl_int try_update(const std::vector<Config>& configs) const {
    const std::vector<cl_uint> types(configs.size());
    std::vector<const void*> list;
    for (const Config& config : configs)
      list.push_back(&config);
    return functions().update(handle_, cl_uint(configs.size()), types.data(), list.data());
  }
  void update(const std::vector<Config>& configs) const { REQUIRE_CL(try_update(configs)); }
  cl_uint current_state() const {
    cl_uint value = ~0u;
    REQUIRE_CL(functions().info(handle_, state, sizeof value, &value, nullptr));
    return value;
  }

private:
  Handle handle_ = nullptr;
};

} // namespace test::cb
