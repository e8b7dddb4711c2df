#pragma once

// The base class of all objects of the API: the dispatch table that the ICD loader reads, a tag that tells
// live handles from all other addresses, and the reference counts.

#include "runtime/object/handle_arena.hpp"
#include "runtime/support/cl.hpp"
#include "runtime/support/result.hpp"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

namespace hostcl::runtime {

enum class Kind : std::uint8_t {
  platform = 1,
  device,
  context,
  queue,
  device_queue,
  memory,
  sampler,
  program,
  kernel,
  event,
  device_event,
  semaphore,
  command_buffer,
  mutable_command,
};

/// The table of API functions that the ICD loader expects in each object. Set by the ICD layer.
extern const cl_icd_dispatch* dispatch_table;

/// Replaces the functions of the table that are newer than this version by functions that fail with
/// CL_INVALID_OPERATION. Platform::instance() calls it if all devices are described as devices of an older version. Set
/// like dispatch_table; null in programs without the ICD layer.
extern void (*limit_dispatch_table)(cl_version newest);

/// The base class. It must not have virtual functions, because the pointer to the dispatch table must come
/// first.
class Object {
public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  bool is_live(Kind kind) const { return tag_.load(std::memory_order_acquire) == tag_for(kind); }

  /// References that the application holds, for CL_*_REFERENCE_COUNT.
  cl_uint reference_count() const {
    return static_cast<cl_uint>(counts_.load(std::memory_order_relaxed) >> 32);
  }

  void retain() { counts_.fetch_add(1, std::memory_order_relaxed); }
  /// Takes a reference, unless the last reference is gone. For lists that do not own their objects. A holder
  /// that remembers an object for longer than the object lives may get a reference to another object, which
  /// is in the slot by then: see WeakMemory.
  bool try_retain() {
    auto counts = counts_.load(std::memory_order_relaxed);
    while (counts & 0xffffffff)
      if (counts_.compare_exchange_weak(counts, counts + 1, std::memory_order_acquire)) return true;
    return false;
  }
  void release(std::uint32_t references = 1) {
    if ((counts_.fetch_sub(references, std::memory_order_acq_rel) & 0xffffffff) != references) return;
    invalidate();
    destroy_(this);
  }

  void retain_for_application() { counts_.fetch_add(application_reference + 1, std::memory_order_relaxed); }
  /// Takes a reference away from the application.
  /// @returns the number of references that the application had. If it is 0, nothing has changed. Otherwise
  /// the caller owns the reference and must release() it. The handle stays valid while any reference to the
  /// object exists: a query such as CL_QUEUE_CONTEXT may return the handle again, and the application may
  /// then retain it.
  cl_uint drop_application_reference() {
    auto counts = counts_.load(std::memory_order_relaxed);
    while (counts >> 32)
      if (counts_.compare_exchange_weak(counts, counts - application_reference, std::memory_order_acq_rel))
        break;
    return static_cast<cl_uint>(counts >> 32);
  }

  /// Sets the first reference of a new object. Until then try_retain() fails, so that nothing holds an object
  /// whose constructor may still throw.
  void begin_life() { counts_.store(1, std::memory_order_release); }

  /// Turns the reference that the caller owns into the first reference of the application, and makes the handle valid.
  void make_valid(Kind kind) {
    counts_.fetch_add(application_reference, std::memory_order_relaxed);
    tag_.store(tag_for(kind), std::memory_order_release);
  }

  /// Makes the handle invalid before the object is destroyed: API calls refuse the handle from now on. The store is
  /// relaxed, because a thread that reads the 0 does not access the object.
  void invalidate() { tag_.store(0, std::memory_order_relaxed); }

protected:
  using Destroy = void (*)(Object*);
  explicit Object(Destroy destroy) : dispatch_(dispatch_table), destroy_(destroy) {
    tag_.store(0, std::memory_order_relaxed);
    counts_.store(0, std::memory_order_relaxed);
  }
  ~Object() = default;

private:
  // The tag depends on the address, so a copy of an object's bytes elsewhere in the arena is not taken for an
  // object.
  std::uint64_t tag_for(Kind kind) const {
    auto address = reinterpret_cast<std::uintptr_t>(this);
    return (std::uint64_t{address} * 0x9e3779b97f4a7c15u & ~std::uint64_t{0xff}) |
           static_cast<std::uint64_t>(kind);
  }

  static constexpr std::uint64_t application_reference = std::uint64_t{1} << 32;

  [[maybe_unused]] const cl_icd_dispatch* dispatch_; // read by the loader
  // These may be read in a slot in which another object is just being made. They are members of unions, so
  // that they are not initialised, which would not be an atomic access. The constructor stores their first
  // values.
  union {
    std::atomic<std::uint64_t> tag_;
  };
  /// Upper half: references of the application. Lower half: all references, including those of the
  /// application.
  union {
    std::atomic<std::uint64_t> counts_;
  };
  Destroy destroy_;
};

/// A smart pointer that owns one reference.
template <class T>
class Ref {
public:
  Ref() = default;
  explicit Ref(T& object) : object_(&object) { object.retain(); }
  Ref(const Ref& other) : object_(other.object_) {
    if (object_) object_->retain();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }

  /// Takes over a reference that the caller owns.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Returns the pointer, and leaves the reference to the caller.
  T* detach() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T* object_ = nullptr;
};

} // namespace hostcl::runtime

// The structs that the handle types of the OpenCL headers point to.
struct _cl_platform_id : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_device_id : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_context : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_command_queue : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_mem : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_sampler : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_program : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_kernel : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_event : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_semaphore_khr : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_command_buffer_khr : hostcl::runtime::Object {
  using Object::Object;
};
struct _cl_mutable_command_khr : hostcl::runtime::Object {
  using Object::Object;
};

namespace hostcl::runtime {

/// The base of a class of objects: its handle type, its kind, and the error for an invalid handle.
template <class HandleStruct, Kind object_kind, cl_int invalid>
class HandleObject : public HandleStruct {
public:
  using Handle = HandleStruct*;
  static constexpr Kind kind = object_kind;
  static constexpr cl_int invalid_code = invalid;

  Handle handle() { return this; }

protected:
  using HandleStruct::HandleStruct;
};

const char* name_of(Kind kind);

/// The slow path of object_cast(), for handles of other ranges and for invalid handles. A separate function,
/// so that object_cast() is small enough to be inlined.
template <class T>
[[gnu::cold, gnu::noinline]] Result<T&> cast_beyond_first_range(typename T::Handle handle) {
  if (handle_arena::is_in_later_range(handle) && static_cast<const Object*>(handle)->is_live(T::kind))
    return static_cast<T&>(*handle);
  if (!handle) return fail(T::invalid_code, "the ", name_of(T::kind), " is NULL");
  return fail(T::invalid_code, static_cast<const void*>(handle), " is not a live ", name_of(T::kind));
}

/// Converts a handle to the object. There is no other way.
template <class T>
Result<T&> object_cast(typename T::Handle handle) {
  if (handle_arena::first_range.contains(handle) && static_cast<const Object*>(handle)->is_live(T::kind))
      [[likely]]
    return static_cast<T&>(*handle);
  return cast_beyond_first_range<T>(handle);
}

/// Makes an object in the handle arena. Its handle is valid once expose() has been called.
template <class T, class... Args>
Ref<T> make_object(Args&&... args) {
  static_assert(sizeof(T) <= handle_arena::max_object && alignof(T) <= handle_arena::granule);
  void* slot = handle_arena::allocate(sizeof(T));
  try {
    auto* object = new (slot) T(std::forward<Args>(args)...);
    object->begin_life();
    if constexpr (requires { object->begun(); }) object->begun();
    return Ref<T>::adopt(object);
  } catch (...) {
    handle_arena::release(slot, sizeof(T));
    throw;
  }
}

/// The function Object::Destroy of a class.
template <class T>
void destroy_object(Object* object) {
  auto* typed = static_cast<T*>(object);
  typed->~T();
  handle_arena::release(typed, sizeof(T));
}

/// Gives a new object to the application.
template <class T>
typename T::Handle expose(Ref<T> object) {
  object->make_valid(T::kind);
  return object.detach();
}

template <class T>
Status retain_handle(typename T::Handle handle) {
  TRY(T & object, object_cast<T>(handle));
  object.retain_for_application();
  return {};
}

template <class T>
Status release_handle(typename T::Handle handle) {
  TRY(T & object, object_cast<T>(handle));
  cl_uint had = object.drop_application_reference();
  if (!had) return fail(T::invalid_code, "the ", name_of(T::kind), " has been released already");
  if constexpr (requires { object.released_by_application(); })
    if (had == 1) object.released_by_application();
  object.release();
  return {};
}

} // namespace hostcl::runtime
