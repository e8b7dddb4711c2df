// The shadow memory of the race check: runtime/checks/race_shadow.cpp, with a stand-in for the lock.

#include "tests/order/piece.hpp"

#include "compiler/abi/race.hpp"

#include <sys/mman.h>

namespace {

/// Written when a chunk of cells is mapped.
model::Data<unsigned>* mapped = nullptr;

void* map_chunk(void* address, std::size_t bytes, int protection, int flags, int file, long offset) {
  static void* const chunk = mmap(nullptr, std::size_t{1} << 30, PROT_READ | PROT_WRITE, // never read
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!mapped) return mmap(address, bytes, protection, flags, file, offset);
  mapped->set(mapped->get() + 1);
  return bytes > std::size_t{1} << 30 ? MAP_FAILED : chunk;
}

} // namespace

#include "tests/order/begin_driver_code.hpp"
#define mmap map_chunk

#include "runtime/checks/race_shadow.cpp"

#undef mmap
#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::abi::RaceCell;
using hostcl::runtime::checks::RaceShadow;

/// Threads look for the cell of the same address, whose chunk has not been mapped.
struct Mapping : model::Model<Mapping, 2> {
  static RaceShadow& shadow;
  model::Data<unsigned> count;

  Mapping() {
    mapped = &count;
    model::begin_atomic<std::uintptr_t>(&shadow.tables()[2].chunks[0], 0);
  }
  void thread(unsigned) {
    if (shadow.cell(64, 2)) MODEL_CHECK(count.get() == 1);
  }
  void after() { MODEL_CHECK(count.get() == 1); }
};
RaceShadow& Mapping::shadow = RaceShadow::instance();

} // namespace

int main(int count, char** arguments) {
  return model::Piece("shadow memory of the race check",
                      {"runtime/checks/race_shadow.cpp", "runtime/checks/race_shadow.hpp"},
                      {model::all_of<Mapping>("a new chunk", 174)})
      .run(count, arguments);
}
