#include "runtime/queue/transfer.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/memory/copies.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/memory/uncertain_memory.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hostcl::runtime {

// Assumes 10 GB/s, about what one thread reaches.
std::uint64_t transfer_estimate(std::size_t bytes) {
  return bytes / 10;
}

namespace {

/// Whether memory that the command copies or fills may have ceased to exist when it runs: a file that was
/// imported may have become shorter.
bool is_uncertain(const Keep& keep) {
  return std::ranges::any_of(
      keep, [](const Ref<Memory>& memory) { return memory && memory->storage().external().may_shrink(); });
}

/// The status of a command that has copied or filled such memory.
/// @param is_there whether all of the memory still existed
cl_int moved(bool is_there) {
  if (is_there) return CL_COMPLETE;
  log(LogLevel::error,
      "a command failed: the file of an imported memory object has become shorter than the object");
  return CL_OUT_OF_RESOURCES;
}

} // namespace

cl_int CopyWork::run(Queue& queue) {
  checks::note_copied(to_, from_, bytes_);
  const Rect all = Rect::row(0, bytes_);
  checks::note_transfer(static_cast<std::byte*>(to_), all, static_cast<const std::byte*>(from_), all);
  if (is_uncertain(keep_)) [[unlikely]] {
    return moved(copy_uncertain(queue.workers(), static_cast<std::byte*>(to_), all,
                                static_cast<const std::byte*>(from_), all));
  }
  copy_bytes(queue.workers(), to_, from_, bytes_);
  return CL_COMPLETE;
}

cl_int CopyRectWork::run(Queue& queue) {
  checks::note_copied(to_, to_rect_, from_, from_rect_);
  checks::note_transfer(to_, to_rect_, from_, from_rect_);
  if (is_uncertain(keep_)) [[unlikely]]
    return moved(copy_uncertain(queue.workers(), to_, to_rect_, from_, from_rect_));
  copy_rect(queue.workers(), to_, to_rect_, from_, from_rect_);
  return CL_COMPLETE;
}

FillWork::FillWork(void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes, Keep keep)
    : to_(to), pattern_bytes_(pattern_bytes), bytes_(bytes), keep_(std::move(keep)) {
  std::memcpy(pattern_.data(), pattern, pattern_bytes);
}

cl_int FillWork::run(Queue& queue) {
  checks::note_written(to_, bytes_);
  checks::note_fill(static_cast<std::byte*>(to_), Rect::row(0, bytes_));
  if (is_uncertain(keep_)) [[unlikely]]
    return moved(fill_uncertain(queue.workers(), static_cast<std::byte*>(to_), Rect::row(0, bytes_),
                                std::span(pattern_).first(pattern_bytes_)));
  const bool is_zero = std::all_of(pattern_.begin(), pattern_.begin() + pattern_bytes_,
                                   [](std::byte byte) { return byte == std::byte{0}; });
  if (is_zero && keep_[0] && keep_[0]->clear(static_cast<std::byte*>(to_), bytes_)) return CL_COMPLETE;
  fill_bytes(queue.workers(), to_, pattern_.data(), pattern_bytes_, bytes_);
  return CL_COMPLETE;
}

FillRectWork::FillRectWork(std::byte* to, const Rect& rect, std::span<const std::byte> pattern, Keep keep)
    : to_(to), rect_(rect), pattern_bytes_(pattern.size()), keep_(std::move(keep)) {
  std::ranges::copy(pattern, pattern_.begin());
}

cl_int FillRectWork::run(Queue& queue) {
  checks::note_written(to_, rect_);
  checks::note_fill(to_, rect_);
  if (is_uncertain(keep_)) [[unlikely]]
    return moved(fill_uncertain(queue.workers(), to_, rect_, std::span(pattern_).first(pattern_bytes_)));
  fill_rect(queue.workers(), to_, rect_, std::span(pattern_).first(pattern_bytes_));
  return CL_COMPLETE;
}

bool writes(cl_map_flags flags) {
  return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
}

std::uint64_t map_estimate(const Memory& memory, const Rect& region) {
  return memory.data() == memory.host_data() ? 0 : transfer_estimate(region.bytes());
}

MapWork::MapWork(Memory& memory, const Rect& region, cl_map_flags flags, std::uint64_t& number)
    : memory_(memory), region_(region), flags_(flags), number_(memory.map(region, writes(flags))) {
  number = number_;
}

MapWork::~MapWork() {
  if (number_) memory_->revoke_map(number_);
}

cl_int SvmMapWork::run(Queue&) {
  checks::note_mapped(memory_, Rect::row(0, bytes_), writes_);
  return CL_COMPLETE;
}

cl_int SvmUnmapWork::run(Queue&) {
  checks::note_unmapped(address_);
  return CL_COMPLETE;
}

cl_int UnmapWork::run(Queue& queue) {
  const auto& [region, writes, number] = mapping_;
  std::byte *data = memory_->data(), *host = memory_->host_data();
  if (data != host && writes) copy_rect(queue.workers(), data, region, host, region);
  checks::note_unmapped(data + region.first);
  return CL_COMPLETE;
}

Error MapWork::error() const {
  return fail(CL_INVALID_OPERATION, "the ", region_.bytes(), " bytes at offset ", region_.first,
              " overlap a region that is mapped for writing already; regions that are mapped for writing "
              "must not overlap");
}

cl_int MapWork::run(Queue& queue) {
  std::byte *data = memory_->data(), *host = memory_->host_data();
  if (data != host && flags_ != CL_MAP_WRITE_INVALIDATE_REGION)
    copy_rect(queue.workers(), host, region_, data, region_);
  if (writes(flags_)) checks::note_written(data, region_);
  checks::note_mapped(data, region_, writes(flags_));
  number_ = 0;
  return CL_COMPLETE;
}

Result<void*> submit_map(Queue& queue, Queue::Submission submission, Memory& memory, const Rect& region,
                         cl_map_flags flags) {
  submission.estimate = map_estimate(memory, region);
  void* address = memory.host_data() + region.first;
  std::uint64_t number = 0;
  Status status = queue.submit<MapWork>(submission, memory, region, flags, number);
  if (!status.ok()) {
    memory.revoke_map(number); // a blocking call also fails if a command before the map failed
    return std::move(status).error();
  }
  return address;
}

namespace validate {

Status fill_pattern(const void* pattern, std::size_t bytes) {
  if (!pattern || !std::has_single_bit(bytes) || bytes > FillWork::max_pattern)
    return fail(CL_INVALID_VALUE, "pattern is NULL, or pattern_size, ", bytes,
                ", is not a power of two up to 128");
  return {};
}

Status fill(const void* to, const void* pattern, std::size_t pattern_bytes, std::size_t bytes) {
  TRY(fill_pattern(pattern, pattern_bytes));
  if (reinterpret_cast<std::uintptr_t>(to) % pattern_bytes || bytes % pattern_bytes)
    return fail(CL_INVALID_VALUE, "address ", to, " or size ", bytes, " is not a multiple of the pattern's ",
                pattern_bytes, " bytes");
  return {};
}

Status map_flags(cl_map_flags flags) {
  constexpr cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE;
  if ((flags & ~plain) && flags != CL_MAP_WRITE_INVALIDATE_REGION)
    return fail(CL_INVALID_VALUE, "map_flags 0x", std::hex, flags,
                " are not valid; they must be CL_MAP_READ, CL_MAP_WRITE, both, or "
                "CL_MAP_WRITE_INVALIDATE_REGION alone");
  return {};
}

Status map_access(const Memory& memory, cl_map_flags flags) {
  if (flags & CL_MAP_READ) TRY(host_access(memory, HostAccess::read));
  if (writes(flags)) TRY(host_access(memory, HostAccess::write));
  return {};
}

Status no_overlap(const void* to, const void* from, std::size_t bytes) {
  auto a = reinterpret_cast<std::uintptr_t>(to), b = reinterpret_cast<std::uintptr_t>(from);
  if (bytes && (a > b ? a - b : b - a) < bytes)
    return fail(CL_MEM_COPY_OVERLAP, "the ", bytes, " bytes at dst_ptr ", to, " and src_ptr ", from,
                " overlap");
  return {};
}

} // namespace validate

} // namespace hostcl::runtime
