#pragma once

// cl_img_unified_svm_external_memory_dma_buf for tests: addresses to import memory at, and the import.

#include "support/choice.hpp"
#include "support/shared_memory.hpp"
#include "support/unified_svm.hpp"

#include <sys/mman.h>

namespace test::imported_svm {

inline constexpr cl_properties at_address = 0x4220, dma_buf = 0x4221;

/// Whether SVM can be imported. A test fails if it cannot, unless kernels run in guests.
inline bool has_import() {
  const bool has = platform_has_extension("cl_img_unified_svm_external_memory_dma_buf");
  CHECK((has || has_guests() || !is_hostcl()));
  return has;
}

/// Returns addresses that are not mapped, far from those that Linux chooses. Only this function returns them.
inline std::byte* free_addresses(size_t bytes) {
  // Some sanitizers reserve the first address.
  for (const std::uintptr_t first : {0x2000'0000'0000, 0x70'0000'0000}) {
    void* const wanted = reinterpret_cast<void*>(first);
    void* const mapped = mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    REQUIRE(munmap(mapped, bytes) == 0);
    if (mapped == wanted) return static_cast<std::byte*>(mapped);
  }
  FAIL("the addresses for imports are in use");
  return nullptr;
}

} // namespace test::imported_svm
