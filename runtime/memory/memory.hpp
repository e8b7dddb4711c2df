#pragma once

// Memory objects: what buffers and all others have in common. All memory is host memory: a memory object is a
// range of addresses.

#include "runtime/context/context.hpp"
#include "runtime/memory/boxes.hpp"
#include "runtime/memory/external_memory.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace hostcl::runtime {

inline constexpr cl_mem_flags kernel_access_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
inline constexpr cl_mem_flags host_access_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
inline constexpr cl_mem_flags host_pointer_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// The base of every class whose objects a cl_mem may stand for. object_cast<Memory>() takes any of them; a
/// class for one type has an object_cast<>() of its own that refuses the others, as Buffer has.
class Memory : public HandleObject<_cl_mem, Kind::memory, CL_INVALID_MEM_OBJECT> {
public:
  /// A number that no other memory object of the process has, before or after.
  std::uint64_t identity() const { return identity_.load(std::memory_order_relaxed); }
  Context& context() const { return *context_; }
  cl_mem_object_type type() const { return type_; }
  cl_mem_flags flags() const { return flags_; }
  std::size_t size() const { return size_; }
  std::byte* data() const { return data_; }
  /// The memory object that it has its storage from, if any, and how far in it its own data begins.
  Memory* parent() const { return parent_.get(); }
  std::size_t offset() const { return offset_; }
  void* host_pointer() const { return host_pointer_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  bool is_svm() const { return is_svm_; }

  /// Empty unless the object was created from a handle of external memory.
  const ExternalMemory& external() const { return external_; }

  /// The memory object that owns the storage.
  const Memory& storage() const { return parent_ ? parent_->storage() : *this; }

  /// Makes a part of the data zero by giving its pages back, the first time in any case (see clear_pages).
  /// @returns false if the part has to be written
  bool clear(std::byte* first, std::size_t bytes);

  /// Takes note of a mapped region. @returns a number for revoke_map(), or 0 if both the region and one that
  /// it overlaps are for writing.
  std::uint64_t map(const Box& region, bool writes);
  /// Forgets a region whose command failed, unless it has been unmapped.
  void revoke_map(std::uint64_t number);
  /// Whether a region is mapped at an address.
  bool has_map(const void* address) const;
  /// Forgets the newest region that was mapped at an address, if there is one.
  void unmap(const void* address);
  cl_uint map_count() const;

  DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }

  Status info(cl_mem_info name, Answer answer) const;

protected:
  /// @param destroy destroy_object<> of the derived class: there are no virtual functions, see Object
  Memory(Destroy destroy, Context& context, cl_mem_object_type type, cl_mem_flags flags, std::size_t size,
         std::vector<cl_mem_properties> properties);
  ~Memory();

  // One of these gives a new object its storage.
  /// @param slack bytes after the storage that may be read as well
  Status allocate(std::size_t slack = 0);
  void use(void* host_pointer);
  /// Takes over the descriptor as well.
  void use(ExternalMemory memory);
  void share(Memory& parent, std::size_t offset);
  bool owns_data() const { return owns_data_; }

private:
  struct Mapping {
    Box region;
    bool writes;
    std::uint64_t number;
  };

  /// WeakMemory reads it in slots that may get another object meanwhile, as it does Object's members.
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

/// Remembers a memory object without keeping it alive. Slots of objects are never unmapped but used again, so
/// the object is known by its identity as well.
class WeakMemory {
public:
  WeakMemory() = default;
  explicit WeakMemory(Memory& memory) : memory_(&memory), identity_(memory.identity()) {}
  explicit operator bool() const { return memory_ != nullptr; }

  /// Whether the object is alive; exact while the caller holds its slot.
  bool is_live() const { return memory_->is_live(Kind::memory) && memory_->identity() == identity_; }
  /// Takes a reference to the object in the slot, which may be a later one of any kind, so that the slot is
  /// not used again. The caller releases it, but under no lock. @returns null if the slot is empty.
  Memory* hold_slot() const { return memory_->try_retain() ? memory_ : nullptr; }
  /// The object, which is alive and whose slot the caller holds.
  const Memory& held() const { return *memory_; }

private:
  Memory* memory_ = nullptr;
  std::uint64_t identity_ = 0;
};

/// The error for a memory object that is not a `wanted` ("buffer").
Error of_other_type(const Memory& memory, const char* wanted);

/// The memory object of class T, for a command in a queue of the context.
template <class T>
Result<T&> memory_in(const Context& context, cl_mem handle) {
  TRY(T & memory, object_cast<T>(handle));
  if (&memory.context() != &context)
    return fail(CL_INVALID_CONTEXT, "memory object ", static_cast<const void*>(handle),
                " and the command queue belong to different contexts");
  return memory;
}

/// Bytes from an address to the end of the shared or unified memory around it; all there can be if it is none.
std::size_t bytes_of_allocation(const void* address);

enum class HostAccess { read, write };

namespace validate {

/// CL_INVALID_OPERATION for an access that the application has excluded by flags.
Status host_access(const Memory& memory, HostAccess access);
/// CL_INVALID_OPERATION for a memory object that no command may change.
Status is_mutable(const Memory& memory);

/// Flags that a memory object of its own storage may have: contradictions are CL_INVALID_VALUE.
Status memory_flags(cl_mem_flags flags);
/// CL_INVALID_VALUE if the object is immutable and gets no contents.
Status initial_contents(cl_mem_flags flags, bool is_external);
/// CL_INVALID_VALUE for external memory with a host pointer.
Status external_flags(cl_mem_flags flags, bool is_external);
/// Flags of a memory object with the storage of another; @returns the flags it gets.
Result<cl_mem_flags> flags_within(const Memory& parent, cl_mem_flags flags);

} // namespace validate

} // namespace hostcl::runtime
