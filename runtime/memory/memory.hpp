#pragma once

// Memory objects: what buffers, images and pipes have in common. The device uses the memory of the host, so a
// memory object is a range of addresses of the process.

#include "runtime/context/context.hpp"
#include "runtime/memory/external_memory.hpp"
#include "runtime/memory/rects.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace hostcl::runtime {

inline constexpr cl_mem_flags kernel_access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
inline constexpr cl_mem_flags host_access_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags host_pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// The base class of all objects that a cl_mem may stand for. object_cast<Memory>() accepts each of them. A
/// derived class such as Buffer specialises object_cast<>() to accept objects of its own type only.
class Memory : public HandleObject<_cl_mem, Kind::memory, CL_INVALID_MEM_OBJECT> {
public:
  /// A number that identifies the object: no other memory object of the process ever has it.
  std::uint64_t identity() const { return identity_.load(std::memory_order_relaxed); }
  Context& context() const { return *context_; }
  cl_mem_object_type type() const { return type_; }
  cl_mem_flags flags() const { return flags_; }
  std::size_t size() const { return size_; }
  std::byte* data() const { return data_; }
  /// Where the application accesses the data while the object is mapped: at the host_ptr of CL_MEM_USE_HOST_PTR, or
  /// else at data(). If kernels cannot reach the host_ptr (see use()), host_data() and data() are different memory:
  /// mapping copies from data() to host_data(), and unmapping copies back.
  std::byte* host_data() const { return host_pointer_ ? static_cast<std::byte*>(host_pointer_) : data_; }
  /// The memory object whose storage this object uses, if any. offset() is the position of this object's data
  /// in it.
  Memory* parent() const { return parent_.get(); }
  std::size_t offset() const { return offset_; }
  void* host_pointer() const { return host_pointer_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  bool is_svm() const { return is_svm_; }

  /// The external memory that the object was created from; empty for other objects.
  const ExternalMemory& external() const { return external_; }

  /// The memory object that owns the storage: the parent's if there is a parent.
  const Memory& storage() const { return parent_ ? parent_->storage() : *this; }

  /// Zeroes a part of the data by giving its pages back to Linux, where clear_pages() can. For the first call
  /// on an object, it does not matter how much of the part is in use.
  /// @returns false if the caller has to write the zeros
  bool clear(std::byte* first, std::size_t bytes);

  struct Mapping {
    Rect region;
    bool writes;
    std::uint64_t number;
  };
  /// Records that a region is mapped. @returns a number for revoke_map(), or 0 if the region is mapped for
  /// writing and overlaps a region that is mapped for writing already
  std::uint64_t map(const Rect& region, bool writes);
  /// Removes a mapped region, because its command has failed. Does nothing if the region has been unmapped.
  void revoke_map(std::uint64_t number);
  /// Removes and returns the last region that was mapped at the address, if there is one.
  std::optional<Mapping> unmap(const void* address);
  /// Undoes unmap(), because the command that unmaps the region could not be enqueued.
  void restore_map(const Mapping& mapping);
  cl_uint map_count() const;

  DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }

  Status info(cl_mem_info name, Answer answer) const;

protected:
  /// @param destroy destroy_object<> of the derived class; there are no virtual functions (see Object)
  Memory(Destroy destroy, Context& context, cl_mem_object_type type, cl_mem_flags flags, std::size_t size,
         std::vector<cl_mem_properties> properties);
  ~Memory();

  // Each constructor of a derived class, or its creator, calls one of these to give the object its storage.
  /// @param slack bytes after the storage that may be read as well
  Status allocate(std::size_t slack = 0);
  /// Uses memory of the application. If kernels run in another process and cannot reach this memory, the object needs
  /// storage of its own in addition: data() stays null until allocate() is called.
  void use(void* host_pointer);
  /// Also takes over the descriptor.
  void use(ExternalMemory memory);
  void share(Memory& parent, std::size_t offset);
  bool owns_data() const { return owns_data_; }

private:
  /// A member of a union, so that the constructor stores it atomically instead of initialising it: WeakMemory
  /// may read it in a slot that is just getting another object, as it reads members of Object.
  union {
    std::atomic<std::uint64_t> identity_;
  };
  Ref<Context> context_;
  Ref<Memory> parent_;
  cl_mem_flags flags_;
  std::size_t size_;
  std::size_t offset_ = 0;
  std::byte* data_ = nullptr;
  void* host_pointer_ = nullptr;
  cl_mem_object_type type_;
  bool owns_data_ = false;
  std::atomic<bool> was_cleared_ = false;
  bool is_svm_ = false;
  mutable Lock lock_; ///< guards mappings_ and last_map_
  std::vector<Mapping> mappings_;
  std::uint64_t last_map_ = 0;
  ExternalMemory external_;
  std::vector<cl_mem_properties> properties_;
  DestructorCallbacks<cl_mem> destructor_callbacks_;
};

/// A reference to a memory object that does not keep the object alive. Slots of the handle arena are never
/// unmapped but may be used for another object later, so the object is recognised by its identity.
class WeakMemory {
public:
  WeakMemory() = default;
  explicit WeakMemory(Memory& memory) : memory_(&memory), identity_(memory.identity()) {}
  explicit operator bool() const { return memory_ != nullptr; }

  /// Whether the object is alive. The answer stays true only while the caller holds the slot.
  bool is_live() const { return memory_->is_live(Kind::memory) && memory_->identity() == identity_; }
  /// Takes a reference to the object that is in the slot now, of whatever kind, so that the slot is not
  /// reused. The caller must release it, and not with a lock held. @returns null if the slot is empty
  Memory* hold_slot() const { return memory_->try_retain() ? memory_ : nullptr; }
  /// The object. It must be alive, and the caller must hold its slot.
  const Memory& held() const { return *memory_; }

private:
  Memory* memory_ = nullptr;
  std::uint64_t identity_ = 0;
};

/// The error for a memory object that is not of the wanted type ("buffer").
Error of_other_type(const Memory& memory, const char* wanted);

/// The memory object of class T, which must belong to the context of the command queue.
template <class T>
Result<T&> memory_in(const Context& context, cl_mem handle) {
  TRY(T & memory, object_cast<T>(handle));
  if (&memory.context() != &context)
    return fail(CL_INVALID_CONTEXT, "memory object ", static_cast<const void*>(handle),
                " and the command queue belong to different contexts");
  return memory;
}

/// Bytes from an address to the end of the SVM or USM allocation that contains it; the largest number if none
/// does.
std::size_t bytes_of_allocation(const void* address);

enum class HostAccess { read, write };

namespace validate {

/// Checks that commands in a queue of the device can use the object. Errors: CL_MISALIGNED_SUB_BUFFER_OFFSET,
/// CL_INVALID_OPERATION, CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED, CL_MEM_OBJECT_ALLOCATION_FAILURE.
Status usable_on(const Device& device, const Memory& memory);
/// CL_INVALID_OPERATION if the flags of the object exclude this access of the host.
Status host_access(const Memory& memory, HostAccess access);
/// CL_INVALID_OPERATION if the object is immutable (CL_MEM_IMMUTABLE_EXT).
Status is_mutable(const Memory& memory);

/// CL_INVALID_VALUE for contradictory flags of a memory object with storage of its own.
Status memory_flags(cl_mem_flags flags);
/// CL_INVALID_VALUE if the object is immutable and gets no contents when it is created.
Status initial_contents(cl_mem_flags flags, bool is_external);
/// CL_INVALID_VALUE if an object with external memory has flags that need a host pointer.
Status external_flags(cl_mem_flags flags, bool is_external);
/// The flags of a memory object that uses the storage of `parent`: missing access flags are the parent's.
Result<cl_mem_flags> flags_within(const Memory& parent, cl_mem_flags flags);

} // namespace validate

} // namespace hostcl::runtime
