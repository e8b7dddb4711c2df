#include "runtime/checks/race_shadow.hpp"

#include <mutex>
#include <new>

#include <sys/mman.h>

namespace hostcl::runtime::checks {

namespace {

/// Maps zeroed memory, of which only the pages that are written take physical memory; null if there are no addresses.
void* map(std::size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

} // namespace

/// Makes all tables at once, because kernels read a table without asking whether it exists.
RaceShadow::RaceShadow() : tables_{} {
  constexpr std::size_t table_bytes = chunk_count * sizeof(void*);
  auto* memory = static_cast<std::byte*>(map(2 * tables_.size() * table_bytes));
  if (!memory) throw std::bad_alloc();
  for (abi::RaceTables& tables : tables_) {
    tables.chunks = reinterpret_cast<abi::RaceCell**>(memory);
    tables.atomic_chunks = reinterpret_cast<abi::RaceAtomicCell**>(memory + table_bytes);
    memory += 2 * table_bytes;
  }
}

RaceShadow& RaceShadow::instance() {
  static auto* instance = new RaceShadow;
  return *instance;
}

constinit Lock RaceShadow::lock_;
const bool RaceShadow::is_held_over_fork_ = held_over_fork<process_lock>();

/// An access may begin in one chunk and end in the next. The cells of its end follow those of the chunk.
template <class Cell>
std::size_t RaceShadow::chunk_bytes(unsigned shift) {
  return (((chunk_mask + 1) >> shift) + 16) * sizeof(Cell);
}

template <class Cell>
Cell* RaceShadow::make_chunk(Cell*& slot, unsigned shift) {
  std::scoped_lock guard(lock_);
  const std::atomic_ref chunk(slot);
  Cell* cells = chunk.load(std::memory_order_relaxed);
  if (!cells) cells = static_cast<Cell*>(map(chunk_bytes<Cell>(shift)));
  chunk.store(cells, std::memory_order_release);
  return cells;
}
template abi::RaceCell* RaceShadow::make_chunk(abi::RaceCell*& slot, unsigned shift);
template abi::RaceAtomicCell* RaceShadow::make_chunk(abi::RaceAtomicCell*& slot, unsigned shift);

std::uint64_t RaceShadow::take_groups(std::uint64_t count) {
  std::scoped_lock guard(lock_);
  if (count > abi::race_groups - next_group_) {
    forget_all();
    next_group_ = 1;
  }
  const std::uint64_t first = next_group_;
  next_group_ += count;
  return first;
}

/// Called when group numbers are used up and start again. Launches that run at this time miss races, because
/// later launches cannot tell their numbers.
void RaceShadow::forget_all() {
  for (unsigned shift = 0; shift < tables_.size(); ++shift) {
    const abi::RaceTables& tables = tables_[shift];
    for (std::size_t i = 0; i < chunk_count; ++i) {
      if (tables.chunks[i]) madvise(tables.chunks[i], chunk_bytes<abi::RaceCell>(shift), MADV_DONTNEED);
      if (tables.atomic_chunks[i])
        madvise(tables.atomic_chunks[i], chunk_bytes<abi::RaceAtomicCell>(shift), MADV_DONTNEED);
    }
  }
}

} // namespace hostcl::runtime::checks
