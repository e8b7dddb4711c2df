#pragma once

// Semaphores (cl_khr_semaphore, cl_khr_external_semaphore).

#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/semaphore/payload.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <vector>

namespace hostcl::runtime {

/// The types of handles as which semaphores are imported and exported.
inline constexpr std::array<cl_external_semaphore_handle_type_khr, 2> semaphore_handle_types = {
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
inline constexpr std::array<cl_semaphore_type_khr, 1> semaphore_types = {CL_SEMAPHORE_TYPE_BINARY_KHR};

/// The properties of clCreateSemaphoreWithPropertiesKHR, after they have been checked.
struct SemaphoreProperties {
  std::vector<cl_semaphore_properties_khr> list; ///< the list as given, with its end
  std::vector<Ref<Device>> devices;              ///< devices that may use the semaphore
  std::vector<cl_external_semaphore_handle_type_khr> export_types;
  cl_external_semaphore_handle_type_khr import_type = 0; ///< 0 if it is not imported
  int descriptor = -1;                                   ///< the descriptor to import
};

/// A semaphore. Its payload may outlive it, while commands use the payload.
class Semaphore : public HandleObject<_cl_semaphore_khr, Kind::semaphore, CL_INVALID_SEMAPHORE_KHR> {
public:
  /// Takes over the imported descriptor, unless it fails.
  static Result<Ref<Semaphore>> create(Context& context, SemaphoreProperties properties);

  Semaphore(Context& context, SemaphoreProperties properties, std::shared_ptr<Payload> payload);
  ~Semaphore();

  Context& context() const { return *context_; }
  bool is_usable_on(const Device& device) const;
  bool is_exported_as(cl_external_semaphore_handle_type_khr type) const;
  const SemaphoreProperties& properties() const { return properties_; }

  std::shared_ptr<Payload> payload() const;
  /// clReImportSemaphoreSyncFdKHR. Waits that have been enqueued still wait for the old payload.
  void reimport(int fence);

  Status info(cl_semaphore_info_khr name, Answer answer) const;

private:
  Ref<Context> context_;
  SemaphoreProperties properties_;
  mutable Lock lock_; ///< guards payload_
  std::shared_ptr<Payload> payload_;
};

} // namespace hostcl::runtime
