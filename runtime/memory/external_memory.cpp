#include "runtime/memory/external_memory.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace hostcl::runtime {

std::span<const cl_external_memory_handle_type_khr> external_memory_handle_types() {
  static constexpr std::array<cl_external_memory_handle_type_khr, 2> types = {
      CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
  return std::span(types).first(Device::shares_all_memory() ? types.size() : 0);
}

// ---- Properties

Result<int> descriptor_of(cl_properties property, cl_properties value) {
  const auto descriptor = static_cast<int>(value);
  if (struct stat status; value > INT32_MAX || fstat(descriptor, &status) != 0)
    return fail(CL_INVALID_PROPERTY, "the handle ", static_cast<cl_long>(value),
                " is not an open file descriptor");
  if (!Device::shares_all_memory())
    return fail(CL_INVALID_PROPERTY, "memory property 0x", std::hex, property,
                " is not supported, because kernels run in another process (HOSTCL_GUEST)");
  return descriptor;
}

namespace {

/// Reads the property list of clCreate*WithProperties.
class PropertyReader {
public:
  PropertyReader(const Context& context, const cl_mem_properties* list) : context_(context), next_(list) {}
  Result<MemoryProperties> read(bool for_buffer);

private:
  Status read_property(cl_mem_properties name, bool for_buffer);
  std::vector<cl_mem_properties> read_list();
  Status read_device_address();
  Status read_handle(cl_mem_properties name);
  Status find_devices(ExternalHandle& handle);
  cl_mem_properties take() {
    properties_.list.push_back(*next_);
    return *next_++;
  }

  const Context& context_;
  const cl_mem_properties* next_;
  std::vector<cl_mem_properties> names_;
  std::optional<std::vector<cl_mem_properties>> devices_;
  MemoryProperties properties_;
};

Result<MemoryProperties> PropertyReader::read(bool for_buffer) {
  while (const cl_mem_properties name = take()) {
    if (std::ranges::count(names_, name))
      return fail(CL_INVALID_PROPERTY, "memory property 0x", std::hex, name, " is given twice");
    names_.push_back(name);
    TRY(read_property(name, for_buffer));
  }
  if (devices_ && !properties_.external)
    return fail(CL_INVALID_PROPERTY,
                "CL_MEM_DEVICE_HANDLE_LIST_KHR is given without a handle of external memory");
  if (properties_.external) TRY(find_devices(*properties_.external));
  return std::move(properties_);
}

Status PropertyReader::read_property(cl_mem_properties name, bool for_buffer) {
  switch (name) {
  case CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR:
  case CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR:
    return read_handle(name);
  case CL_MEM_DEVICE_HANDLE_LIST_KHR:
    devices_ = read_list();
    if (devices_->empty())
      return fail(CL_INVALID_PROPERTY,
                  "CL_MEM_DEVICE_HANDLE_LIST_KHR is empty; it must have at least one device");
    return {};
  case CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT:
    if (for_buffer) return read_device_address();
    [[fallthrough]];
  default:
    return fail(CL_INVALID_PROPERTY, "memory property 0x", std::hex, name, " is not supported");
  }
}

std::vector<cl_mem_properties> PropertyReader::read_list() {
  std::vector<cl_mem_properties> list;
  while (const cl_mem_properties value = take())
    list.push_back(value);
  return list;
}

Status PropertyReader::read_device_address() {
  const cl_mem_properties value = take();
  if (value != CL_TRUE && value != CL_FALSE)
    return fail(CL_INVALID_PROPERTY, "CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT is ", value,
                "; it must be CL_TRUE or CL_FALSE");
  properties_.device_address = value == CL_TRUE;
  return {};
}

Status PropertyReader::read_handle(cl_mem_properties name) {
  if (properties_.external)
    return fail(CL_INVALID_PROPERTY,
                "properties have more than one handle of external memory; one is allowed");
  TRY(const int descriptor, descriptor_of(name, take()));
  properties_.external = {static_cast<cl_external_memory_handle_type_khr>(name), descriptor, {}};
  return {};
}

Status PropertyReader::find_devices(ExternalHandle& handle) {
  if (!devices_) {
    handle.devices = context_.devices();
    return {};
  }
  for (const cl_mem_properties each : *devices_) {
    TRY(Device & device, object_cast<Device>(reinterpret_cast<cl_device_id>(each)));
    if (!context_.has(device))
      return fail(CL_INVALID_DEVICE,
                  "CL_MEM_DEVICE_HANDLE_LIST_KHR has a device that is not one of the context");
    handle.devices.push_back(Ref<Device>(device));
  }
  return {};
}

} // namespace

Result<MemoryProperties> MemoryProperties::checked(const Context& context, const cl_mem_properties* list,
                                                   bool for_buffer) {
  if (!list) return MemoryProperties{};
  return PropertyReader(context, list).read(for_buffer);
}

// ---- Mappings

namespace {

/// The size of the memory that a descriptor stands for. Linux before 5.3 reports the size of a dma-buf by lseek()
/// only.
std::size_t bytes_of(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) return static_cast<std::size_t>(status.st_size);
  const off_t end = lseek(descriptor, 0, SEEK_END);
  return end > 0 ? static_cast<std::size_t>(end) : 0;
}

/// Whether the descriptor is a file that no seal keeps from shrinking. Dma-bufs and devices are not regular
/// files.
bool is_shrinkable(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const int seals = fcntl(descriptor, F_GET_SEALS); // -1 if the file system has no seals
  return seals < 0 || !(seals & F_SEAL_SHRINK);
}

/// Whether neither kernels nor the host may write the memory.
bool is_never_written(cl_mem_flags flags) {
  return (flags & CL_MEM_IMMUTABLE_EXT) ||
         ((flags & CL_MEM_READ_ONLY) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)));
}

} // namespace

Result<ExternalMemory> ExternalMemory::map(const ExternalHandle& handle, cl_mem_flags flags,
                                           std::size_t bytes, std::size_t slack, cl_int too_small) {
  if (const std::size_t there = bytes_of(handle.descriptor); bytes > there)
    return fail(too_small, bytes, " bytes are beyond the ", there, " of file descriptor ", handle.descriptor);
  ExternalMemory memory;
  memory.handle_ = handle;
  memory.is_writable_ = !is_never_written(flags);
  memory.may_shrink_ = is_shrinkable(handle.descriptor);
  // First reserves addresses with pages of zeros, so that the slack after the memory can be read.
  const std::size_t whole = abi::aligned(bytes, page_bytes()) + slack;
  void* const reserved = mmap(nullptr, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "cannot reserve addresses for ", bytes,
                " bytes of external memory");
  memory.data_ = static_cast<std::byte*>(reserved);
  memory.mapped_bytes_ = whole;
  const int protection = memory.is_writable_ ? PROT_READ | PROT_WRITE : PROT_READ;
  if (mmap(reserved, bytes, protection, MAP_SHARED | MAP_FIXED, handle.descriptor, 0) == MAP_FAILED)
    return fail(errno == ENOMEM ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_PROPERTY,
                "cannot map file descriptor ", handle.descriptor,
                memory.is_writable_ ? " for writing: " : ": ", std::strerror(errno));
  return memory;
}

namespace {

/// Whether all addresses of a range are a shared mapping of the descriptor's memory, from its first byte on.
bool is_mapping_of(const std::byte* first, std::size_t bytes, int descriptor, bool is_writable) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return false;
  const auto begin = std::bit_cast<std::uintptr_t>(first);
  std::uintptr_t next = begin; // the addresses before it are such a mapping
  std::ifstream maps("/proc/self/maps");
  for (std::string line; next < begin + bytes && std::getline(maps, line);) {
    // first-last access offset major:minor inode name
    std::istringstream fields(line);
    std::uintptr_t from = 0, to = 0, offset = 0;
    unsigned major_number = 0, minor_number = 0;
    std::uint64_t inode = 0;
    std::string access;
    char separator = 0;
    fields >> std::hex >> from >> separator >> to >> access >> offset >> major_number >> separator >>
        minor_number >> std::dec >> inode;
    if (!fields || access.size() < 4) return false;
    if (to <= next) continue;
    if (from > next || access[0] != 'r' || (is_writable && access[1] != 'w') || access[3] != 's' ||
        makedev(major_number, minor_number) != status.st_dev || inode != status.st_ino ||
        offset + (next - from) != next - begin)
      return false;
    next = to;
  }
  return next >= begin + bytes;
}

} // namespace

Result<ExternalMemory> ExternalMemory::map_at(std::byte* address, int descriptor, std::size_t bytes,
                                              bool is_writable) {
  if (const std::size_t there = bytes_of(descriptor); bytes > there)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", bytes, " is above the ", there, " bytes of file descriptor ",
                descriptor);
  ExternalMemory memory;
  memory.is_writable_ = is_writable;
  void* const mapped = mmap(address, bytes, is_writable ? PROT_READ | PROT_WRITE : PROT_READ,
                            MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0);
  const int error = mapped == MAP_FAILED ? errno : 0;
  if (!error) {
    memory.data_ = static_cast<std::byte*>(mapped);
    memory.mapped_bytes_ = bytes;
  } else if (error == EEXIST && is_mapping_of(address, bytes, descriptor, is_writable)) {
    memory.data_ = address;
  }
  if (memory.data_ == address) return memory;
  if (!error || error == EEXIST) // Linux before 4.17 maps elsewhere if the addresses are in use
    return fail(CL_INVALID_PROPERTY, "some of the ", bytes, " bytes at ", static_cast<void*>(address),
                " are mapped already, and not as a shared mapping of file descriptor ", descriptor,
                " from its first byte", is_writable ? " that can be written" : "");
  return fail(CL_INVALID_PROPERTY, "cannot map file descriptor ", descriptor, " at ",
              static_cast<void*>(address), is_writable ? " for writing: " : ": ", std::strerror(error));
}

ExternalMemory::ExternalMemory(ExternalMemory&& other) noexcept {
  *this = std::move(other);
}

ExternalMemory& ExternalMemory::operator=(ExternalMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(is_writable_, other.is_writable_);
  std::swap(may_shrink_, other.may_shrink_);
  std::swap(handle_, other.handle_);
  descriptor_ = std::move(other.descriptor_);
  return *this;
}

ExternalMemory::~ExternalMemory() {
  if (mapped_bytes_) munmap(data_, mapped_bytes_);
}

void ExternalMemory::own() noexcept {
  FileDescriptor own(handle_.descriptor);
  if (handle_.type == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR) descriptor_ = std::move(own);
}

bool ExternalMemory::is_usable_on(const Device& device) const {
  return std::ranges::any_of(handle_.devices, [&](const auto& each) { return each.get() == &device; });
}

void ExternalMemory::synchronise(bool begins) const {
  if (!descriptor_) return;
  dma_buf_sync sync{};
  sync.flags =
      (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END) | (is_writable_ ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_READ);
  // Fails if the descriptor is not a dma-buf; other memory needs no synchronisation.
  while (ioctl(descriptor_.get(), DMA_BUF_IOCTL_SYNC, &sync) != 0 && (errno == EINTR || errno == EAGAIN))
    continue;
}

} // namespace hostcl::runtime
