#pragma once

#include "compiler/abi/launch.hpp"
#include "compiler/code_host.hpp"
#include "runtime/context/device_queues.hpp"
#include "runtime/context/user_events.hpp"
#include "runtime/object/destructor_callbacks.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/application_code.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hostcl::runtime {

/// A context. Queues, memory objects, programs and events hold references to it. Any thread may call its
/// methods.
class Context : public HandleObject<_cl_context, Kind::context, CL_INVALID_CONTEXT> {
public:
  using Notify = void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*);

  /// @param host_callbacks host callbacks for kernels of this context
  /// @param code_host where kernels of this context run; null for this process
  Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties, Notify notify,
          void* user_data, const abi::HostCallbacks& host_callbacks,
          std::shared_ptr<compiler::CodeHost> code_host = nullptr);
  ~Context();

  const std::vector<Ref<Device>>& devices() const { return devices_; }
  bool has(const Device& device) const;
  /// The largest value of a limit among the devices, such as most(&Device::memory_bytes). An object above this value is
  /// an error, because no device can use the object.
  template <std::invocable<const Device&> Limit>
  auto most(Limit limit) const {
    auto value = std::invoke(limit, first_device());
    for (const Ref<Device>& device : devices_)
      value = std::max(value, std::invoke(limit, *device));
    return value;
  }
  template <class T>
  T most(T Limits::* limit) const {
    return most([limit](const Device& device) { return device.limits().*limit; });
  }
  /// The largest size of an allocation with a pointer (SVM, USM) for one device, or for all devices if it is null.
  std::uint64_t max_allocation_bytes(const Device* device) const;
  /// Whether one of the devices has all of these kinds of SVM (bits of CL_DEVICE_SVM_CAPABILITIES).
  bool has_svm(cl_device_svm_capabilities kinds) const;
  /// Whether one of the devices has the image format.
  bool has_image_format(const cl_image_format& format, cl_mem_object_type type, cl_mem_flags flags) const;
  /// CL_INVALID_OPERATION if no device has images.
  Status check_images() const;
  /// The device whose threads run transfers that belong to no queue.
  Device& first_device() const { return *devices_.front(); }

  /// Passes a sentence about an error, in parts, to the application's callback. Does nothing if the calling
  /// thread is in that callback, whose own errors would cause calls without end. Never called with a lock
  /// held.
  template <class... Parts>
  void notify(const Parts&... parts) const noexcept {
    if (!notify_ || is_notifying_) return;
    try {
      tell(text(parts...));
    } catch (const std::bad_alloc&) {
      return; // the application gets only the error code
    }
  }

  /// The value of each byte of new memory for kernels: 0 with HOSTCL_CLEAR, otherwise the value in the quirks of the
  /// first device. No value: the memory is uninitialised.
  std::optional<std::byte> fill() const { return fill_; }

  /// The host callbacks, with this context as abi::HostCallbacks::context.
  const abi::HostCallbacks& host_callbacks() const { return host_callbacks_; }

  const std::shared_ptr<compiler::CodeHost>& code_host() const { return code_host_; }

  DeviceQueues& device_queues() { return device_queues_; }

  /// User events of the application, and waits for semaphores.
  UserEvents& user_events() { return user_events_; }
  /// User events of kernels.
  UserEvents& device_user_events() { return device_user_events_; }

  /// Whether the context was created with CL_CONTEXT_TERMINATE_KHR.
  bool is_terminable() const { return is_terminable_; }
  bool is_terminated() const { return is_terminated_.load(std::memory_order_relaxed); }
  /// @returns CL_CONTEXT_TERMINATED_KHR if the context is terminated
  Status check_not_terminated() const {
    if (!is_terminated()) [[likely]]
      return {};
    return fail(CL_CONTEXT_TERMINATED_KHR, "the context has been terminated by clTerminateContextKHR");
  }
  /// A scope in which the code host runs a part of a launch. terminate() waits until no HostedCall exists.
  class HostedCall {
  public:
    explicit HostedCall(const Context& context) : context_(context) { ++context_.hosted_calls_; }
    ~HostedCall() { --context_.hosted_calls_; }
    HostedCall(const HostedCall&) = delete;
    /// Whether the call may be made: false if the context has been terminated.
    bool may_begin() const { return !context_.is_terminated_; }

  private:
    const Context& context_;
  };

  /// The part of clTerminateContextKHR() that does not concern queues: stops kernels that run in the code host, and
  /// ends the user events. Does not wait for kernels that run in this process. @returns false if the context has been
  /// terminated before
  bool terminate();

  DestructorCallbacks<cl_context>& destructor_callbacks() { return destructor_callbacks_; }

  Status info(cl_context_info name, Answer answer) const;
  const std::vector<cl_context_properties>& properties() const { return properties_; }

  /// Counts memory that is allocated, as memory of the device that has the most. @returns false if it has no more
  bool reserve_memory(std::uint64_t bytes);
  void unreserve_memory(std::uint64_t bytes);
  /// Bytes that all contexts of that device have reserved: they share its memory.
  std::uint64_t memory_in_use() const;

private:
  void tell(const std::string& sentence) const;
  Device& device_with_most_memory() const;

  static inline constinit thread_local bool is_notifying_ = false;
  std::vector<Ref<Device>> devices_;
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void* user_data_;
  SignalMask notify_mask_; ///< signal mask of the thread that created the context
  abi::HostCallbacks host_callbacks_;
  std::shared_ptr<compiler::CodeHost> code_host_;
  DeviceQueues device_queues_;
  bool is_terminable_;
  std::optional<std::byte> fill_;
  std::atomic<bool> is_terminated_ = false;
  mutable std::atomic<unsigned> hosted_calls_ = 0;
  UserEvents user_events_, device_user_events_;
  DestructorCallbacks<cl_context> destructor_callbacks_;
};

/// The context of a handle, for calls that create objects: fails if the context has been terminated.
Result<Context&> usable_context(cl_context handle);

} // namespace hostcl::runtime
