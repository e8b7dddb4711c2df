#include "runtime/memory/memory.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/checks/live_objects.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <mutex>

namespace hostcl::runtime {

namespace {

bool at_most_one(cl_mem_flags flags) {
  return (flags & (flags - 1)) == 0;
}

/// CL_INVALID_VALUE if flags of an immutable object allow writing.
Status no_write_flags(cl_mem_flags flags) {
  constexpr cl_mem_flags writes = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
  if ((flags & CL_MEM_IMMUTABLE_EXT) && (flags & writes))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " have CL_MEM_IMMUTABLE_EXT, which does not go with flags that allow writing");
  return {};
}

std::atomic<std::uint64_t> last_identity{0};

} // namespace

Memory::Memory(Destroy destroy, Context& context, cl_mem_object_type type, cl_mem_flags flags,
               std::size_t size, std::vector<cl_mem_properties> properties)
    : HandleObject(destroy),
      context_(Ref<Context>(context)),
      flags_(flags & (kernel_access_flags | CL_MEM_IMMUTABLE_EXT) ? flags : flags | CL_MEM_READ_WRITE),
      size_(size),
      type_(type),
      properties_(std::move(properties)) {
  identity_.store(last_identity.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

Memory::~Memory() {
  // All commands that have used the object have ended.
  if (!destructor_callbacks_.is_empty()) checks::host_knows_all_ends();
  destructor_callbacks_.call(handle()); // before the storage is freed (OpenCL 3.0 API, 5.5.1)
  if (!parent_) checks::forget_accesses(data_, size_);
  if (!owns_data_) return;
  checks::forget_unwritten(data_);
  const auto [unused, bytes] = checks::release_object(data_);
  checks::forget_accesses(unused, bytes);
  if (unused) free_for(*context_, unused);
  context_->unreserve_memory(size_);
}

Status Memory::allocate(std::size_t slack) {
  if (!context_->reserve_memory(size_))
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, size_,
                " bytes are more than is left of CL_DEVICE_GLOBAL_MEM_SIZE, ",
                context_->most(&Device::memory_bytes), ", which HOSTCL_MEMORY or HOSTCL_DEVICE can change");
  data_ = allocate_for(*context_, size_ + slack, least_page_bytes);
  if (!data_) {
    context_->unreserve_memory(size_);
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "cannot allocate ", size_, " bytes");
  }
  owns_data_ = true;
  if (type_ == CL_MEM_OBJECT_BUFFER) {
    checks::note_object(data_, size_, "clCreateBuffer");
    if (!(flags_ & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))) checks::note_unwritten(data_, size_);
  }
  return {};
}

void Memory::use(void* host_pointer) {
  host_pointer_ = host_pointer;
  const auto allocation = Allocations::instance().find(host_pointer);
  if (!context_->code_host() || allocation.traits.context.get() == context_.get())
    data_ = static_cast<std::byte*>(host_pointer);
  is_svm_ = allocation.first && allocation.traits.api == AllocationApi::svm;
}

void Memory::use(ExternalMemory memory) {
  external_ = std::move(memory);
  external_.own();
  data_ = external_.data();
}

void Memory::share(Memory& parent, std::size_t offset) {
  parent_ = Ref<Memory>(parent);
  offset_ = offset;
  data_ = parent.data() + offset;
  if (parent.host_pointer()) host_pointer_ = static_cast<std::byte*>(parent.host_pointer()) + offset;
  is_svm_ = parent.is_svm();
}

bool Memory::clear(std::byte* first, std::size_t bytes) {
  if (parent_) return parent_->clear(first, bytes);
  if (!owns_data_ || context_->code_host() || !clear_pages(first, bytes, !was_cleared_)) return false;
  was_cleared_ = true;
  return true;
}

std::uint64_t Memory::map(const Rect& region, bool writes) {
  std::scoped_lock guard(lock_);
  auto conflicts = [&](const Mapping& other) {
    return writes && other.writes && overlap(region, other.region);
  };
  if (std::ranges::any_of(mappings_, conflicts)) return 0;
  mappings_.push_back({region, writes, ++last_map_});
  return last_map_;
}

void Memory::revoke_map(std::uint64_t number) {
  std::scoped_lock guard(lock_);
  std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.number == number; });
}

std::optional<Memory::Mapping> Memory::unmap(const void* address) {
  std::scoped_lock guard(lock_);
  auto begins = [&](const Mapping& mapping) { return host_data() + mapping.region.first == address; };
  auto found = std::find_if(mappings_.rbegin(), mappings_.rend(), begins);
  if (found == mappings_.rend()) return std::nullopt;
  const Mapping mapping = *found;
  mappings_.erase(std::prev(found.base()));
  return mapping;
}

void Memory::restore_map(const Mapping& mapping) {
  std::scoped_lock guard(lock_);
  mappings_.push_back(mapping);
}

cl_uint Memory::map_count() const {
  std::scoped_lock guard(lock_);
  return static_cast<cl_uint>(mappings_.size());
}

Error of_other_type(const Memory& memory, const char* wanted) {
  return fail(CL_INVALID_MEM_OBJECT, "memory object ", static_cast<const void*>(&memory), " is not the ",
              wanted, " that the call takes: its CL_MEM_TYPE is 0x", std::hex, memory.type());
}

std::size_t bytes_of_allocation(const void* address) {
  const auto allocation = Allocations::instance().find(address);
  if (!allocation.first) return SIZE_MAX;
  const auto offset =
      static_cast<const std::byte*>(address) - static_cast<const std::byte*>(allocation.first);
  return allocation.bytes - static_cast<std::size_t>(offset);
}

namespace validate {

Status host_access(const Memory& memory, HostAccess access) {
  const cl_mem_flags excluded =
      CL_MEM_HOST_NO_ACCESS | (access == HostAccess::read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);
  if (memory.flags() & excluded)
    return fail(CL_INVALID_OPERATION, "the memory object was created without access for the host to ",
                access == HostAccess::read ? "read" : "write", " it");
  return access == HostAccess::write ? is_mutable(memory) : Status();
}

Status is_mutable(const Memory& memory) {
  if (memory.flags() & CL_MEM_IMMUTABLE_EXT)
    return fail(CL_INVALID_OPERATION, "the memory object was created with CL_MEM_IMMUTABLE_EXT");
  return {};
}

Status memory_flags(cl_mem_flags flags) {
  constexpr cl_mem_flags known =
      kernel_access_flags | host_access_flags | host_pointer_flags | CL_MEM_IMMUTABLE_EXT;
  if (flags & ~known) return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " has unknown bits");
  if (!at_most_one(flags & kernel_access_flags))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " has more than one of CL_MEM_READ_WRITE, CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY");
  if (!at_most_one(flags & host_access_flags))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " has more than one of the CL_MEM_HOST_* accesses");
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(CL_INVALID_VALUE,
                "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
  return no_write_flags(flags);
}

Status initial_contents(cl_mem_flags flags, bool is_external) {
  if ((flags & CL_MEM_IMMUTABLE_EXT) && !(flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR)) &&
      !is_external)
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " has CL_MEM_IMMUTABLE_EXT; it needs CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR");
  return {};
}

Status external_flags(cl_mem_flags flags, bool is_external) {
  if (is_external && (flags & host_pointer_flags))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " have CL_MEM_*_HOST_PTR, which does not go with a handle of external memory in properties");
  return {};
}

Result<cl_mem_flags> flags_within(const Memory& parent, cl_mem_flags flags) {
  constexpr cl_mem_flags known = kernel_access_flags | host_access_flags | CL_MEM_IMMUTABLE_EXT;
  flags |= parent.flags() & CL_MEM_IMMUTABLE_EXT;
  TRY(no_write_flags(flags));
  if (flags & ~known)
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " have bits that a sub-buffer or an image of another memory object cannot have");
  if (!at_most_one(flags & kernel_access_flags) || !at_most_one(flags & host_access_flags))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " has more than one of CL_MEM_READ_WRITE, CL_MEM_READ_ONLY and CL_MEM_WRITE_ONLY, or more "
                "than one CL_MEM_HOST_* access");
  cl_mem_flags of_parent = parent.flags();
  if (((of_parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
      ((of_parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
      ((of_parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
      ((of_parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
      ((of_parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " allow accesses that the parent's flags, 0x",
                of_parent, ", do not");
  if (!(flags & (kernel_access_flags | CL_MEM_IMMUTABLE_EXT))) flags |= of_parent & kernel_access_flags;
  if (!(flags & host_access_flags)) flags |= of_parent & host_access_flags;
  return flags | (of_parent & host_pointer_flags);
}

namespace {

Status image_on(const Device& device, const Image& image) {
  const ImageLayout& layout = image.layout();
  if (!device.limits().has_images)
    return fail(CL_INVALID_OPERATION, "the device of the queue has no images (CL_DEVICE_IMAGE_SUPPORT)");
  cl_image_desc sides = {};
  sides.image_type = image.type();
  sides.image_width = layout.width;
  sides.image_height = layout.height;
  sides.image_depth = layout.depth;
  sides.image_array_size = layout.layers;
  TRY(image_sides(image_limits(device, image.type()), sides, 0, 0));
  const cl_image_format& format = layout.format->name;
  if (!device.has_image_format(format, image.type(), image.flags()))
    return fail(CL_IMAGE_FORMAT_NOT_SUPPORTED,
                "the device of the queue has no images with the channel order 0x", std::hex,
                format.image_channel_order, ", the channel data type 0x", format.image_channel_data_type,
                ", the CL_MEM_TYPE 0x", image.type(), " and the flags 0x", image.flags());
  return {};
}

} // namespace

// An object is created if one device of the context supports it, so commands compare the object with the device of their
// own queue.
Status usable_on(const Device& device, const Memory& memory) {
  if (!device.description()) [[likely]] // no object exceeds the host's limits
    return {};
  const std::size_t alignment = device.limits().base_address_bits / 8;
  if (memory.parent() && memory.type() == CL_MEM_OBJECT_BUFFER && memory.offset() % alignment)
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, "the origin of the sub-buffer, ", memory.offset(),
                ", is not a multiple of ", alignment,
                " bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN of the queue's device)");
  if (is_image_type(memory.type())) TRY(image_on(device, static_cast<const Image&>(memory)));
  if (const std::uint64_t most = device.max_allocation_bytes(); memory.storage().size() > most)
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the memory object has ", memory.storage().size(),
                " bytes; CL_DEVICE_MAX_MEM_ALLOC_SIZE of the queue's device is ", most);
  return {};
}

} // namespace validate

} // namespace hostcl::runtime
