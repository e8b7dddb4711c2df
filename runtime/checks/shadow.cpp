#include "runtime/checks/shadow.hpp"

#include "compiler/code/host_functions.hpp"
#include "compiler/isolation/file_descriptor.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <ranges>

#include <sys/mman.h>
#include <unistd.h>

namespace hostcl::runtime::checks {

namespace {

/// The parts of the address space in which Linux places memory of a process, in units of 1/128 of the address space (1
/// TiB on x86-64): executables at fixed addresses; position-independent executables and their heap, from two thirds of
/// the address space; mmap(), from the stack downwards. Linux randomises the last two over at most an eighth. If the
/// stack is unlimited, mmap() goes upwards from a third of the address space instead.
struct Window {
  std::uint64_t first, count;
  constexpr bool contains(std::uint64_t unit) const { return unit - first < count; }
};
constexpr Window windows[] = {{0, 4}, {85, 17}, {111, 17}};
constexpr Window unlimited_stack_window = {42, 2};
constexpr unsigned unit_bits = 7;

constexpr bool is_in_window(std::uint64_t unit) {
  return unlimited_stack_window.contains(unit) ||
         std::ranges::any_of(windows, [&](const Window& window) { return window.contains(unit); });
}
/// The shadow of a window is half of the address space away from the window, and overlaps no window.
constexpr bool has_free_shadow(std::uint64_t unit) {
  return !is_in_window(unit) || !is_in_window(unit ^ std::uint64_t{1} << (unit_bits - 1));
}
static_assert(std::ranges::all_of(std::views::iota(std::uint64_t{0}, std::uint64_t{1} << unit_bits),
                                  has_free_shadow));

std::uint64_t window_unit() {
  return std::uint64_t{1} << (address_bits() - unit_bits);
}

std::byte* shadow_of(const void* memory) {
  return std::bit_cast<std::byte*>(std::bit_cast<std::uint64_t>(memory) ^ compiler::shadow_mask);
}

bool reserve(const Window& window) {
  const std::uint64_t bytes = window.count * window_unit();
  auto* wanted = shadow_of(std::bit_cast<void*>(window.first * window_unit()));
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got != wanted) { // Linux is too old to know MAP_FIXED_NOREPLACE
    munmap(got, bytes);
    return false;
  }
  madvise(got, bytes, MADV_DONTDUMP);
  return true;
}

/// The objects whose shadow is kept.
class UnwrittenObjects {
public:
  static UnwrittenObjects& instance() {
    static auto* instance = new UnwrittenObjects;
    return *instance;
  }

  void add(const void* object, std::size_t bytes) {
    std::scoped_lock guard(lock_);
    objects_[std::bit_cast<std::uint64_t>(object)] = bytes;
  }

  /// Removes an object. @returns its size, or 0 if it is not in the list
  std::size_t remove(const void* object) {
    std::scoped_lock guard(lock_);
    auto node = objects_.extract(std::bit_cast<std::uint64_t>(object));
    return node ? node.mapped() : 0;
  }

  bool has(const void* memory) {
    const auto address = std::bit_cast<std::uint64_t>(memory);
    std::scoped_lock guard(lock_);
    auto after = objects_.upper_bound(address);
    return after != objects_.begin() && address - std::prev(after)->first < std::prev(after)->second;
  }

private:
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards objects_
  std::map<std::uint64_t, std::size_t> objects_;
};

const bool UnwrittenObjects::is_held_over_fork_ = held_over_fork<process_lock>();

bool is_on() {
  return checks::is_checked(compiler::Check::uninitialised);
}

/// Calls `row` with the offset of each row of a rectangle.
template <class F>
void for_rows(const Rect& rect, F row) {
  for (std::size_t slice = 0; slice < rect.extent[2]; ++slice)
    for (std::size_t i = 0; i < rect.extent[1]; ++i)
      row(rect.first + slice * rect.slice_pitch + i * rect.row_pitch, i, slice);
}

/// A shadow of this size or more is mapped, so that it only takes memory for pages that kernels and commands
/// write.
constexpr std::size_t large = std::size_t{64} << 20;

FileDescriptor make_file_of_ones() {
  FileDescriptor file(memfd_create("hostcl-unwritten", MFD_CLOEXEC));
  if (ftruncate(file.get(), large) != 0) return {};
  void* memory = mmap(nullptr, large, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return {};
  std::memset(memory, 0xff, large);
  munmap(memory, large);
  return file;
}

/// A file of `large` bytes whose bits are all 1; -1 if there is none.
int file_of_ones() {
  static std::mutex mutex;
  static FileDescriptor& file = *new FileDescriptor; // never destroyed
  const std::scoped_lock guard(mutex);
  if (file.get() < 0) file = make_file_of_ones();
  return file.get();
}

/// Maps new memory over whole pages of the shadow: pages of the file, or zeros if there is no file.
bool map_over(std::byte* pages, std::size_t bytes, int file) {
  const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  if (mmap(pages, bytes, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) return false;
  madvise(pages, bytes, MADV_DONTDUMP);
  return true;
}

/// Sets or clears all bits of a shadow. Whole pages of a large shadow are mapped.
void set(std::byte* shadow, std::size_t bytes, bool is_unwritten) {
  const auto fill = [&](std::byte* first, std::size_t count) {
    std::memset(first, is_unwritten ? 0xff : 0, count);
  };
  const int file = is_unwritten && bytes >= large ? file_of_ones() : -1;
  if (bytes < large || (is_unwritten && file < 0)) return fill(shadow, bytes);
  const auto [head, pages] = whole_pages(std::bit_cast<std::uintptr_t>(shadow), bytes, page_bytes());
  fill(shadow, head);
  for (std::size_t done = 0; done < pages; done += large) {
    std::byte* piece = shadow + head + done;
    const std::size_t count = std::min(large, pages - done);
    if (!map_over(piece, count, file)) fill(piece, count);
  }
  fill(shadow + head + pages, bytes - head - pages);
}

} // namespace

bool reserve_shadow() {
  compiler::shadow_mask = std::uint64_t{1} << (address_bits() - 1);
  if (!std::ranges::all_of(windows, reserve)) return false;
  // The other window is used by mmap() only if the stack has no limit.
  void* probe = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return false;
  munmap(probe, 1);
  const std::uint64_t unit = std::bit_cast<std::uint64_t>(probe) / window_unit();
  return !unlimited_stack_window.contains(unit) || reserve(unlimited_stack_window);
}

void note_unwritten(const void* object, std::size_t bytes) {
  if (!is_on()) return;
  UnwrittenObjects::instance().add(object, bytes);
  set(shadow_of(object), bytes, true);
}

void forget_unwritten(const void* object) {
  if (!is_on()) return;
  if (const std::size_t bytes = UnwrittenObjects::instance().remove(object))
    set(shadow_of(object), bytes, false);
}

void note_written(const void* to, std::size_t bytes) {
  if (is_on() && UnwrittenObjects::instance().has(to)) set(shadow_of(to), bytes, false);
}

void note_written(const std::byte* memory, const Rect& rect) {
  if (!is_on() || !UnwrittenObjects::instance().has(memory)) return;
  for_rows(rect, [&](std::size_t place, std::size_t, std::size_t) {
    std::memset(shadow_of(memory + place), 0, rect.extent[0]);
  });
}

void note_copied(const void* to, const void* from, std::size_t bytes) {
  if (!is_on() || !UnwrittenObjects::instance().has(to)) return;
  if (UnwrittenObjects::instance().has(from))
    std::memmove(shadow_of(to), shadow_of(from), bytes);
  else
    set(shadow_of(to), bytes, false);
}

void note_copied(const std::byte* to, const Rect& to_rect, const std::byte* from, const Rect& from_rect) {
  if (!is_on() || !UnwrittenObjects::instance().has(to)) return;
  if (!UnwrittenObjects::instance().has(from)) return note_written(to, to_rect);
  for_rows(to_rect, [&](std::size_t place, std::size_t row, std::size_t slice) {
    const std::size_t source = from_rect.first + slice * from_rect.slice_pitch + row * from_rect.row_pitch;
    std::memmove(shadow_of(to + place), shadow_of(from + source), to_rect.extent[0]);
  });
}

} // namespace hostcl::runtime::checks
