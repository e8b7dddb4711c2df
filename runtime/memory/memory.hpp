#pragma once

// Memory objects. All memory is host memory: a buffer is a range of addresses.

#include "runtime/object/context.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstddef>
#include <vector>

namespace hostcl::runtime {

/// The properties of clCreateBufferWithProperties.
struct BufferProperties {
  std::vector<cl_mem_properties> list; ///< as given, with its end; empty if there was none
  bool device_address = false;
};

class Memory : public HandleObject<_cl_mem, Kind::memory, CL_INVALID_MEM_OBJECT> {
public:
  /// clCreateBufferWithProperties. The arguments have been checked by validate_buffer.
  static Result<Ref<Memory>> buffer(Context& context, cl_mem_flags flags, std::size_t size,
                                    void* host_pointer, BufferProperties properties);
  /// clCreateSubBuffer for a region that lies in the parent.
  static Ref<Memory> sub_buffer(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size);

  Memory(Context& context, cl_mem_flags flags, std::size_t size);
  ~Memory();

  /// A number that no other memory object of the process has, before or after.
  std::uint64_t identity() const { return identity_.load(std::memory_order_relaxed); }
  Context& context() const { return *context_; }
  cl_mem_flags flags() const { return flags_; }
  std::size_t size() const { return size_; }
  std::byte* data() const { return data_; }
  Memory* parent() const { return parent_.get(); }
  std::size_t offset() const { return offset_; }
  void* host_pointer() const { return host_pointer_; }
  const std::vector<cl_mem_properties>& properties() const { return properties_; }
  bool is_svm() const { return is_svm_; }
  /// Whether the application may ask for the address (cl_ext_buffer_device_address).
  bool has_device_address() const { return has_device_address_; }

  /// The buffer that owns the storage.
  const Memory& storage() const { return parent_ ? *parent_ : *this; }

  /// Makes a part of the data zero by giving its pages back, the first time in any case (see clear_pages).
  /// @returns false if the part has to be written
  bool clear(std::byte* first, std::size_t bytes);

  /// Takes note of a mapped region. @returns a number for revoke_map(), or 0 if both the region and one that
  /// it overlaps are for writing.
  std::uint64_t map(std::size_t offset, std::size_t size, bool writes);
  /// Forgets a region whose command failed, unless it has been unmapped.
  void revoke_map(std::uint64_t number);
  /// Whether a region is mapped at an address.
  bool has_map(const void* address) const;
  /// Forgets the newest region that was mapped at an address, if there is one.
  void unmap(const void* address);
  cl_uint map_count() const;

  DestructorCallbacks<cl_mem>& destructor_callbacks() { return destructor_callbacks_; }

  Status info(cl_mem_info name, Answer answer) const;

private:
  struct Mapping {
    std::size_t first, end; ///< bytes of the buffer
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
  bool owns_data_ = false;
  std::atomic<bool> was_cleared_ = false;
  bool is_svm_ = false;
  bool has_device_address_ = false;
  mutable Lock lock_; ///< guards mappings_ and last_map_
  std::vector<Mapping> mappings_;
  std::uint64_t last_map_ = 0;
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

private:
  Memory* memory_ = nullptr;
  std::uint64_t identity_ = 0;
};

namespace validate {

/// The flags of a buffer: contradictions are CL_INVALID_VALUE.
Status buffer_flags(cl_mem_flags flags);
/// Arguments of clCreateBuffer*, in the order of the specification's errors.
Status buffer(const Context& context, cl_mem_flags flags, std::size_t size, const void* host_pointer);
/// Flags of a sub-buffer together with those of its parent; @returns the flags it gets.
Result<cl_mem_flags> sub_buffer_flags(const Memory& parent, cl_mem_flags flags);

} // namespace validate

} // namespace hostcl::runtime
